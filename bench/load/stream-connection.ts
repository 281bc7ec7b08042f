import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { StreamMessage } from '../../gateway/client/stream-types.js'

export interface StreamConnectionOptions {
  /** Public http address of the venue. */
  readonly url: string
  /** Wallet of the private channels. */
  readonly wallet?: string
  readonly channels?: readonly string[]
  readonly onMessage: (message: StreamMessage) => void
  /** Called when the venue or the network ends the connection, but not after `close`. */
  readonly onLost: (code: number, reason: string) => void
}

const openMillisMax = 60_000

/** WebSocket of the load: sends pre-built frames and parses messages. It does not reconnect. */
export class StreamConnection {
  readonly #socket: WebSocket
  #isClosing = false

  private constructor(options: StreamConnectionOptions) {
    const query = options.wallet === undefined ? '' : `?wallet=${options.wallet}`
    this.#socket = new WebSocket(`${options.url.replace(/^http/, 'ws')}/ws${query}`, {
      perMessageDeflate: false,
      // A zero mask is legal and leaves the bytes unchanged. Masking would copy each frame.
      generateMask: (mask) => mask.fill(0),
    })
    this.#socket.on('message', (data) => {
      options.onMessage(JSON.parse(String(data)) as StreamMessage)
    })
    this.#socket.on('close', (code, reason) => {
      if (!this.#isClosing) options.onLost(code, String(reason))
    })
    this.#socket.on('error', () => {}) // 'close' follows
  }

  /** Connects and subscribes. @throws Error if it takes longer than a minute. */
  static async open(options: StreamConnectionOptions): Promise<StreamConnection> {
    let acknowledged = 0
    let onAcknowledged = () => {}
    const channels = options.channels ?? []
    const connection = new StreamConnection({
      ...options,
      onMessage: (message) => {
        options.onMessage(message)
        if (message.type !== 'Subscribed') return
        acknowledged++
        onAcknowledged()
      },
    })
    await once(connection.#socket, 'open', { signal: AbortSignal.timeout(openMillisMax) })
    const subscribed = new Promise<void>((resolve) => {
      onAcknowledged = () => {
        if (acknowledged === channels.length) resolve()
      }
      onAcknowledged()
    })
    for (const channel of channels) {
      connection.send(Buffer.from(JSON.stringify({ type: 'Subscribe', channel })))
    }
    await subscribed
    return connection
  }

  send(frame: Uint8Array): void {
    this.#socket.send(frame, { binary: false })
  }

  close(): void {
    this.#isClosing = true
    this.#socket.terminate()
  }
}
