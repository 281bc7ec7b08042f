import type { StreamSocket } from '../../gateway/transport/transport.js'

/** A WebSocket of a test: keeps what was sent; `isStuck` makes the kernel take nothing. */
export class FakeSocket implements StreamSocket {
  address: Uint8Array = Uint8Array.of(203, 0, 113, 7)
  readonly texts: string[] = []
  pings = 0
  closed: { readonly code: number; readonly reason: string } | null = null
  isCutOff = false
  isStuck = false
  onClose: () => void = () => {}
  #buffered = 0

  send(message: Uint8Array): void {
    this.texts.push(Buffer.from(message).toString())
    if (this.isStuck) this.#buffered += message.length
  }

  bufferedBytes(): number {
    return this.#buffered
  }

  ping(): void {
    this.pings++
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason }
    this.onClose()
  }

  cutOff(): void {
    this.isCutOff = true
    this.onClose()
  }

  cork(run: () => void): void {
    run()
  }

  /** Makes bytes wait that were sent before. */
  stall(bytes: number): void {
    this.#buffered = bytes
  }

  /** The kernel takes everything again. */
  unstick(): void {
    this.isStuck = false
    this.#buffered = 0
  }

  /** Messages so far, taken out, as values. */
  take(): Record<string, unknown>[] {
    return this.texts.splice(0).map((text) => JSON.parse(text))
  }
}
