import * as uws from 'uWebSockets.js'
import {
  App,
  type HttpRequest,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  us_socket_local_port,
  type WebSocket,
} from 'uWebSockets.js'
import { bodyBytesMax, quoteFrameBytesMax, streamFrameBytesMax } from '../../schemas/bounds.js'
import { ClientAddresses } from './client-address.js'
import { boundless, type ConnectionLedger } from './connection-ledger.js'
import { findPort } from './free-port.js'
import { RequestHead } from './request-head.js'
import { statusLine } from './status-line.js'
import { streamPaths } from './stream-paths.js'
import type { TransportOptions } from './transport-options.js'

export type HeaderList = readonly (readonly [name: string, value: string])[]

/** One HTTP request, its body complete, that waits for its one answer. */
export interface HttpCall {
  /** As received: methods are case-sensitive. */
  readonly method: string
  readonly path: string
  /** Without the question mark, still encoded. */
  readonly query: string
  /** `X-Request-Id`, or '' when there is none. */
  readonly requestId: string
  /** Header `Authorization`, or ''. */
  readonly authorization: string
  /** Header `Accept`, all of its headers as one list; '' without any. */
  readonly accept: string
  /** Header `Host`. */
  readonly host: string
  /** The client's 4 (IPv4) or 16 address bytes; behind a trusted proxy those that it told. */
  readonly address: Uint8Array
  /** Empty for GET and HEAD; null when it was larger than `bodyBytesMax`. */
  readonly body: Buffer | null
  /** Sends the answer, of a HEAD without its body; does nothing when the client has gone. */
  answer(status: number, body: string | Uint8Array, headers: HeaderList): void
}

/** Our end of one WebSocket. Every method does nothing once the socket is closed. */
export interface StreamSocket {
  /** The client's 4 (IPv4) or 16 address bytes; behind a trusted proxy those that it told. */
  readonly address: Uint8Array
  /** Bytes of a whole text message, never of shared memory. */
  send(message: Uint8Array): void
  /** Bytes handed over and not yet taken by the kernel. */
  bufferedBytes(): number
  ping(): void
  /** Sends the close frame behind what is buffered; `onClose` of the peer runs before this returns. */
  close(code: number, reason: string): void
  /** Packs all sends of `run` into few writes. */
  cork(run: () => void): void
}

/** What the transport tells about one WebSocket. */
export interface StreamPeer {
  /** Text of a frame; `data` is valid during the call only. */
  onMessage(data: Buffer, isBinary: boolean): void
  onPong(): void
  /** The kernel took some of what was buffered. */
  onDrain(): void
  onClose(): void
}

/** Why a client address may not have one more stream or request. */
export interface AddressRefusal {
  readonly status: number
  readonly body: string
  readonly headers: HeaderList
}

export interface TransportHandlers {
  onCall(call: HttpCall): void
  /**
   * Whether a new WebSocket of a client address is taken: null, or the answer to its upgrade. What is taken
   * here is given back by `onClose`.
   */
  refuseStream(address: Uint8Array): AddressRefusal | null
  /**
   * Whether a request of a client address is taken, asked when its headers are here: null, or its answer. What
   * is taken here is given back by `onCallEnd`, when it is answered or its connection has gone.
   */
  refuseCall(address: Uint8Array): AddressRefusal | null
  onCallEnd(address: Uint8Array): void
  /** @param query of the URL, still encoded. */
  onStream(socket: StreamSocket, query: string): StreamPeer
  /** A connection to the route of quote providers, where the transport has one. */
  onProvider?(socket: StreamSocket): StreamPeer
}

// A frame above so many times the specified size is cut off without a close frame: what lies between is closed with 1009
// by hand. The library keeps unfinished frames, so it bounds as well what one connection can make it keep.
const payloadFactor = 2
// A client that sends too large a body hears 413 once it has sent it; one that goes on is cut off.
const discardedBytesMax = 64 * bodyBytesMax
// Never reached: sessions write only when nothing is buffered, one batch or one large message at a time.
const backpressureBytesMax = 16 * 1024 * 1024
// Longer than ping and pong take; it clears away sockets that never read their close frame.
const idleSecondsMax = 240
const closeTooLarge = 1009
// Of the library.
const corkBufferBytes = 16 * 1024
const requestIdPattern = /^[\x20-\x7e]{1,64}$/
const noBody = Buffer.alloc(0)
const noProxies = new ClientAddresses([])
// The library's switch for its banner header, which knows no name: without it every answer says what served it.
const bannerOffKey = '999999990007'
hideBanner()

