import type * as Uws from 'uWebSockets.js'
import type { HttpRequest, HttpResponse, TemplatedApp, WebSocket } from 'uWebSockets.js'
import {
  bodyBytesMax,
  crowdedFrameBytesMax,
  keptFrameFactor,
  quoteFrameBytesMax,
  streamFrameBytesMax,
} from '../../schemas/bounds.js'
import { loadPinned } from '../native/load-pinned.js'
import { ClientAddresses } from './client-address.js'
import { closeCodes } from './close-codes.js'
import { boundless, type ConnectionLedger } from './connection-ledger.js'
import { findPort } from './free-port.js'
import { discardedBytesMax, malformed, noRoom, requestIdOf } from './refusal.js'
import { RequestHead } from './request-head.js'
import { statusLine } from './status-line.js'
import { streamPaths } from './stream-paths.js'
import type {
  AddressRefusal,
  HeaderList,
  HeldPort,
  HttpCall,
  StreamPeer,
  StreamSocket,
  Transport,
  TransportHandlers,
} from './transport.js'
import type { TransportOptions } from './transport-options.js'

// Never reached: sessions write only when nothing is buffered, one batch or one large message at a time.
const backpressureBytesMax = 16 * 1024 * 1024
// Longer than ping and pong take. Removes sockets that never read their close frame.
const idleSecondsMax = 240
// Matches every path of one segment, after the named paths.
const anyPath = '/:path'
// Size of the library's cork buffer.
const corkBufferBytes = 16 * 1024
// The limit of Node's server.
const headerBytesMax = 16 * 1024
const headerBytesVariable = 'UWS_HTTP_MAX_HEADERS_SIZE'
// The library buffers short answers that a client does not read, without notice. One answer per this many bytes checks.
const probeIntervalBytes = 1024 * 1024
const headBytesMax = 400
let shortBytes = 0
const noBody = Buffer.alloc(0)
const noProxies = new ClientAddresses([])
// The library's switch for its banner header, which has no name. Without it every answer names the server.
const bannerOffKey = '999999990007'

/**
 * @throws Error if the library has no binary that loads, or a modified one.
 */
export function loadNative(): typeof Uws {
  // The library reads it once, when it loads.
  process.env[headerBytesVariable] ??= String(headerBytesMax)
  const library = loadPinned<typeof Uws>('uWebSockets.js')
  const configure: unknown = Reflect.get(library, '_cfg')
  if (typeof configure === 'function') configure(bannerOffKey)
  return library
}

/**
 * Transport over uWebSockets.js. A client that pipelines, that is sends the next request before the answer to one in
 * progress, is disconnected without an answer. It may resend an interrupted write unchanged, and gets its first result.
 *
 * The library closes connections without a request after about thirty seconds, and those whose body arrives with less
 * than 16 KiB a second. It reports closed connections, but does not identify those without a
 * request.
 */
export class NativeTransport implements Transport {
  readonly #library: typeof Uws
  readonly #app: TemplatedApp
  readonly #ledger: ConnectionLedger
  readonly #clients: ClientAddresses
  /** Peer of a connection that is closed immediately after it was accepted. */
  #refused: Uint8Array | null = null
  readonly #head = new RequestHead()
  /** Peer of the connection whose headers were read last. */
  #peer = new Uint8Array()
  #isClosed = false

