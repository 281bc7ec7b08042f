import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Receives the answer to one request; status 0 if there is none. */
export type OnHttpAnswer = (status: number, body: string) => void

const headEnd = Buffer.from('\r\n\r\n')
const lengthPattern = /\r\ncontent-length: *(\d+)/i
const statusAt = 'HTTP/1.1 '.length
// A server may close an idle connection just as it is used. Sending a signed write again is safe, as it is idempotent.
const triesMax = 3

interface Request {
  readonly bytes: Uint8Array
  readonly onAnswer: OnHttpAnswer
  tries: number
}

/** Keep-alive HTTP/1.1 connection with at most one request in flight. Requests are pre-built bytes. */
class HttpConnection {
  readonly #socket: Socket
  readonly #onFree: (connection: HttpConnection) => void
  #received: Buffer = Buffer.alloc(0)
  /** Request in flight. The pool takes it over when the connection is lost. */
  request: Request | null = null
  #answered: Request | null = null
  hasConnected = false
  isClosed = false

  /** @param onFree called when the request is answered, or the connection is lost. */
  constructor(url: URL, onFree: (connection: HttpConnection) => void) {
    this.#onFree = onFree
    const isTls = url.protocol === 'https:'
    const port = Number(url.port) || (isTls ? 443 : 80)
    const options = { host: url.hostname, port, noDelay: true }
    this.#socket = isTls ? connectTls({ ...options, servername: url.hostname }) : connect(options)
    this.#socket.on('connect', () => {
      this.hasConnected = true
    })
    this.#socket.on('data', (chunk) => this.#onData(chunk))
    this.#socket.on('error', () => {}) // 'close' follows
    this.#socket.on('close', () => {
      this.isClosed = true
      onFree(this)
    })
  }

  send(request: Request): void {
    request.tries++
    this.request = request
    this.#socket.write(request.bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  #onData(chunk: Buffer): void {
    const isFirst = this.#received.length === 0
    this.#received = isFirst ? chunk : Buffer.concat([this.#received, chunk])
    const wasFree = this.request === null
    while (this.#takeAnswer());
    if (!wasFree && this.request === null) this.#onFree(this)
  }

  /** @returns false if no complete answer has arrived. */
  #takeAnswer(): boolean {
    const bodyAt = this.#received.indexOf(headEnd) + headEnd.length
    if (bodyAt < headEnd.length) return false
    const head = this.#received.toString('latin1', 0, bodyAt)
    const length = lengthPattern.exec(head)
    if (length === null) {
      this.#socket.destroy() // without Content-Length the end of the answer is unknown
      return false
    }
    const end = bodyAt + Number(length[1])
    if (this.#received.length < end) return false
    const body = this.#received.toString('utf8', bodyAt, end)
    this.#received = this.#received.subarray(end)
    const status = Number(head.slice(statusAt, statusAt + 3))
    const { request } = this
    // An unexpected answer is a second one to the previous request, which is reported to its caller.
    if (request === null) {
      this.#answered?.onAnswer(status, body)
      return true
    }
    this.request = null
    this.#answered = request
    request.onAnswer(status, body)
    return true
  }
}

/**
 * Pool of keep-alive connections. A request takes a free connection, or waits in FIFO order for the next one: HTTP/1.1 has
 * one request in flight per connection. Lost connections are opened again.
 */
export class HttpPool {
  readonly #url: URL
  readonly #free: HttpConnection[] = []
  readonly #all = new Set<HttpConnection>()
  #waiting: Request[] = []
  #waitingAt = 0
  #isClosed = false

  constructor(url: string, connections: number) {
    this.#url = new URL(url)
    for (let i = 0; i < connections; i++) this.#open()
  }

  send(bytes: Uint8Array, onAnswer: OnHttpAnswer): void {
    this.#give({ bytes, onAnswer, tries: 0 })
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#all) connection.close()
  }

  #give(request: Request): void {
    const connection = this.#free.pop()
    if (connection !== undefined) connection.send(request)
    else if (this.#all.size === 0) request.onAnswer(0, 'no connection')
    else this.#waiting.push(request)
  }

  #open(): void {
    const connection = new HttpConnection(this.#url, this.#onFree)
    this.#all.add(connection)
    this.#onFree(connection)
  }

  readonly #onFree = (connection: HttpConnection): void => {
    if (connection.isClosed) {
      this.#onLost(connection)
      return
    }
    const next = this.#nextWaiting()
    if (next === undefined) this.#free.push(connection)
    else connection.send(next)
  }

  #onLost(connection: HttpConnection): void {
    if (!this.#all.delete(connection)) return
    const place = this.#free.indexOf(connection)
    if (place >= 0) this.#free.splice(place, 1)
    // Reopens only connections that had connected, to not hammer a venue that accepts none.
    if (connection.hasConnected && !this.#isClosed) this.#open()
    const { request } = connection
    connection.request = null
    if (request !== null) {
      if (request.tries < triesMax && !this.#isClosed) this.#give(request)
      else request.onAnswer(0, 'connection lost')
    }
    if (this.#all.size > 0) return
    for (let next = this.#nextWaiting(); next !== undefined; next = this.#nextWaiting()) {
      next.onAnswer(0, 'no connection')
    }
  }

  #nextWaiting(): Request | undefined {
    const next = this.#waiting[this.#waitingAt]
    if (next === undefined) {
      this.#waiting = []
      this.#waitingAt = 0
    } else this.#waitingAt++
    return next
  }
}
