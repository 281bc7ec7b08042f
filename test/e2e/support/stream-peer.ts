import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientOptions, WebSocket } from 'ws'
import { messageFault, noteFrame } from '../../support/document-check.js'
import { MoveCheck } from './move-check.js'
import type { Venue, Wire } from './venue.js'

type Matcher = string | ((message: Wire) => boolean)

const answerMillisMax = 60_000
/** Longer than the venue's longest publishing interval. */
const publishMillisMax = 60

/** Opens connections for the tests of a file, each closed after its test. */
export function streamPeers(venue: Venue): (query?: string) => Promise<StreamPeer> {
  const peers: StreamPeer[] = []
  afterEach(() => {
    for (const peer of peers.splice(0)) peer.close()
  })
  return async (query = '') => {
    const peer = await StreamPeer.open(venue, query)
    peers.push(peer)
    return peer
  }
}

/** Connection to `/ws` that keeps every message in the order of its arrival. */
export class StreamPeer {
  readonly socket: WebSocket
  /** Every message so far, including those returned by `next`. */
  readonly messages: Wire[] = []
  readonly #handedOut = new Set<Wire>()
  /** First message that does not match the document; it fails the test. */
  #fault: string | null = null
  readonly #moves = new MoveCheck()
  readonly #looks = new Set<(isLast: boolean) => void>()
  /** Code and reason of the close frame, null while open. */
  closed: { code: number; reason: string } | null = null

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString())
      this.messages.push(message)
      this.#fault ??= messageFault(message) ?? this.#moves.fault(message)
      for (const look of this.#looks) look(false)
    })
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
      for (const look of this.#looks) look(true)
    })
    socket.on('error', () => {})
  }

  static async open(
    venue: Pick<Venue, 'streamUrl'>,
    query = '',
    options: ClientOptions = {},
  ): Promise<StreamPeer> {
    const socket = new WebSocket(`${venue.streamUrl}${query}`, options)
    const peer = new StreamPeer(socket)
    await once(socket, 'open')
    return peer
  }

  /** Sends text unchanged, anything else as JSON. */
  send(message: unknown): void {
    noteFrame(message)
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Returns the first matching message, by type or predicate, that it has not returned before. */
  async next(matcher: Matcher, millisMax = answerMillisMax): Promise<Wire> {
    const matches = typeof matcher === 'string' ? ofType(matcher) : matcher
    const find = () => this.messages.find((each) => !this.#handedOut.has(each) && matches(each))
    await this.until(`a message of ${matcher}`, () => find() !== undefined, millisMax)
    const found = find()
    this.#handedOut.add(found)
    return found
  }

  /**
   * Checks after each message until the condition holds.
   * @throws AssertionError that shows the latest messages
   */
  until(what: string, holds: () => boolean, millisMax = answerMillisMax): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (isLast: boolean) => {
        const isThere = holds() && this.#fault === null
        if (this.#fault === null && !isThere && !isLast && this.closed === null) return
        clearTimeout(timer)
        this.#looks.delete(look)
        const seen = JSON.stringify(this.messages.slice(-10))
        const end =
          this.closed === null ? `not within ${millisMax} ms` : JSON.stringify(this.closed)
        const message = this.#fault ?? `${what}: ${end}; last seen: ${seen}`
        if (isThere) resolve()
        else reject(new assert.AssertionError({ message }))
      }
      const timer = setTimeout(look, millisMax, true)
      this.#looks.add(look)
      look(false)
    })
  }

  /** Sends a frame and returns the next message of a type. */
  async ask(message: unknown, type: string): Promise<Wire> {
    this.send(message)
    return this.next(type)
  }

  /** Subscribes. For a portfolio it returns after the snapshot, so that later events come as messages of their own. */
  async subscribe(channel: string, filters: object = {}): Promise<Wire> {
    const answer = await this.ask({ type: 'Subscribe', channel, ...filters }, 'Subscribed')
    const hasSnapshot = () => this.messages.some(({ kind }) => kind === 'Initial')
    if (channel === 'portfolio') await this.until('a snapshot', hasSnapshot)
    return answer
  }

  /**
   * Waits before a test asserts that nothing came: for the answer to a later frame, and for the venue's publishing
   * timer. For messages that must come use `until`.
   */
  async settle(millis = publishMillisMax): Promise<void> {
    await sleep(millis)
    const nonce = `settle-${this.messages.length}-${performance.now()}`
    this.send({ type: 'ClockSync', nonce })
    await this.next((message) => message.type === 'ClockSynced' && message.nonce === nonce)
  }

  ofType(type: string): Wire[] {
    return this.messages.filter(ofType(type))
  }

  close(): void {
    this.socket.terminate()
    assert.equal(this.#fault, null)
  }
}

/** Sends a frame that must get an `Error` with these fields without closing the connection. */
export async function assertStreamError(
  peer: StreamPeer,
  frame: unknown,
  fields: object,
): Promise<Wire> {
  const error = await peer.ask(frame, 'Error')
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof RegExp) assert.match(String(error[name]), value, JSON.stringify(error))
    else assert.equal(error[name], value, JSON.stringify(error))
  }
  await peer.settle(0)
  assert.equal(peer.closed, null)
  return error
}

function ofType(type: string): (message: Wire) => boolean {
  return (message) => message.type === type
}