  constructor(
    library: typeof Uws,
    handlers: TransportHandlers,
    { clients, tls, ledger }: TransportOptions = {},
  ) {
    this.#library = library
    this.#clients = clients ?? noProxies
    this.#ledger = ledger ?? boundless
    const { App, SSLApp } = library
    this.#app = tls ? SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile }) : App()
    this.#app.filter((response, change) => this.#count(response, Number(change)))
    const { onStream, onProvider } = handlers
    const { clients: path, providers } = streamPaths
    const refuse = handlers.refuseStream
    if (onStream !== undefined) {
      // The library does not report unfinished frames and keeps their memory for the next, so each stream reserves
      // memory for one.
      const [frameBytesMax, isCounted] = [streamFrameBytesMax, true]
      this.#serve(path, { path, frameBytesMax, isCounted, refuse, onOpen: onStream })
      const crowded = { path, frameBytesMax: crowdedFrameBytesMax, isCounted: false }
      this.#serve(anyPath, { ...crowded, refuse, onOpen: onStream })
    }
    if (onProvider !== undefined) {
      const provider = { path: providers, frameBytesMax: quoteFrameBytesMax, isCounted: false }
      this.#serve(providers, { ...provider, refuse, onOpen: onProvider })
    }
    this.#app.any('/*', (response, request) => {
      const address = this.#clientOf(response, request)
      if (address === null) return
      const { host, accept, acceptEncoding } = this.#head
      const owners = { peer: this.#peer, handlers, ledger: this.#ledger }
      const parts = { host, accept, acceptEncoding, address, ...owners }
      takeCall(response, request, parts)
    })
  }

  /**
   * @param pattern Of the library's routes. A request for a path other than the route's passes on.
   */
  #serve(pattern: string, route: StreamRoute): void {
    const { frameBytesMax, onOpen } = route
    const keptBytes = keptFrameFactor * frameBytesMax
    this.#app.ws<StreamState>(pattern, {
      maxPayloadLength: keptBytes,
      maxBackpressure: backpressureBytesMax,
      idleTimeout: idleSecondsMax,
      sendPingsAutomatically: false,
      upgrade: (response, request, context) => {
        if (request.getUrl() !== route.path) {
          request.setYield(true)
          return
        }
        const address = this.#clientOf(response, request)
        if (address === null) return
        if (route.isCounted && !this.#ledger.takeFrame(address, keptBytes)) {
          request.setYield(true) // to the route of streams with small frames
          return
        }
        const refusal = route.refuse(address)
        if (refusal !== null) {
          if (route.isCounted) this.#ledger.giveBytes(address, keptBytes)
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
          ws.getUserData().socket?.close(closeCodes.tooLarge, 'frame too large')
        } else ws.getUserData().peer?.onMessage(Buffer.from(message), isBinary)
      },
      ping: (ws) => ws.getUserData().peer?.onPing?.(),
      pong: (ws) => ws.getUserData().peer?.onPong(),
      drain: (ws) => ws.getUserData().peer?.onDrain(),
      close: (ws) => {
        const { socket, peer, remote, address } = ws.getUserData()
        socket?.onClosed()
        peer?.onClose()
        if (route.isCounted) this.#ledger.giveBytes(address, keptBytes)
        this.#ledger.ended(remote)
      },
    })
  }

  /**
   * Counts every opened connection, and every closed one that has not become a WebSocket. The library no longer knows
   * the address of a closed connection.
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

  /** Reads the headers. @returns The client; null if they are malformed, after answering that. */
  #clientOf(response: HttpResponse, request: HttpRequest): Uint8Array | null {
    const head = this.#head
    head.read(request)
    const fault = head.fault()
    if (fault !== null) {
      refuseAndClose(response, malformed(fault))
      return null
    }
    this.#peer = new Uint8Array(response.getRemoteAddress())
    return this.#clients.clientOf(this.#peer, head.forwardedFor)
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#app.listen(host, port, (listening) => {
        if (listening) resolve(this.#library.us_socket_local_port(listening))
        else reject(new Error(`cannot listen on ${host}:${port}`))
      })
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#app.close()
  }
}

/**
 * Determines, once for all gateway threads, the port to share: the given one if it is free, or a free one for 0. The
 * threads listen with SO_REUSEPORT, which would also join another program's port of the same user; and they listen
 * late, when the engine is ready. So a placeholder listener holds the port until then. Otherwise another process could
 * get the same port in between, and one of the two would fail long after its start.
 * @throws Error (`EADDRINUSE` and others) if the port is not available.
 */
export async function holdNativePort(
  library: typeof Uws,
  host: string,
  port: number,
): Promise<HeldPort> {
  const free = await findPort(host, port)
  const holder = library.App()
  await new Promise<void>((resolve, reject) => {
    holder.listen(host, free, (listening) => {
      if (listening) resolve()
      else {
        const error = new Error(`cannot listen on ${host}:${free}`)
        reject(Object.assign(error, { code: 'EADDRINUSE' }))
      }
    })
  })
  let isHeld = true
  const release = () => {
    if (isHeld) holder.close()
    isHeld = false
  }
  return { port: free, release }
}

