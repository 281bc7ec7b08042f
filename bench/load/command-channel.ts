import type { StreamMessage } from '../../gateway/client/stream-types.js'
import { HttpPool } from './http-connection.js'
import type { CommandAnswer } from './order-ledger.js'
import { lotsOf } from './order-ledger.js'
import { StreamConnection } from './stream-connection.js'

export interface CommandChannelOptions {
  readonly url: string
  readonly connections: number
  readonly httpConnections: number
  readonly hasStream: boolean
  /** Nonce of the first command. Nonces match OrderResults to commands. */
  readonly firstNonce: number
  readonly count: number
  readonly onAnswer: (index: number, answer: CommandAnswer) => void
  /** Receives a sentence for each fault that belongs to no command. */
  readonly onFault: (fault: string) => void
}

/** Connections that carry commands. Matches every answer, over HTTP or stream, to its command. */
export class CommandChannel {
  readonly #options: CommandChannelOptions
  readonly #http: HttpPool
  #streams: readonly StreamConnection[] = []
  #next = 0

  constructor(options: CommandChannelOptions) {
    this.#options = options
    this.#http = new HttpPool(options.url, options.httpConnections)
  }

  async open(): Promise<void> {
    const { url, connections, hasStream, onFault } = this.#options
    if (!hasStream) return
    const onMessage = (message: StreamMessage) => this.#onMessage(message)
    const onLost = (code: number, reason: string) =>
      onFault(`a command connection was closed: ${code} ${reason}`)
    this.#streams = await Promise.all(
      Array.from({ length: connections }, () => StreamConnection.open({ url, onMessage, onLost })),
    )
  }

  sendHttp(index: number, request: Uint8Array): void {
    const { onAnswer, onFault } = this.#options
    this.#http.send(request, (status, body) => {
      if (status === 0) onFault(`command ${index}: ${body}`)
      else onAnswer(index, httpAnswer(status, body))
    })
  }

  /** Sends a frame. Connections are used round-robin. */
  sendStream(frame: Uint8Array): void {
    this.#streams[this.#next].send(frame)
    this.#next = (this.#next + 1) % this.#streams.length
  }

  close(): void {
    this.#http.close()
    for (const stream of this.#streams) stream.close()
  }

  #onMessage(message: StreamMessage): void {
    const { firstNonce, count, onAnswer, onFault } = this.#options
    if (message.type !== 'OrderResult' && message.type !== 'Error') return
    const index = Number(message['nonce']) - firstNonce
    if (!(index >= 0 && index < count)) onFault(`no command of ours: ${JSON.stringify(message)}`)
    else if (message.type === 'Error') {
      onAnswer(index, failed(String(message['code'] ?? message['message'])))
    } else onAnswer(index, executed(message))
  }
}

/** Parses the answer to an order write over HTTP. */
export function httpAnswer(status: number, body: string): CommandAnswer {
  let fields: Readonly<Record<string, unknown>>
  try {
    fields = JSON.parse(body) as Readonly<Record<string, unknown>>
  } catch {
    return failed(`HTTP ${status} without JSON`)
  }
  return status === 200 ? executed(fields) : failed(String(fields['code'] ?? `HTTP ${status}`))
}

function executed(fields: Readonly<Record<string, unknown>>): CommandAnswer {
  const { status, reason_code, order_id, filled_size } = fields
  return {
    status: String(status),
    code: typeof reason_code === 'string' ? reason_code : '',
    orderId: typeof order_id === 'number' ? order_id : 0,
    filledLots: status === 'REJECTED' ? 0 : lotsOf(filled_size ?? 0),
  }
}

function failed(code: string): CommandAnswer {
  return { status: '', code, orderId: 0, filledLots: 0 }
}