/**
 * The HTTP and WebSocket server of one thread. Several threads share one port: the kernel spreads new
 * connections over them.
 *
 * Requests of one connection are answered one after the other. A client that pipelines, that is sends the next
 * request before it has the answer to one that is still being made, is cut off without an answer; a write that
 * was cut off may be sent again as it was and is answered with its first outcome.
 *
 * The library closes connections without a request after ten seconds, and those whose body comes with less than 16 KiB
 * a second. It tells that one has ended, but of those without a request not whose it was.
 */
export class Transport {
  readonly #app: TemplatedApp
  readonly #ledger: ConnectionLedger
  readonly #clients: ClientAddresses
  /** The other end of a connection that is closed as soon as it was opened. */
  #refused: Uint8Array | null = null
  readonly #head = new RequestHead()
  /** The other end of the connection whose headers were read last. */
  #peer = new Uint8Array()
  #isClosed = false

  constructor(handlers: TransportHandlers, { clients, tls, ledger }: TransportOptions = {}) {
    this.#clients = clients ?? noProxies
    this.#ledger = ledger ?? boundless
    this.#app = tls ? SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile }) : App()
    this.#app.filter((response, change) => this.#count(response, change))
    const { onProvider } = handlers
    this.#serve(streamPaths.clients, streamFrameBytesMax, handlers, handlers.onStream)
    if (onProvider !== undefined) {
      this.#serve(streamPaths.providers, quoteFrameBytesMax, handlers, onProvider)
    }
    this.#app.any('/*', (response, request) => {
      const address = this.#clientOf(response, request)
      if (address === null) return
      const { host, accept } = this.#head
      const parts = { host, accept, address, peer: this.#peer, handlers, ledger: this.#ledger }
      takeCall(response, request, parts)
    })
  }

  #serve(
    path: string,
    frameBytesMax: number,
    handlers: Pick<TransportHandlers, 'refuseStream'>,
    onOpen: TransportHandlers['onStream'],
  ): void {
    this.#app.ws<StreamState>(path, {
      maxPayloadLength: payloadFactor * frameBytesMax,
      maxBackpressure: backpressureBytesMax,
      idleTimeout: idleSecondsMax,
      sendPingsAutomatically: false,
      upgrade: (response, request, context) => {
        const address = this.#clientOf(response, request)
        if (address === null) return
        const refusal = handlers.refuseStream(address)
        if (refusal !== null) {
          refuse(response, refusal)
          return
        }
        const query = request.getQuery() ?? ''
        const remote = this.#peer
        const state: StreamState = { query, address, remote, socket: null, peer: null }
        response.upgrade(
          state,
          request.getHeader('sec-websocket-key'),
          request.getHeader('sec-websocket-protocol'),
          request.getHeader('sec-websocket-extensions'),
          context,
        )
      },
      open: (ws) => {
        const state = ws.getUserData()
        state.socket = new UwsStreamSocket(ws, state.address)
        state.peer = onOpen(state.socket, state.query)
      },
      message: (ws, message, isBinary) => {
        if (message.byteLength > frameBytesMax) {
          ws.getUserData().socket?.close(closeTooLarge, 'frame too large')
        } else ws.getUserData().peer?.onMessage(Buffer.from(message), isBinary)
      },
      pong: (ws) => ws.getUserData().peer?.onPong(),
      drain: (ws) => ws.getUserData().peer?.onDrain(),
      close: (ws) => {
        const { socket, peer, remote } = ws.getUserData()
        socket?.onClosed()
        peer?.onClose()
        this.#ledger.ended(remote)
      },
    })
  }

  /**
   * Hears of every connection that is opened or, unless it has become a WebSocket, closed. When it is closed the library
   * knows its address no longer.
   */
  #count(response: HttpResponse, change: number): void {
    if (change < 0) {
      this.#ledger.ended(this.#refused)
      return
    }
    const peer = new Uint8Array(response.getRemoteAddress())
    if (this.#ledger.begin(peer)) return
    this.#refused = peer
    response.close()
    this.#refused = null
  }

  /** Reads the headers. @returns who sent them; null when they are unsound, which is answered then. */
  #clientOf(response: HttpResponse, request: HttpRequest): Uint8Array | null {
    const head = this.#head
    head.read(request)
    const fault = head.fault()
    if (fault !== null) {
      refuseAndClose(response, 400, 'invalid_request', fault)
      return null
    }
    this.#peer = new Uint8Array(response.getRemoteAddress())
    return this.#clients.clientOf(this.#peer, head.forwardedFor)
  }

  /**
   * Listens on a port, which all transports share that name it; of several threads it is `holdPort`'s. On 0 it gets one
   * that nobody else has, and nobody may share.
   * @throws Error when the address cannot be bound.
   */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#app.listen(host, port, (listening) => {
        if (listening) resolve(us_socket_local_port(listening))
        else reject(new Error(`cannot listen on ${host}:${port}`))
      })
    })
  }

  /** Closes every socket at once. Must run before the thread ends, else the process aborts at exit. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#app.close()
  }
}

/**
 * A port that nobody else gets until it is released, once or more often; its owner's transports may listen on it
 * meanwhile.
 */
