import { readFileSync } from 'node:fs'
import {
  createServer,
  IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type ListenOptions,
  Socket,
} from 'node:net'
import type { Duplex, Writable } from 'node:stream'
import { type ServerOptions as SocketOptions, type WebSocket, WebSocketServer } from 'ws'
import {
  bodyBytesMax,
  crowdedFrameBytesMax,
  keptFrameFactor,
  quoteFrameBytesMax,
  streamFrameBytesMax,
} from '../../schemas/bounds.js'
import { addressBytesOf, ClientAddresses } from './client-address.js'
import { closeCodes } from './close-codes.js'
import { boundless, type ConnectionLedger } from './connection-ledger.js'
import { findPort } from './free-port.js'
import {
  awaitEnd,
  destroyLater,
  hasParser,
  NodeCall,
  type Pipeline,
  skipBody,
  stopReading,
  targetOf,
} from './node-call.js'
import { discardedBytesMax, headersTooLarge, malformed } from './refusal.js'
import { RequestHead } from './request-head.js'
import {
  duplicateListener,
  hasDescriptors,
  keepListener,
  offerListener,
  withdrawListener,
} from './shared-listener.js'
import { statusLine } from './status-line.js'
import { streamPaths } from './stream-paths.js'
import type {
  AddressRefusal,
  HeldPort,
  StreamPeer,
  StreamSocket,
  Transport,
  TransportHandlers,
} from './transport.js'
import type { TransportOptions } from './transport-options.js'

/** The idle timeout of the native library. */
const idleMillisMax = 10_000
/**
 * Time for which a client that has ended its sending side may wait for its answer. It may also have closed the
 * connection.
 */
const halfOpenMillisMax = 10_000
/** Timeout of a whole request, including its body. */
const requestMillisMax = 60_000
const timeoutLookMillis = 1000
/** Timeout for the answer to a close frame, during which the connection keeps its memory. */
const closeMillisMax = 15_000
// Packets of one unfinished message. Each costs the library about 300 bytes, so all of them cost at most 600 kB.
const packetsMax = 2048
const crowdedPacketsMax = 256
/** Maximum fragments of one message. */
const fragmentsMax = 256
/** Unanswered requests of one connection; one more ends it. */
const pipelinedMax = 20
/** A body may have `partsMin` parts and one for each `partBytes`. A part costs a callback and may be a single byte. */
const [partsMin, partBytes] = [64, 128]
const noProxies = new ClientAddresses([])
const nothing = new Uint8Array(0)
/** Address of a connection that is already closed. */
const nowhere = new Uint8Array(4)
const keyPattern = /^[+/0-9A-Za-z]{22}==$/
const versionPattern = /^(8|13)$/

const serverOptions: ServerOptions = {
  headersTimeout: idleMillisMax,
  keepAliveTimeout: idleMillisMax,
  requestTimeout: requestMillisMax,
  connectionsCheckingInterval: timeoutLookMillis,
  // `RequestHead` checks for missing and duplicate headers.
  requireHostHeader: false,
}

/** True if several threads of a process can listen on one port. */
export function sharesPorts(nodeVersion: string, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' || reusesPorts(nodeVersion)
}

/** True if Node can set `SO_REUSEPORT`. */
export function reusesPorts(nodeVersion: string): boolean {
  const [major, minor] = nodeVersion.split('.').map(Number) as [number, number]
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
}

/**
 * Transport over Node's own HTTP server and the `ws` package, for machines where no native binary loads. Answers
 * pipelined requests in order, and ends a connection with more than `pipelinedMax` unanswered ones.
 */
export class NodeTransport implements Transport {
  readonly #handlers: TransportHandlers
  readonly #ledger: ConnectionLedger
  readonly #clients: ClientAddresses
  readonly #server: Server
  readonly #head = new RequestHead()
  readonly #streams = new Map<string, NodeStreams>()
  /** Client streams opened when there is no memory left for large frames. */
  #crowded: NodeStreams | null = null
  readonly #sockets = new Set<Duplex>()
  /** Pipelines by the socket of their requests, which under TLS is not the accepted socket. */
  readonly #pipelines = new WeakMap<Duplex, Pipeline>()
  /** Answers to requests that offer an upgrade. */
  readonly #offering = new WeakMap<IncomingMessage, ServerResponse>()
  #isClosed = false

