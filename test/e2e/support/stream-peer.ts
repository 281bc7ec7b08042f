import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { JudgeVenue, Wire } from './judge-venue.js'

type Matcher = string | ((message: Wire) => boolean)

/** One connection to `/ws` that keeps every message in the order of its arrival. */
export class StreamPeer {
  readonly socket: WebSocket
  /** Every message so far; those handed out by `next` stay. */
  readonly messages: Wire[] = []
  readonly #handedOut = new Set<number>()
  /** Code and reason of the close frame, null while open. */
  closed: { code: number; reason: string } | null = null

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.messages.push(JSON.parse(data.toString())))
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }))
    socket.on('error', () => {})
  }

  static async open(venue: JudgeVenue, query = ''): Promise<StreamPeer> {
    const socket = new WebSocket(`${venue.publicUrl.replace('http', 'ws')}/ws${query}`)
    const peer = new StreamPeer(socket)
    await once(socket, 'open')
    return peer
  }

  /** Sends text as it is, anything else as JSON. */
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The first message not handed out yet that matches; of a type, or of a predicate. */
  async next(matcher: Matcher, millisMax = 5000): Promise<Wire> {
    const matches = typeof matcher === 'string' ? ofType(matcher) : matcher
    const endMillis = performance.now() + millisMax
    for (;;) {
      for (let index = 0; index < this.messages.length; index++) {
        if (this.#handedOut.has(index) || !matches(this.messages[index])) continue
        this.#handedOut.add(index)
        return this.messages[index]
      }
      if (performance.now() > endMillis) break
      await sleep(5)
    }
    const seen = JSON.stringify(this.messages.slice(-10))
    assert.fail(`no message matched ${matcher} within ${millisMax} ms; last seen: ${seen}`)
  }

  /** Sends a frame and returns the next message of a type. */
  async ask(message: unknown, type: string): Promise<Wire> {
    this.send(message)
    return this.next(type)
  }

  subscribe(channel: string, filters: object = {}): Promise<Wire> {
    return this.ask({ type: 'Subscribe', channel, ...filters }, 'Subscribed')
  }

  /**
   * Everything that was on its way: after the answer to a later frame, and a short wait for what the
   * venue publishes on a timer.
   */
  async settle(millis = 60): Promise<void> {
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
  }
}

/** Sends a frame that must be answered by an `Error` with these fields, the connection staying. */
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
