import { ProtocolError } from './client-error.js'
import type { Shape } from './generated/interface.js'
import { readMessage } from './read-message.js'
import type { StreamMessage } from './stream-types.js'

/** The part of the WebSocket API that browsers, Node 22 and the package `ws` have in common. */
interface WebSocketLike {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  addEventListener(type: string, listener: (event: SocketEvent) => void): void
  /** Only in `ws`: closes at once, reports the server's pings, sends its own. */
  terminate?(): void
  ping?(): void
  on?(type: 'ping' | 'pong', listener: () => void): void
}

interface SocketEvent {
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
}

/** WebSocket constructor, such as `globalThis.WebSocket`. */
export type WebSocketClass = new (url: string, options?: object) => WebSocketLike

/** Receives the events of a socket. */
export interface SocketListener {
  onOpen(): void
  onMessage(message: StreamMessage, text: string): void
  /** The received data is not a message of the exchange. The socket closes, and `onClose` follows. */
  onMisshapen(error: ProtocolError): void
  /** Ping or pong from the server. Only `ws` in Node reports them. */
  onSignal(): void
  /** Called once, as the last event. */
  onClose(code: number, reason: string): void
}

const openState = 1
const goneCode = 1006
const misshapenCode = 1007
let webSocketClass: Promise<WebSocketClass> | null = null

/**
 * One WebSocket on the current platform. Validates the shape of each message before it reaches the listener. An error
 * or a malformed message closes the socket, and no event follows its close.
 */
export class ClientSocket {
  readonly #listener: SocketListener
  readonly #shapes: Readonly<Record<string, Shape>>
  #socket: WebSocketLike | null = null
  #isEnded = false

  /**
   * @param shapes Shapes by message type. A message of any other type is not checked.
   */
  constructor(url: string, shapes: Readonly<Record<string, Shape>>, listener: SocketListener) {
    this.#listener = listener
    this.#shapes = shapes
    webSocketClass ??= findWebSocket()
    webSocketClass.then(
      (WebSocket) => this.#open(WebSocket, url),
      (error: unknown) => this.#end(goneCode, String(error)),
    )
  }

  get isOpen(): boolean {
    return !this.#isEnded && this.#socket?.readyState === openState
  }

  /** Sends if the socket is open, and drops the text otherwise. */
  send(text: string): void {
    if (this.isOpen) this.#socket!.send(text)
  }

  /**
   * @returns False if the socket is not open or the platform cannot send pings.
   */
  ping(): boolean {
    if (!this.isOpen || this.#socket!.ping === undefined) return false
    this.#socket!.ping()
    return true
  }

  close(code: number): void {
    if (this.#socket === null) this.#end(code, '')
    else this.#socket.close(code)
  }

  /** Closes without waiting for the peer. */
  terminate(code = goneCode, reason = 'given up'): void {
    const socket = this.#socket
    this.#end(code, reason)
    if (socket?.terminate) socket.terminate()
    else socket?.close()
  }

  #open(WebSocket: WebSocketClass, url: string): void {
    if (this.#isEnded) return
    const socket = new WebSocket(url)
    this.#socket = socket
    const addHandler = (type: string, listener: (event: SocketEvent) => void) =>
      socket.addEventListener(type, (event) => {
        if (!this.#isEnded) listener(event)
      })
    addHandler('open', () => this.#listener.onOpen())
    addHandler('message', ({ data }) => this.#take(data))
    addHandler('close', ({ code, reason }) => this.#end(code ?? goneCode, reason ?? ''))
    // Every error is followed by a close event, which ends the socket. `ws` throws an error that has no listener.
    addHandler('error', () => {})
    for (const type of ['ping', 'pong'] as const) {
      socket.on?.(type, () => {
        if (!this.#isEnded) this.#listener.onSignal()
      })
    }
  }

  #take(data: unknown): void {
    const message = readMessage(data, this.#shapes)
    if (message instanceof ProtocolError) {
      this.#listener.onMisshapen(message)
      this.terminate(misshapenCode, message.message)
    } else this.#listener.onMessage(message, data as string)
  }

  #end(code: number, reason: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#listener.onClose(code, reason)
  }
}

/** Returns the WebSocket URL. A `ws` URL is kept with its own path; an `http` URL gets `path`. */
export function socketUrl(url: string, path: string): string {
  if (url.startsWith('ws')) return url
  return url.replace(/^http/, 'ws').replace(/\/$/, '') + path
}

/**
 * Returns the class of `ws` in Node, because it reports pings and works in Node 20. Returns the platform's class
 * elsewhere.
 */
async function findWebSocket(): Promise<WebSocketClass> {
  // Deno and Bun also have a `process` with a Node version.
  const { node, deno, bun } = globalThis.process?.versions ?? {}
  if (node === undefined || deno !== undefined || bun !== undefined)
    return Reflect.get(globalThis, 'WebSocket') as WebSocketClass
  const { WebSocket } = await import('ws')
  return class extends WebSocket {
    constructor(url: string) {
      super(url, { perMessageDeflate: false, handshakeTimeout: handshakeMillisMax })
    }
  } as unknown as WebSocketClass
}

const handshakeMillisMax = 10_000
