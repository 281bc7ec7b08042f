import { ProtocolError } from './client-error.js'
import type { Shape } from './generated/interface.js'
import { readMessage } from './read-message.js'
import type { StreamMessage } from './stream-types.js'

/** What is used of a WebSocket: the part that browsers, Node 22 and the package `ws` have alike. */
interface WebSocketLike {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  addEventListener(type: string, listener: (event: SocketEvent) => void): void
  /** Of `ws` alone: ends at once, shows pings of the server, sends its own. */
  terminate?(): void
  ping?(): void
  on?(type: 'ping' | 'pong', listener: () => void): void
}

interface SocketEvent {
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
}

/** A class of WebSockets, as `globalThis.WebSocket` is one. */
export type WebSocketClass = new (url: string, options?: object) => WebSocketLike

/** Hears what happens to a socket. */
export interface SocketListener {
  onOpen(): void
  onMessage(message: StreamMessage, text: string): void
  /** What came is no message of the exchange: the socket is given up, and its close comes next. */
  onMisshapen(error: ProtocolError): void
  /** A ping or pong of the server: only Node shows them. */
  onSignal(): void
  /** Comes once, and nothing behind it. */
  onClose(code: number, reason: string): void
}

const openState = 1
const goneCode = 1006
const misshapenCode = 1007
let chosen: Promise<WebSocketClass> | null = null

/**
 * One WebSocket of whatever platform this runs on. What comes through it has the shape of its type before anybody hears it;
 * an error is a close, and so is what has not: behind it nothing is heard any more.
 */
export class ClientSocket {
  readonly #listener: SocketListener
  readonly #shapes: Readonly<Record<string, Shape>>
  #socket: WebSocketLike | null = null
  #isEnded = false

  /** @param shapes of messages, by their types; others may have any. */
  constructor(url: string, shapes: Readonly<Record<string, Shape>>, listener: SocketListener) {
    this.#listener = listener
    this.#shapes = shapes
    chosen ??= findWebSocket()
    chosen.then(
      (WebSocket) => this.#open(WebSocket, url),
      (error: unknown) => this.#end(goneCode, String(error)),
    )
  }

  get isOpen(): boolean {
    return !this.#isEnded && this.#socket?.readyState === openState
  }

  /** Does nothing unless it is open. */
  send(text: string): void {
    if (this.isOpen) this.#socket!.send(text)
  }

  /** @returns false where the platform has no pings of its own. */
  ping(): boolean {
    if (!this.isOpen || this.#socket!.ping === undefined) return false
    this.#socket!.ping()
    return true
  }

  close(code: number): void {
    if (this.#socket === null) this.#end(code, '')
    else this.#socket.close(code)
  }

  /** Gives it up without waiting for the other end. */
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
    const hear = (type: string, listener: (event: SocketEvent) => void) =>
      socket.addEventListener(type, (event) => {
        if (!this.#isEnded) listener(event)
      })
    hear('open', () => this.#listener.onOpen())
    hear('message', ({ data }) => this.#take(data))
    hear('close', ({ code, reason }) => this.#end(code ?? goneCode, reason ?? ''))
    // Every error is followed by close, which does the work; without a listener it would be thrown.
    hear('error', () => {})
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

/** Where a WebSocket is opened. @param url of the exchange, whose path it is then, or its own. */
export function socketUrl(url: string, path: string): string {
  if (url.startsWith('ws')) return url
  return url.replace(/^http/, 'ws').replace(/\/$/, '') + path
}

/** Returns the class of `ws` in Node, since it shows pings and works in Node 20; elsewhere the class of the platform. */
async function findWebSocket(): Promise<WebSocketClass> {
  // Deno and Bun have a `process` with a version of Node too.
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