/** WebSockets of one path and one frame limit. */
interface StreamRoute {
  readonly path: string
  readonly frameBytesMax: number
  /** True if each reserves memory for its largest frame. */
  readonly isCounted: boolean
  readonly refuse: TransportHandlers['refuseStream']
  readonly onOpen: NonNullable<TransportHandlers['onStream']>
}

interface StreamState {
  readonly query: string
  readonly address: Uint8Array
  /** Peer of the connection: the client, or a proxy. */
  readonly remote: Uint8Array
  socket: UwsStreamSocket | null
  peer: StreamPeer | null
}

/**
 * Answers a request that will not be read completely, and closes the connection, so that nothing after it is taken for
 * a request. The library closes immediately only after an answer that exceeds its buffer of 16 KiB; otherwise it would
 * first process the rest of the packet. So trailing spaces, which JSON allows, fill that up.
 */
function refuseAndClose(response: HttpResponse, { status, body }: AddressRefusal): void {
  response.cork(() => {
    response.writeStatus(statusLine(status)).writeHeader('Content-Type', 'application/json')
    response.end(body.padEnd(corkBufferBytes), true)
  })
}

function refuse(response: HttpResponse, { status, body, headers }: AddressRefusal): void {
  response.cork(() => {
    writeHead(response, status, headers)
    response.end(body)
  })
}

function writeHead(response: HttpResponse, status: number, headers: HeaderList): void {
  response.writeStatus(statusLine(status))
  for (const [name, value] of headers) response.writeHeader(name, value)
}