  constructor(handlers: TransportHandlers, { clients, tls, ledger }: TransportOptions = {}) {
    this.#handlers = handlers
    this.#clients = clients ?? noProxies
    this.#ledger = ledger ?? boundless
    const { onStream, onProvider } = handlers
    if (onStream !== undefined) {
      const onOpen: StreamOpener = (socket, query) => onStream.call(handlers, socket, query)
      this.#streams.set(streamPaths.clients, new NodeStreams(streamFrameBytesMax, onOpen))
      this.#crowded = new NodeStreams(crowdedFrameBytesMax, onOpen, crowdedPacketsMax)
    }
    if (onProvider !== undefined) {
      const onOpen: StreamOpener = (socket) => onProvider.call(handlers, socket)
      this.#streams.set(streamPaths.providers, new NodeStreams(quoteFrameBytesMax, onOpen))
    }
    const options = {
      ...serverOptions,
      IncomingMessage: requestClass((request) => this.#isStream(request)),
    }
    this.#server = tls
      ? createTlsServer({
          ...options,
          cert: readFileSync(tls.certFile),
          key: readFileSync(tls.keyFile),
        })
      : createServer(options)
    // Otherwise Node ends the connection when the client ends its sending side, before the answer.
    Object.assign(this.#server, { httpAllowHalfOpen: true })
    this.#server
      .on('connection', (socket: Duplex & { remoteAddress?: string | undefined }) =>
        this.#begin(socket),
      )
      .on('request', (request, response) => this.#take(request, response))
      .on('checkContinue', (request, response) => {
        response.writeContinue()
        this.#take(request, response)
      })
      .on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
      .on('connect', (_, socket) => refuseRaw(socket, malformed('CONNECT is not supported')))
      .on('clientError', (error: NodeJS.ErrnoException, socket) => {
        // There is no request yet, so the client would match an answer with its next one.
        if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroy()
        // The client would match the answer with an earlier request.
        else if (this.#isAwaited(socket)) stopReading(socket)
        else if (error.code === 'HPE_HEADER_OVERFLOW') refuseRaw(socket, headersTooLarge)
        else refuseRaw(socket, malformed('Malformed request'))
      })
  }

  async listen(host: string, port: number): Promise<number> {
    const listening = await listenOn(this.#server, host, port)
    // A gateway may stop while its thread waits for a duplicate of the socket.
    if (this.#isClosed) this.#server.close()
    return listening
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    for (const streams of this.#streams.values()) streams.close()
    this.#crowded?.close()
  }

  #begin(socket: Duplex & { remoteAddress?: string | undefined }): void {
    if (this.#sockets.has(socket)) return // it continues after an ignored offer
    const peer = peerOf(socket)
    this.#sockets.add(socket)
    const isTaken = this.#ledger.begin(peer)
    socket.on('error', () => {}) // its close follows
    socket.setMaxListeners(0) // each request of a pipeline has one
    let ending: NodeJS.Timeout | undefined
    socket.once('end', () => {
      ending = setTimeout(() => socket.destroy(), halfOpenMillisMax)
    })
    socket.once('close', () => {
      clearTimeout(ending)
      this.#sockets.delete(socket)
      this.#ledger.ended(peer)
    })
    if (!isTaken) socket.destroy()
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.upgrade !== undefined) this.#offering.set(request, response)
    const { socket } = request
    const pipeline = this.#pipelines.get(socket) ?? { underWay: 0 }
    this.#pipelines.set(socket, pipeline)
    if (socket.destroyed || pipeline.underWay >= pipelinedMax) {
      stopReading(socket)
      return
    }
    const address = this.#clientOf(request)
    if (typeof address === 'string') {
      pipeline.underWay = pipelinedMax // the connection gets no further answer
      response.shouldKeepAlive = false
      refuse(response, malformed(address))
      stopReading(socket)
      return
    }
    const refusal = this.#handlers.refuseCall(address)
    if (refusal !== null) {
      refuse(response, refusal)
      return
    }
    const { host, accept, acceptEncoding } = this.#head
    const owners = { handlers: this.#handlers, ledger: this.#ledger, pipeline }
    const parts = { host, accept, acceptEncoding, address, ...owners }
    new NodeCall(request, response, parts).begin()
  }

  /** True if requests of a connection have no answer yet. */
  #isAwaited(socket: Duplex): boolean {
    return (this.#pipelines.get(socket)?.underWay ?? 0) > 0
  }

  #isStream({ method, url, headers }: IncomingMessage): boolean {
    const isOffered = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
    return isOffered && this.#streams.has(targetOf(url!).path)
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!this.#isStream(request)) {
      this.#continue(request, socket, head)
      return
    }
    const { path, query } = targetOf(request.url!)
    const streams = this.#streams.get(path)!
    const address = isHandshake(request) ? this.#clientOf(request) : 'No WebSocket handshake'
    if (typeof address === 'string') {
      refuseRaw(socket, malformed(address))
      return
    }
    if (!socket.readable || !socket.writable) return // otherwise nothing would return what is taken now
    const refusal = this.#handlers.refuseStream(address)
    if (refusal !== null) refuseRaw(socket, refusal)
    else this.#withRoom(streams, address, socket).open(request, socket, head, { address, query })
  }

  /** Reserves memory for the largest frame of a client's stream, or selects the small limit if there is none. */
  #withRoom(streams: NodeStreams, address: Uint8Array, socket: Duplex): NodeStreams {
    if (streams !== this.#streams.get(streamPaths.clients)) return streams
    const bytes = streams.keptBytes
    if (!this.#ledger.takeFrame(address, bytes)) return this.#crowded!
    socket.once('close', () => this.#ledger.giveBytes(address, bytes))
    return streams
  }

  /** Continues to serve a connection after an ignored upgrade offer and its answer, as a new one. */
  #continue(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const serve = () => {
      if (!socket.writable) return
      if (socket instanceof Socket) socket.setTimeout(0) // timeout of the previous idle phase
      if (head.length > 0) socket.unshift(head)
      const event = this.#server instanceof TlsServer ? 'secureConnection' : 'connection'
      this.#server.emit(event, socket)
    }
    const response = this.#offering.get(request)
    if (response?.writableFinished) serve()
    else response?.once('finish', serve)
  }

  /** Returns the client address of a request, or the fault of its headers. */
  #clientOf({ rawHeaders, socket }: IncomingMessage): Uint8Array | string {
    this.#head.read({
      forEach: (take) => {
        for (let i = 0; i < rawHeaders.length; i += 2) {
          take(rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!)
        }
      },
    })
    return this.#head.fault() ?? this.#clients.clientOf(peerOf(socket), this.#head.forwardedFor)
  }
}

/**
 * Requests of a server that upgrades streams only. Node's parser sets `upgrade` for every offer, and reads it when the
 * request has all its headers. False makes Node ignore the offer and read the body. Node reads `upgrade` again after each
 * packet, and drops what follows the request in its last packet. True gets it those bytes then, as an upgrade.
 *
 * A body of too many parts or bytes ends its connection. The server reads a body above the limit slowly.
 */
function requestClass(isStream: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage {
    #isOffered = false
    #parts = 0
    #bytes = 0
    #isStopped = false

    get upgrade(): boolean {
      return this.#isOffered && (this.method === 'CONNECT' || this.complete || isStream(this))
    }

    set upgrade(isOffered: boolean | null) {
      // The base class sets it before this class has its fields.
      if (isOffered !== null) this.#isOffered = isOffered
    }

    override push(part: Buffer | null): boolean {
      if (part === null) return super.push(part)
      if (this.#isStopped) return this.#skip()
      this.#parts++
      this.#bytes += part.byteLength
      const hasUse = this.method !== 'GET' && this.method !== 'HEAD'
      const bytesMax = hasUse ? discardedBytesMax : bodyBytesMax
      if (this.#bytes > bytesMax || this.#parts > partsMin + this.#bytes / partBytes) {
        this.#isStopped = true
        stopReading(this.socket)
        return this.#skip()
      }
      const mayGoOn = super.push(part)
      if (this.#bytes > bodyBytesMax) this.#goOnLater()
      return mayGoOn
    }

    /** Replaces a method after which Node no longer calls `push` for the rest of an answered request. */
    _dump(): void {
      this.removeAllListeners('data').resume()
    }

    #skip(): boolean {
      this.socket.pause()
      skipBody(this.socket)
      return true
    }

    #goOnLater(): void {
      if (this.isPaused()) return
      this.pause()
      setImmediate(() => this.resume())
    }
  }
}

type StreamOpener = (socket: StreamSocket, query: string) => StreamPeer

/** Adds options that the library's types lack. */
interface BoundedOptions extends SocketOptions {
  readonly maxFragments: number
  readonly maxBufferedChunks: number
  readonly closeTimeout: number
}

/** WebSockets of one path. */
class NodeStreams {
  /** Maximum bytes of an unfinished frame per socket. */
  readonly keptBytes: number
  readonly #frameBytesMax: number
  readonly #onOpen: StreamOpener
  readonly #server: WebSocketServer

  constructor(frameBytesMax: number, onOpen: StreamOpener, packets = packetsMax) {
    this.#frameBytesMax = frameBytesMax
    this.keptBytes = keptFrameFactor * frameBytesMax
    this.#onOpen = onOpen
    const options: BoundedOptions = {
      noServer: true,
      // The library closes larger ones itself, as soon as the frame's header shows the length.
      maxPayload: this.keptBytes,
      maxFragments: fragmentsMax,
      maxBufferedChunks: packets,
      autoPong: false,
      closeTimeout: closeMillisMax,
      perMessageDeflate: false,
    }
    this.#server = new WebSocketServer(options)
  }

  open(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { address, query }: { readonly address: Uint8Array; readonly query: string },
  ): void {
    // Synchronous, because the handshake has been checked.
    this.#server.handleUpgrade(request, socket, head, (ws) => {
      const stream = new NodeStreamSocket(ws, socket, address)
      stream.attach(this.#onOpen(stream, query), this.#frameBytesMax)
    })
  }

  close(): void {
    this.#server.close()
  }
}

/** Server side of one `ws` WebSocket. */
class NodeStreamSocket implements StreamSocket {
  readonly address: Uint8Array
  readonly #ws: WebSocket
  readonly #socket: Duplex
  #peer: StreamPeer | null = null
  #isClosed = false
  /** True after `bufferedBytes` reported bytes, until the drain is reported. */
  #isAwaited = false
  /** Payload of the latest ping without a pong. */
  #pingPayload: Buffer | null = null

