import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { bodyBytesMax } from '../../schemas/bounds.js'
import type { ConnectionLedger } from './connection-ledger.js'
import { noRoom, requestIdOf } from './refusal.js'
import type { HeaderList, HttpCall, TransportHandlers } from './transport.js'

/** Minimum progress of a body per `bodyLookMillis`; a slower one is cut off. */
const bodyBytesMin = 160 * 1024
const progressMillis = 10_000
/** Time without progress after which a client that does not read its answer is cut off. */
const unreadMillisMax = 10_000
/** Time for which a connection that sent too much still counts for its address. */
const floodPauseMillis = 3000
/** Result that makes Node's parser treat what follows as another protocol. */
const skipRest = 2

/** Unanswered requests of one connection. */
export interface Pipeline {
  underWay: number
}

/** Parts of a call in addition to its own request. */
interface CallParts {
  readonly pipeline: Pipeline
  readonly address: Uint8Array
  readonly host: string
  readonly accept: string
  readonly acceptEncoding: string
  readonly handlers: TransportHandlers
  readonly ledger: ConnectionLedger
}

const absolutePattern = /^https?:\/\/([^/?#]*)/i

interface Target {
  readonly path: string
  readonly query: string
  /** Host of an absolute target, which replaces the `Host` header (RFC 9112 3.2.2); null for every other target. */
  readonly host: string | null
}

/** Splits a request's target. */
export function targetOf(text: string): Target {
  const absolute = text.startsWith('/') ? null : absolutePattern.exec(text)
  const host = absolute === null ? null : absolute[1]!
  const local = absolute === null ? text : text.slice(absolute[0].length)
  const mark = local.indexOf('?')
  const path = mark < 0 ? local : local.slice(0, mark)
  const query = mark < 0 ? '' : local.slice(mark + 1)
  return { path: path === '' ? '/' : path, query, host }
}

/**
 * Reads nothing more from a connection that sends too much, and destroys it after a while. Until then it counts for its
 * address, so that a client cannot flood one new connection after another.
 */
export function destroyLater(socket: Duplex): void {
  socket.pause()
  limitLife(socket)
}

/** Waits for the client to close a connection that has ended for us, and stops reading if the client sends more. */
export function awaitEnd(socket: Duplex): void {
  socket.on('data', () => socket.pause()).resume()
  limitLife(socket)
}

function limitLife(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), floodPauseMillis)
  socket.once('close', () => clearTimeout(timer))
}

/** The part of Node's HTTP parser that is used. */
interface HttpParser {
  onIncoming?: unknown
}

export function hasParser(socket: Duplex): boolean {
  return Boolean((socket as { parser?: HttpParser | null }).parser)
}

/**
 * Ends a connection of Node's HTTP server. The parser has more requests in the bytes already read; the answer "skip the
 * rest" keeps it from making them. An earlier answer of the connection may resume the socket.
 */
export function stopReading(socket: Duplex): void {
  const { parser } = socket as { parser?: HttpParser | null }
  if (parser) {
    parser.onIncoming = () => {
      socket.pause()
      return skipRest
    }
  }
  destroyLater(socket)
}

/** Makes Node's parser drop the rest of a body in the bytes already read. Otherwise it calls back for each part. */
export function skipBody(socket: Duplex): void {
  const { parser } = socket as { parser?: Record<string, unknown> | null }
  if (!parser) return
  const key = Object.keys(parser).find((name) => nameOf(parser[name]) === 'parserOnBody')
  if (key === undefined) return
  const onBody = parser[key]
  parser[key] = null
  // Node gives a parser to one connection after another, and each reads for the first time in a later turn.
  setImmediate(() => {
    parser[key] = onBody
  })
}

function nameOf(value: unknown): string {
  return typeof value === 'function' ? value.name : ''
}

