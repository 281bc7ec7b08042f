import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Close code and reason with which the venue closed a reader. */
export interface ReaderEnd {
  readonly code: number
  readonly reason: string
}

const openMillisMax = 60_000
const endMillisMax = 60_000
const subscribeText = JSON.stringify({ type: 'Subscribe', channel: 'orderbook' })
const tradesText = JSON.stringify({ type: 'Subscribe', channel: 'trades' })

/** Subscriber of all books and trades that discards all messages, and can stop reading. */
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
   * Stops reading. Messages fill the buffers of both kernels, then queue at the venue.
   * @param asksPerSecond snapshots to request without reading them, to fill the buffers sooner.
   */
  stall(asksPerSecond = 0): void {
    this.#socket.pause()
    if (asksPerSecond === 0) return
    this.#asking = setInterval(() => {
      if (this.#socket.readyState !== WebSocket.OPEN) return
      for (let asks = 0; asks < asksPerSecond / 50; asks++) this.#socket.send(subscribeText)
    }, 20)
  }

  /** Resumes reading. @returns the close code and reason; null if the venue has not closed the connection. */
  async end(): Promise<ReaderEnd | null> {
    clearInterval(this.#asking)
    const closed = once(this.#socket, 'close', { signal: AbortSignal.timeout(endMillisMax) })
    this.#socket.resume()
    // An open connection receives a Pong. A closed one reads its close frame first.
    const stillOpen = once(this.#socket, 'pong').then(() => null)
    this.#socket.on('error', () => {})
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
    const end = await Promise.race([closed, stillOpen]).catch(() => null)
    this.#socket.terminate()
    return end === null ? null : { code: end[0] as number, reason: String(end[1]) }
  }
}
