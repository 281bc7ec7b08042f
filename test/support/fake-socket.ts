import type { StreamSocket } from '../../gateway/transport/transport.js'

/** WebSocket of a test: keeps what was sent. With `isStuck` the kernel accepts nothing. */
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

  /** Simulates buffered bytes of earlier messages. */
  stall(bytes: number): void {
    this.#buffered = bytes
  }

  /** Lets the kernel accept everything again. */
  unstick(): void {
    this.isStuck = false
    this.#buffered = 0
  }

  /** Removes and returns the messages so far, as values. */
  take(): Record<string, unknown>[] {
    return this.texts.splice(0).map((text) => JSON.parse(text))
  }
}