/** Request to Node's server. */
export class NodeCall implements HttpCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly requestId: string
  readonly authorization: string
  readonly accept: string
  readonly acceptEncoding: string
  readonly host: string
  readonly address: Uint8Array
  readonly connection: object
  body: Buffer | null = Buffer.alloc(0)
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #parts: CallParts
  #chunks: Buffer[] = []
  #bytes = 0
  #keptBytes = 0
  #unreadBytes = 0
  #checkedBytes = 0
  #progressTimer: NodeJS.Timeout | undefined
  #isAnswered = false
  #isEnded = false
  readonly #onGone = () => this.#end()

  constructor(request: IncomingMessage, response: ServerResponse, parts: CallParts) {
    const { headers, method } = request
    this.method = method!
    const { path, query, host } = targetOf(request.url!)
    this.path = path
    this.query = query
    this.requestId = requestIdOf(String(headers['x-request-id'] ?? ''))
    this.authorization = headers.authorization ?? ''
    this.accept = parts.accept
    this.acceptEncoding = parts.acceptEncoding
    this.host = host ?? parts.host
    this.address = parts.address
    this.connection = parts.pipeline
    this.#request = request
    this.#response = response
    this.#parts = parts
  }

  /** Reads the body, and passes the call on. */
  begin(): void {
    this.#parts.pipeline.underWay++
    // Listens on the socket, because a response queued after another gets no event.
    this.#request.socket.once('close', this.#onGone)
    if (this.method === 'GET' || this.method === 'HEAD') {
      this.#request.resume()
      this.#parts.handlers.onCall(this)
      return
    }
    this.#progressTimer = setInterval(() => this.#checkProgress(), progressMillis)
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#request.on('end', () => {
      clearInterval(this.#progressTimer)
      if (this.#isAnswered || this.#isEnded) return
      if (this.body !== null) this.body = Buffer.concat(this.#chunks)
      this.#drop()
      this.#parts.handlers.onCall(this)
    })
  }

  answer(status: number, body: string | Uint8Array, headers: HeaderList): void {
    if (this.#isAnswered || this.#isEnded) return
    this.#isAnswered = true
    clearInterval(this.#progressTimer)
    this.#drop()
    const response = this.#response
    const fields = headers.flat()
    if (status !== 204) fields.push('Content-Length', String(Buffer.byteLength(body)))
    response.writeHead(status, fields)
    if (this.method === 'HEAD' || status === 204) response.end()
    else response.end(body)
    if (response.writableLength > 0) this.#waitForReader(response.writableLength)
    else this.#end()
  }

  /** Counts an answer until the kernel has taken it or its connection ends. */
  #waitForReader(bytes: number): void {
    const { socket } = this.#request
    if (!this.#parts.ledger.takeUnread(this.address, bytes)) {
      socket.destroy()
      return
    }
    this.#unreadBytes = bytes
    // Each part that the kernel takes restarts this time, and the server sets its own after the last.
    socket.setTimeout(unreadMillisMax)
    this.#response.once('finish', () => this.#end())
  }

  #checkProgress(): void {
    if (this.#bytes - this.#checkedBytes < bodyBytesMin) this.cutOff()
    this.#checkedBytes = this.#bytes
  }

  #take(chunk: Buffer): void {
    if (this.#isAnswered || this.#isEnded) return
    this.#bytes += chunk.byteLength
    if (this.#bytes > bodyBytesMax) {
      this.#drop()
      this.body = null
    } else if (this.#parts.ledger.takeBytes(this.address, chunk.byteLength)) {
      this.#keptBytes += chunk.byteLength
      this.#chunks.push(chunk)
    } else this.#refuseBody()
  }

  /** Fails a request whose body does not fit into memory, and ends its connection without reading the rest. */
  #refuseBody(): void {
    const { body, status, headers } = noRoom
    this.#response.shouldKeepAlive = false
    this.answer(status, body, headers)
    this.#response.once('finish', () => this.#request.destroy())
  }

  cutOff(): void {
    this.#end()
    stopReading(this.#request.socket)
  }

  #drop(): void {
    this.#chunks = []
    if (this.#keptBytes > 0) this.#parts.ledger.giveBytes(this.address, this.#keptBytes)
    this.#keptBytes = 0
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearInterval(this.#progressTimer)
    this.#parts.pipeline.underWay--
    this.#request.socket.removeListener('close', this.#onGone)
    this.#drop()
    if (this.#unreadBytes > 0) this.#parts.ledger.giveUnread(this.address, this.#unreadBytes)
    this.#parts.handlers.onCallEnd(this.address)
  }
}
