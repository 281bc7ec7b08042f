import { type MessageClass, recoveries } from '../../schemas/interface/channels.js'
import type { ReadSession } from '../admission/read-session.js'
import type { Config } from '../config/config-schema.js'
import { unparsedFramesMax } from '../limits/flood-close.js'
import { MinuteCount } from '../limits/minute-count.js'
import type { TurnShare } from '../limits/turn-budget.js'
import { closeCodes } from '../transport/close-codes.js'
import type { StreamSocket } from '../transport/transport.js'
import { Heartbeat, type HeartbeatLimits, pongMissed } from './heartbeat.js'
import { Outbox, type OutboxLimits } from './outbox.js'
import type { Subscription } from './subscriptions.js'
import { WalletBindings } from './wallet-bindings.js'

/** Times and sizes of a connection's life: parameters of the stream. */
export type SessionLimits = OutboxLimits &
  HeartbeatLimits &
  Pick<Config['stream'], 'queueAgeMillis' | 'writeTimeoutMillis' | 'idleMillis'>

/** What the sessions of a thread have done together, for the counters. */
export interface StreamTotals {
  opened: number
  slowCloses: number
  framesSent: number
  bytesSent: number
}

/** What ends a consumer that does not keep up. */
export const slowCauses = ['message_limit', 'byte_limit', 'message_age', 'write_timeout'] as const
type SlowCause = (typeof slowCauses)[number]
/** How a connection without subscriptions ends that says nothing. */
export const idleClose = { code: closeCodes.policy, reason: 'idle' } as const

// One write at a time, and a short one: what is handed over can neither overtake nor be taken back.
const batchBytesMax = 64 * 1024

/**
 * One WebSocket: who it is, what it subscribed to, and what waits to be sent.
 *
 *   send ──► outbox ──► flush ──► socket buffer ──► kernel
 *            bounded    only when the buffer is empty, one batch at a time
 */
export class Session {
  readonly socket: StreamSocket
  /** Lower-case address, or '' while unidentified. */
  wallet = ''
  /** By which it has shown that it may know what is private of the wallet; null: it has shown none. */
  read: ReadSession | null = null
  /** By `key`. */
  readonly subscriptions = new Map<string, Subscription>()
  /** Names in all filters. */
  symbolCount = 0
  commandsInFlight = 0
  /** By which the engine tells the connections of this gateway apart. */
  readonly number: number
  /** Wallets whose orders end with it. */
  readonly bindings = new WalletBindings()
  readonly turnShare: TurnShare = { turn: 0, taken: 0 }
  /** Frames that were no JSON object. */
  readonly unparsed = new MinuteCount(unparsedFramesMax)
  isClosed = false
  isDirty = false
  /** Who has more to say than may wait at once goes on when nothing waits any more. */
  onRoom: (() => void) | null = null
  readonly outbox: Outbox
  readonly #limits: SessionLimits
  readonly #totals: StreamTotals
  readonly #heartbeat: Heartbeat
  #heardMillis: number
  /** Latest time at which the socket held no bytes or was given a new batch. */
  #freeMillis: number
  #writingClass: MessageClass = 'command_result'

  constructor(
    socket: StreamSocket,
    limits: SessionLimits,
    totals: StreamTotals,
    nowMillis: number,
    number = 0,
  ) {
    this.socket = socket
    this.number = number
    this.outbox = new Outbox(limits)
    this.#limits = limits
    this.#totals = totals
    this.#heartbeat = new Heartbeat(socket, limits, nowMillis)
    this.#heardMillis = nowMillis
    this.#freeMillis = nowMillis
  }

  /** Queues a whole message. A consumer that is too slow for it is closed. */
  send(bytes: Uint8Array, messageClass: MessageClass, key: string | null, nowMillis: number): void {
    if (this.isClosed) return
    const cause = this.outbox.push({ bytes, messageClass, key, queuedMillis: nowMillis })
    if (cause !== null) this.closeSlow(messageClass, cause)
  }

  /** Hands queued messages to the socket until it holds some that the kernel does not take. */
  flush(nowMillis: number): void {
    if (this.isClosed || this.socket.bufferedBytes() > 0) return
    // An answer within a frame's turn reaches the kernel after this call, so the write may stall unseen from here on.
    this.#freeMillis = nowMillis
    this.onRoom?.()
    while (this.outbox.count > 0) {
      this.#writingClass = this.outbox.oldest()!.messageClass
      // A single message is one write without being packed.
      if (this.outbox.count === 1) this.#sendBatch()
      else this.socket.cork(this.#sendBatch)
      if (this.socket.bufferedBytes() > 0) return
      if (this.outbox.count === 0) this.onRoom?.()
    }
  }

  /** The kernel took bytes: goes on when it took all. */
  onDrain(nowMillis: number): void {
    this.flush(nowMillis)
  }

  /** The client has sent a frame. */
  onHeard(nowMillis: number): void {
    this.#heardMillis = nowMillis
  }

  onPong(): void {
    this.#heartbeat.onPong()
  }

  /** Looks at the clock: pings, missed pongs, old messages, stuck writes. */
  tick(nowMillis: number): void {
    if (this.isClosed) return
    const { queueAgeMillis, writeTimeoutMillis, idleMillis } = this.#limits
    const oldest = this.outbox.oldest()
    if (oldest !== null && nowMillis - oldest.queuedMillis > queueAgeMillis) {
      this.closeSlow(oldest.messageClass, 'message_age')
    } else if (this.#isStuck(nowMillis, writeTimeoutMillis)) {
      this.closeSlow(this.#writingClass, 'write_timeout')
    } else if (this.#heartbeat.isMissed(nowMillis)) {
      this.close(pongMissed.code, pongMissed.reason)
    } else if (this.subscriptions.size === 0 && nowMillis - this.#heardMillis > idleMillis) {
      this.close(idleClose.code, idleClose.reason)
    }
  }

  /** Drops what waits, then closes: nothing follows the close frame. */
  close(code: number, reason: string, isFlood = false): void {
    if (this.isClosed) return
    this.isClosed = true
    this.outbox.clear()
    this.socket.close(code, reason, isFlood)
  }

  /** Ends a consumer that does not keep up. */
  closeSlow(messageClass: MessageClass, cause: SlowCause): void {
    const recovery = recoveries[messageClass]
    this.#totals.slowCloses++
    // These bytes in this order are specified.
    this.close(
      closeCodes.policy,
      JSON.stringify({ error: 'slow_consumer', class: messageClass, cause, recovery }),
    )
  }

  /** The socket is gone, whoever closed it. */
  onClosed(): void {
    this.isClosed = true
    this.outbox.clear()
  }

  /** Checks whether one write has waited for the kernel longer than the limit. Later messages wait in the outbox. */
  #isStuck(nowMillis: number, millisMax: number): boolean {
    if (this.socket.bufferedBytes() === 0) this.#freeMillis = nowMillis
    return nowMillis - this.#freeMillis > millisMax
  }

  readonly #sendBatch = (): void => {
    let bytes = 0
    while (bytes < batchBytesMax) {
      const message = this.outbox.shift()
      if (message === null) return
      bytes += message.bytes.length
      this.#totals.framesSent++
      this.#totals.bytesSent += message.bytes.length
      this.socket.send(message.bytes)
    }
  }
}