  constructor(ws: WebSocket, socket: Duplex, address: Uint8Array) {
    this.#ws = ws
    this.#socket = socket
    this.address = address
  }

  /** Starts to deliver events to the peer. */
  attach(peer: StreamPeer, frameBytesMax: number): void {
    this.#peer = peer
    this.#ws
      .on('message', (data: Buffer, isBinary) => {
        if (this.#isClosed) return
        if (data.byteLength > frameBytesMax) this.close(closeCodes.tooLarge, 'frame too large')
        else peer.onMessage(data, isBinary)
      })
      .on('ping', (payload: Buffer) => {
        if (this.#isClosed) return
        this.#pongLater(payload)
        peer.onPing?.()
      })
      .on('pong', () => {
        if (!this.#isClosed) peer.onPong()
      })
      .on('close', () => this.#end())
      .on('error', () => {
        // The library has sent a close frame. It resumes the socket in the next tick, and ends it when the frame is out.
        this.#socket.end = () => this.#socket
        process.nextTick(() => this.#shun())
        this.#end()
      })
    // The library has answered the client's close frame. Without this it keeps reading while the client sends.
    this.#receiver?.on('conclude', () => {
      awaitEnd(this.#socket)
      this.#end()
    })
  }

  get #receiver(): Writable | null | undefined {
    return (this.#ws as unknown as { _receiver?: Writable | null })._receiver
  }

  send(message: Uint8Array): void {
    if (!this.#isClosed) this.#ws.send(message, { binary: false })
  }

  /**
   * Returns the buffered bytes, and reports when they have drained: `drain` of the socket needs a full high-water mark.
   */
  bufferedBytes(): number {
    if (this.#isClosed) return 0
    const bytes = this.#ws.bufferedAmount
    if (bytes > 0 && !this.#isAwaited && this.#socket.writable) {
      this.#isAwaited = true
      // An empty write completes after everything before it.
      this.#socket.write(nothing, this.#onTaken)
    }
    return bytes
  }

  ping(): void {
    if (!this.#isClosed) this.#ws.ping()
  }

  close(code: number, reason: string, isFlood = false): void {
    if (this.#isClosed) return
    this.#ws.close(code, reason)
    this.#end()
    this.#ignoreFrames()
    if (isFlood) this.#shun()
    // A slow reader may still read the close frame: the library destroys the socket after `closeMillisMax`.
    else this.#socket.on('data', () => this.#socket.pause()).end()
  }

  hold(isHeld: boolean): void {
    if (this.#isClosed) return
    if (isHeld) this.#ws.pause()
    else this.#ws.resume()
    this.#setSynchronous(!isHeld)
  }

  /**
   * The package would otherwise read frames until the client answers, for half a minute, and deliver those received.
   */
  #ignoreFrames(): void {
    const receiver = this.#receiver
    if (receiver) Object.assign(receiver, { _loop: false, startLoop: (done: () => void) => done() })
    this.#socket.removeAllListeners('data')
  }

  #shun(): void {
    this.#ws.pause()
    destroyLater(this.#socket)
  }

  /** One pong per turn of the event loop answers the latest ping, as RFC 6455 5.5.3 allows. */
  #pongLater(payload: Buffer): void {
    if (this.#pingPayload === null) setImmediate(this.#pong)
    this.#pingPayload = payload
  }

  readonly #pong = (): void => {
    const payload = this.#pingPayload!
    this.#pingPayload = null
    if (!this.#isClosed) this.#ws.pong(payload)
  }

  /** Delivers frames already read one per turn of the event loop, or all at once, the default of the package. */
  #setSynchronous(isSynchronous: boolean): void {
    const receiver = this.#receiver
    if (receiver) Reflect.set(receiver, '_allowSynchronousEvents', isSynchronous)
  }

  cutOff(): void {
    if (this.#isClosed) return
    this.#ws.terminate()
    this.#end()
  }

  cork(run: () => void): void {
    if (this.#isClosed) return
    this.#socket.cork()
    try {
      run()
    } finally {
      this.#socket.uncork()
    }
  }

  readonly #onTaken = (): void => {
    this.#isAwaited = false
    if (!this.#isClosed) this.#peer?.onDrain()
  }

  #end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#peer?.onClose()
  }
}

/**
 * Holds a port for the threads that will listen on it, until it is released. Where threads cannot share a listening socket,
 * it only checks that the port is free.
 * @throws Error (`EADDRINUSE` and others) if the port is not available.
 */
export async function holdNodePort(host: string, port: number): Promise<HeldPort> {
  const free = await findPort(host, port)
  const canReuse = reusesPorts(process.versions.node)
  if (!canReuse && !hasDescriptors) return { port: free, release: () => {} }
  const holder = createTcpServer((socket) => socket.destroy())
  await listenOn(holder, host, free)
  if (!canReuse) offerListener(holder, free)
  const release = () => {
    if (!canReuse) withdrawListener(free)
    holder.close()
  }
  return { port: free, release }
}

type AnyServer = Server | ReturnType<typeof createTcpServer>

async function listenOn(server: AnyServer, host: string, port: number): Promise<number> {
  const canReuse = port !== 0 && reusesPorts(process.versions.node)
  const shared = canReuse ? null : await duplicateListener(port)
  const listening = await new Promise<number>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      const error = new Error(`cannot listen on ${host}:${port}: ${cause.code}`, { cause })
      reject(Object.assign(error, { code: cause.code }))
    }
    const onListening = () => {
      server.removeListener('error', fail)
      resolve((server.address() as AddressInfo).port)
    }
    server.once('error', fail)
    const options: ListenOptions & { reusePort?: boolean } = { host, port, exclusive: true }
    if (canReuse) options.reusePort = true
    if (shared === null) server.listen(options, onListening)
    else server.listen(shared, onListening)
  })
  if (!canReuse && hasDescriptors) keepListener(server, listening)
  return listening
}

function isHandshake({ headers }: IncomingMessage): boolean {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version = '' } = headers
  return keyPattern.test(key) && versionPattern.test(String(version))
}

function peerOf({ remoteAddress }: Duplex & { remoteAddress?: string | undefined }): Uint8Array {
  return (remoteAddress === undefined ? null : addressBytesOf(remoteAddress)) ?? nowhere
}

function refuse(response: ServerResponse, { status, body, headers }: AddressRefusal): void {
  response.writeHead(status, [...headers.flat(), 'Content-Length', String(Buffer.byteLength(body))])
  response.end(body)
}

/** Writes an answer to a socket without a response object, and ends the connection. */
function refuseRaw(socket: Duplex, { status, body, headers }: AddressRefusal): void {
  if (!socket.writable) return
  const lines = [
    `HTTP/1.1 ${statusLine(status)}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  if (hasParser(socket)) stopReading(socket)
  else awaitEnd(socket)
}
