import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyBytesMax } from '../../schemas/bounds.js'
import type { ConnectionLedger } from './connection-ledger.js'
import { discardedBytesMax, noRoom, requestIdOf } from './refusal.js'
import type { HeaderList, HttpCall, TransportHandlers } from './transport.js'

/** What a call has beside its own request. */
interface CallParts {
  readonly address: Uint8Array
  readonly host: string
  readonly accept: string
  readonly handlers: TransportHandlers
  readonly ledger: ConnectionLedger
}

/** Path and query of a request's target. */
export function partsOf(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

/** One request to Node's server. */
export class NodeCall implements HttpCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly requestId: string
  readonly authorization: string
  readonly accept: string
  readonly host: string
  readonly address: Uint8Array
  body: Buffer | null = Buffer.alloc(0)
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #parts: CallParts
  #chunks: Buffer[] = []
  #bytes = 0
  #keptBytes = 0
  #isEnded = false
  readonly #onGone = () => this.#end()

  constructor(request: IncomingMessage, response: ServerResponse, parts: CallParts) {
    const { headers, method } = request
    this.method = method!
    const [path, query] = partsOf(request.url!)
    this.path = path
    this.query = query
    this.requestId = requestIdOf(String(headers['x-request-id'] ?? ''))
    this.authorization = headers.authorization ?? ''
    this.accept = parts.accept
    this.host = parts.host
    this.address = parts.address
    this.#request = request
    this.#response = response
    this.#parts = parts
  }

  /** Reads the body, and hands the call over. */
  begin(): void {
    // Not the response: one that waits behind another hears of nothing.
    this.#request.socket.once('close', this.#onGone)
    if (this.method === 'GET' || this.method === 'HEAD') {
      this.#request.resume()
      this.#parts.handlers.onCall(this)
      return
    }
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#request.on('end', () => {
      if (this.#isEnded) return
      if (this.body !== null) this.body = Buffer.concat(this.#chunks)
      this.#drop()
      this.#parts.handlers.onCall(this)
    })
  }

  answer(status: number, body: string | Uint8Array, headers: HeaderList): void {
    if (this.#isEnded) return
    this.#end()
    const response = this.#response
    const fields = headers.flat()
    if (status !== 204) fields.push('Content-Length', String(Buffer.byteLength(body)))
    response.writeHead(status, fields)
    if (this.method === 'HEAD' || status === 204) response.end()
    else response.end(body)
  }

  #take(chunk: Buffer): void {
    if (this.#isEnded) return
    this.#bytes += chunk.byteLength
    if (this.#bytes > discardedBytesMax) this.#cutOff()
    else if (this.#bytes > bodyBytesMax) {
      this.#drop()
      this.body = null
    } else if (this.#parts.ledger.takeBytes(this.address, chunk.byteLength)) {
      this.#keptBytes += chunk.byteLength
      this.#chunks.push(chunk)
    } else this.#refuseBody()
  }

  /** A request whose body there is no room for, and its connection: the rest of it is not wanted. */
  #refuseBody(): void {
    const { body, status, headers } = noRoom
    this.#response.shouldKeepAlive = false
    this.answer(status, body, headers)
    this.#response.once('finish', () => this.#request.destroy())
  }

  #cutOff(): void {
    this.#end()
    this.#request.destroy()
  }

  #drop(): void {
    this.#chunks = []
    if (this.#keptBytes > 0) this.#parts.ledger.giveBytes(this.address, this.#keptBytes)
    this.#keptBytes = 0
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#request.socket.removeListener('close', this.#onGone)
    this.#drop()
    this.#parts.handlers.onCallEnd(this.address)
  }
}