export interface HeldPort {
  readonly port: number
  release(): void
}

/**
 * Finds out, once for all gateway threads, which port to share: the given one when nobody has it, or a free
 * one for 0. The threads listen with SO_REUSEPORT, which would also join a stranger's port of the same user; and they
 * listen late, when the engine is ready. So one that was free is held until then by a listener that nobody knows of:
 * else another process, asking for a free one meanwhile, could be given the same.
 * @throws Error (`EADDRINUSE` and others) when the port cannot be had.
 */
export async function holdPort(host: string, port: number): Promise<HeldPort> {
  const free = await findPort(host, port)
  if (port !== 0) return { port, release: () => {} }
  const holder = App()
  await new Promise<void>((resolve, reject) => {
    holder.listen(host, free, (listening) => {
      if (listening) resolve()
      else reject(new Error(`cannot listen on ${host}:${free}`))
    })
  })
  let isHeld = true
  const release = () => {
    if (isHeld) holder.close()
    isHeld = false
  }
  return { port: free, release }
}

interface StreamState {
  readonly query: string
  readonly address: Uint8Array
  /** The other end of the connection: the client's own address, or a proxy's. */
  readonly remote: Uint8Array
  socket: UwsStreamSocket | null
  peer: StreamPeer | null
}

/**
 * Answers what will not be read to its end, and closes: nothing behind it may be taken for a request. The library closes at
 * once behind an answer that does not fit its buffer of 16 KiB; else it would first go on with what came in the same
 * packet. So blanks, which JSON allows at its end, fill that up.
 */
function refuseAndClose(
  response: HttpResponse,
  status: number,
  code: string,
  message: string,
): void {
  const body = JSON.stringify({ code, message, error: code })
  response.cork(() => {
    response.writeStatus(statusLine(status)).writeHeader('Content-Type', 'application/json')
    response.end(body.padEnd(corkBufferBytes), true)
  })
}

function hideBanner(): void {
  const configure: unknown = Reflect.get(uws, '_cfg')
  if (typeof configure === 'function') configure(bannerOffKey)
}

function refuse(response: HttpResponse, { status, body, headers }: AddressRefusal): void {
  response.cork(() => {
    response.writeStatus(statusLine(status))
    for (const [name, value] of headers) response.writeHeader(name, value)
    response.end(body)
  })
}

/** The library throws when a closed socket is touched, so every call asks first. */
class UwsStreamSocket implements StreamSocket {
  readonly address: Uint8Array
  readonly #ws: WebSocket<StreamState>
  #isClosed = false

  constructor(ws: WebSocket<StreamState>, address: Uint8Array) {
    this.#ws = ws
    this.address = address
  }

