import { once } from 'node:events'
import { WebSocket } from 'ws'

/** How the venue let a reader go. */
export interface ReaderEnd {
  readonly code: number
  readonly reason: string
}

const openMillisMax = 60_000
const endMillisMax = 60_000
const subscribeText = JSON.stringify({ type: 'Subscribe', channel: 'orderbook' })
const tradesText = JSON.stringify({ type: 'Subscribe', channel: 'trades' })

/** A subscriber of all books and trades that looks at nothing it gets, and can stop reading. */
export class MarketReader {
  readonly #socket: WebSocket
  #asking: NodeJS.Timeout | undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async open(url: string): Promise<MarketReader> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { perMessageDeflate: false })
    await once(socket, 'open', { signal: AbortSignal.timeout(openMillisMax) })
    const first = once(socket, 'message')
    for (const text of [subscribeText, tradesText]) socket.send(text)
    await first
    return new MarketReader(socket)
  }

  /**
   * Reads no more: what comes fills the buffers of both kernels, then waits at the venue.
   * @param asksPerSecond snapshots it asks for all the same, to fill them sooner.
   */
  stall(asksPerSecond = 0): void {
    this.#socket.pause()
    if (asksPerSecond === 0) return
    this.#asking = setInterval(() => {
      if (this.#socket.readyState !== WebSocket.OPEN) return
      for (let asks = 0; asks < asksPerSecond / 50; asks++) this.#socket.send(subscribeText)
    }, 20)
  }

  /** Reads on. @returns how the venue has closed it, or null when it has not. */
  async end(): Promise<ReaderEnd | null> {
    clearInterval(this.#asking)
    const closed = once(this.#socket, 'close', { signal: AbortSignal.timeout(endMillisMax) })
    this.#socket.resume()
    // One that is still welcome gets a Pong; one that was closed reads its close frame before.
    const welcome = once(this.#socket, 'pong').then(() => null)
    this.#socket.on('error', () => {})
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
    const end = await Promise.race([closed, welcome]).catch(() => null)
    this.#socket.terminate()
    return end === null ? null : { code: end[0] as number, reason: String(end[1]) }
  }
}