/** Guards every call, because the library throws if a closed socket is used. */
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

  cutOff(): void {
    if (!this.#isClosed) this.#ws.close()
  }

  cork(run: () => void): void {
    if (!this.#isClosed) this.#ws.cork(run)
  }

  onClosed(): void {
    this.#isClosed = true
  }
}

/** Parts of a call in addition to its own request. */
interface CallParts {
  readonly address: Uint8Array
  readonly peer: Uint8Array
  readonly host: string
  readonly accept: string
  readonly acceptEncoding: string
  readonly handlers: TransportHandlers
  readonly ledger: ConnectionLedger
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** Pads a JSON text with spaces to the minimum length of `answerLong`. */
function paddedBytes(body: string | Uint8Array): Uint8Array {
  const bytes = bytesOf(body)
  const padding = Math.max(0, corkBufferBytes - bytes.length)
  return Buffer.concat([bytes, Buffer.alloc(padding, ' ')])
}

/** Returns true if spaces may follow the body, as after JSON that is not compressed. */
function isPaddable(headers: HeaderList): boolean {
  const isJson = ([name, value]: HeaderList[number]) =>
    name === 'Content-Type' && value === 'application/json'
  return headers.some(isJson) && !headers.some(([name]) => name === 'Content-Encoding')
}

/** Counts a short answer of the thread. @returns True if this one must check that its client reads. */
function isProbeDue(bodyBytes: number): boolean {
  shortBytes += bodyBytes + headBytesMax
  if (shortBytes < probeIntervalBytes) return false
  shortBytes = 0
  return true
}

class UwsCall implements HttpCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly requestId: string
  readonly authorization: string
  readonly accept: string
  readonly acceptEncoding: string
  readonly host: string
  readonly address: Uint8Array
  readonly connection = null
  body: Buffer | null = noBody
  /** True once it is answered, or its connection has closed. */
  isGone = false
  /** Received parts of an incomplete body. */
  parts: Buffer[] | null = null
  #keptBytes = 0
  #unreadBytes = 0
  #isEnded = false
  readonly #response: HttpResponse
  readonly #parts: CallParts

  constructor(response: HttpResponse, request: HttpRequest, parts: CallParts) {
    const { address, host, accept, acceptEncoding, peer, ledger } = parts
    this.method = request.getCaseSensitiveMethod()
    this.path = request.getUrl()
    this.query = request.getQuery() ?? ''
    this.authorization = request.getHeader('authorization')
    this.accept = accept
    this.acceptEncoding = acceptEncoding
    this.host = host
    this.requestId = requestIdOf(request.getHeader('x-request-id'))
    this.address = address
    this.#response = response
    this.#parts = parts
    response.onAborted(() => {
      ledger.attribute(peer)
      this.isGone = true
      this.#end()
    })
  }

  /**
   * Stores a copy of a body part, since the chunk is invalid after the callback. @returns False if there is no memory.
   */
  keep(chunk: ArrayBuffer): boolean {
    if (!this.#parts.ledger.takeBytes(this.address, chunk.byteLength)) return false
    this.#keptBytes += chunk.byteLength
    this.parts ??= []
    this.parts.push(Buffer.from(new Uint8Array(chunk)))
    return true
  }

  /** Frees the stored parts. */
  drop(): void {
    this.parts = null
    if (this.#keptBytes > 0) this.#parts.ledger.giveBytes(this.address, this.#keptBytes)
    this.#keptBytes = 0
  }

  /** Fails a request whose body does not fit into memory, and ends its connection without reading the rest. */
  refuseBody(): void {
    if (this.isGone) return
    this.isGone = true
    this.#end()
    refuseAndClose(this.#response, noRoom)
  }

  answer(status: number, body: string | Uint8Array, headers: HeaderList): void {
    if (this.isGone) return
    this.isGone = true
    const hasBody = this.method !== 'HEAD' && status !== 204
    if (hasBody && body.length >= corkBufferBytes) this.#answerLong(status, bytesOf(body), headers)
    else if (!isProbeDue(body.length)) this.#answerShort(status, body, headers)
    else if (hasBody && isPaddable(headers)) this.#answerLong(status, paddedBytes(body), headers)
    else this.#answerAndClose(status, hasBody ? body : '', headers)
  }

  /** Passes the whole answer to the library, which buffers what the kernel does not take. */
  #answerShort(status: number, body: string | Uint8Array, headers: HeaderList): void {
    this.#end()
    const response = this.#response
    response.cork(() => {
      writeHead(response, status, headers)
      // The length is in a separate header: if the library is given one, it waits for as many bytes, and drops the
      // connection at its next request.
      if (this.method === 'HEAD')
        response.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      if (this.method === 'HEAD' || status === 204) response.endWithoutBody()
      else response.end(body)
    })
  }

  /** Sends an answer that cannot check whether the client reads, and ends the connection. */
  #answerAndClose(status: number, body: string | Uint8Array, headers: HeaderList): void {
    this.#end()
    const response = this.#response
    response.cork(() => {
      writeHead(response, status, headers)
      response.end(body, true)
    })
  }

  /**
   * Sends the answer as the kernel takes it, from one copy. Until the client has read it, its next request ends the
   * connection. The library closes connections that take nothing for 10 s.
   * @param bytes More than the library packs, since only then it reports whether the kernel takes them.
   */
  #answerLong(status: number, bytes: Uint8Array, headers: HeaderList): void {
    const response = this.#response
    let isTaken = false
    const sendFrom = (offset: number) => {
      const [isAllTaken, isDone] = response.tryEnd(bytes.subarray(offset), bytes.length)
      isTaken = isAllTaken
      if (isDone) this.#end()
    }
    response.cork(() => {
      writeHead(response, status, headers)
      sendFrom(0)
    })
    if (this.#isEnded) return
    if (this.#parts.ledger.takeUnread(this.address, bytes.length)) {
      this.#unreadBytes = bytes.length
      response.onWritable((offset) => {
        response.cork(() => sendFrom(offset))
        return isTaken
      })
    } else response.close()
  }

  /** Drops a request that cannot be read completely. */
  cutOff(): void {
    if (this.isGone) return
    this.isGone = true
    this.#end()
    this.#response.close()
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.drop()
    if (this.#unreadBytes > 0) this.#parts.ledger.giveUnread(this.address, this.#unreadBytes)
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