  send(message: Uint8Array): void {
    if (!this.#isClosed) this.#ws.send(message, false)
  }

  bufferedBytes(): number {
    return this.#isClosed ? 0 : this.#ws.getBufferedAmount()
  }

  ping(): void {
    if (!this.#isClosed) this.#ws.ping()
  }

  close(code: number, reason: string): void {
    if (!this.#isClosed) this.#ws.end(code, reason)
  }

  cork(run: () => void): void {
    if (!this.#isClosed) this.#ws.cork(run)
  }

  onClosed(): void {
    this.#isClosed = true
  }
}

/** What a call has beside its own request. */
interface CallParts {
  readonly address: Uint8Array
  readonly peer: Uint8Array
  readonly host: string
  readonly accept: string
  readonly handlers: TransportHandlers
  readonly ledger: ConnectionLedger
}

class UwsCall implements HttpCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly requestId: string
  readonly authorization: string
  readonly accept: string
  readonly host: string
  readonly address: Uint8Array
  body: Buffer | null = noBody
  isGone = false
  /** Parts of a body that goes on, and the bytes that were taken for them. */
  parts: Buffer[] | null = null
  #keptBytes = 0
  readonly #response: HttpResponse
  readonly #parts: CallParts

  constructor(response: HttpResponse, request: HttpRequest, parts: CallParts) {
    const { address, host, accept, peer, ledger } = parts
    const requestId = request.getHeader('x-request-id')
    this.method = request.getCaseSensitiveMethod()
    this.path = request.getUrl()
    this.query = request.getQuery() ?? ''
    this.authorization = request.getHeader('authorization')
    this.accept = accept
    this.host = host
    this.requestId = requestIdPattern.test(requestId) ? requestId : ''
    this.address = address
    this.#response = response
    this.#parts = parts
    response.onAborted(() => {
      ledger.attribute(peer)
      this.#end()
    })
  }

  /** Keeps a part of a body; a copy: the chunk is taken away on return. @returns false when there is no room. */
  keep(chunk: ArrayBuffer): boolean {
    if (!this.#parts.ledger.takeBytes(this.address, chunk.byteLength)) return false
    this.#keptBytes += chunk.byteLength
    this.parts ??= []
    this.parts.push(Buffer.from(new Uint8Array(chunk)))
    return true
  }

  /** Gives up the parts kept. */
  drop(): void {
    this.parts = null
    if (this.#keptBytes > 0) this.#parts.ledger.giveBytes(this.address, this.#keptBytes)
    this.#keptBytes = 0
  }

  /** Ends a request whose body there is no room for, and its connection: the rest of it is not wanted. */
  refuseBody(): void {
    if (this.isGone) return
    this.#end()
    refuseAndClose(this.#response, 503, 'engine_busy', 'Too much is being uploaded, retry')
  }

  answer(status: number, body: string | Uint8Array, headers: HeaderList): void {
    if (this.isGone) return
    this.#end()
    const response = this.#response
    response.cork(() => {
      response.writeStatus(statusLine(status))
      for (const [name, value] of headers) response.writeHeader(name, value)
      // The length stands in a header of ours: told of one, the library waits for as many bytes, and hangs up on the
      // connection's next request.
      if (this.method === 'HEAD')
        response.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      if (this.method === 'HEAD' || status === 204) response.endWithoutBody()
      else response.end(body)
    })
  }

  /** Ends a request that cannot be read to its end. */
  cutOff(): void {
    if (this.isGone) return
    this.#end()
    this.#response.close()
  }

  #end(): void {
    if (this.isGone) return
    this.isGone = true
    this.drop()
    this.#parts.handlers.onCallEnd(this.address)
  }
}

function takeCall(response: HttpResponse, request: HttpRequest, parts: CallParts): void {
  const { address, handlers } = parts
  const refusal = handlers.refuseCall(address)
  if (refusal !== null) {
    refuse(response, refusal)
    return
  }
  const call = new UwsCall(response, request, parts)
  if (call.method === 'GET' || call.method === 'HEAD') {
    handlers.onCall(call)
    return
  }
  let bytes = 0
  response.onData((chunk, isLast) => {
    bytes += chunk.byteLength
    if (bytes > discardedBytesMax) call.cutOff()
    if (call.isGone) return
    if (bytes > bodyBytesMax) {
      call.drop()
      call.body = null
    } else if (isLast && call.parts === null) {
      call.body = Buffer.from(chunk) // a view, read before this handler returns
    } else if (!call.keep(chunk)) {
      call.refuseBody()
      return
    } else if (isLast) {
      call.body = Buffer.concat(call.parts!)
      call.drop()
    }
    if (isLast) handlers.onCall(call)
  })
}
