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

/** Timeouts and limits of a connection, from the stream configuration. */
export type SessionLimits = OutboxLimits &
  HeartbeatLimits &
  Pick<Config['stream'], 'queueAgeMillis' | 'writeTimeoutMillis' | 'idleMillis'>

/** Totals over all sessions of a thread, for the counters. */
export interface StreamTotals {
  opened: number
  slowCloses: number
  framesSent: number
  bytesSent: number
}

/** Reasons for closing a slow consumer. */
export const slowCauses = ['message_limit', 'byte_limit', 'message_age', 'write_timeout'] as const
type SlowCause = (typeof slowCauses)[number]
/** Close code and reason of a silent connection without subscriptions. */
export const idleClose = { code: closeCodes.policy, reason: 'idle' } as const

// One short write at a time: bytes handed to the socket can be neither reordered nor withdrawn.
const batchBytesMax = 64 * 1024

/**
 * One WebSocket: its identity, its subscriptions and its queued messages.
 *
 *   send ──► outbox ──► flush ──► socket buffer ──► kernel
 *            bounded    only when the buffer is empty, one batch at a time
 */
export class Session {
  readonly socket: StreamSocket
  /** Lower-case address, or '' while unidentified. */
  wallet = ''
  /** Read session that grants access to the wallet's private data; null: none. */
  read: ReadSession | null = null
  /** Subscriptions by `key`. */
  readonly subscriptions = new Map<string, Subscription>()
  /** Number of names in all filters. */
  symbolCount = 0
  commandsInFlight = 0
  /** Identifies the connection within this gateway to the engine. */
  readonly number: number
  /** Wallets whose orders are cancelled when this connection closes. */
  readonly bindings = new WalletBindings()
  readonly turnShare: TurnShare = { turn: 0, taken: 0 }
  /** Frames that were not a JSON object. */
  readonly unparsed = new MinuteCount(unparsedFramesMax)
  isClosed = false
  isDirty = false
  /** Continues an interrupted resume when the outbox is empty. */
  onRoom: (() => void) | null = null
  readonly outbox: Outbox
  readonly #limits: SessionLimits
  readonly #totals: StreamTotals
  readonly #heartbeat: Heartbeat
  #lastReceivedMillis: number
  /** Latest time at which the socket's buffer was empty or it was given a new batch. */
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
    this.#lastReceivedMillis = nowMillis
    this.#freeMillis = nowMillis
  }

  /** Queues a message. Closes the connection if this exceeds a limit. */
  send(bytes: Uint8Array, messageClass: MessageClass, key: string | null, nowMillis: number): void {
    if (this.isClosed) return
    const cause = this.outbox.push({ bytes, messageClass, key, queuedMillis: nowMillis })
    if (cause !== null) this.closeSlow(messageClass, cause)
  }

  /** Writes queued messages to the socket until its buffer is not empty. */
  flush(nowMillis: number): void {
    if (this.isClosed || this.socket.bufferedBytes() > 0) return
    // An answer within a frame's turn reaches the kernel after this call, so a stalled write goes unseen until then.
    this.#freeMillis = nowMillis
    this.onRoom?.()
    while (this.outbox.count > 0) {
      this.#writingClass = this.outbox.oldest()!.messageClass
      // A single message needs no cork.
      if (this.outbox.count === 1) this.#sendBatch()
      else this.socket.cork(this.#sendBatch)
      if (this.socket.bufferedBytes() > 0) return
      if (this.outbox.count === 0) this.onRoom?.()
    }
  }

  /** The kernel took bytes. Continues if it took all. */
  onDrain(nowMillis: number): void {
    this.flush(nowMillis)
  }

  /** Notes a frame from the client. */
  onReceived(nowMillis: number): void {
    this.#lastReceivedMillis = nowMillis
  }

  onPong(): void {
    this.#heartbeat.onPong()
  }

  /** Checks the timeouts: pings, missed pongs, old messages, stuck writes. */
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
    } else if (this.subscriptions.size === 0 && nowMillis - this.#lastReceivedMillis > idleMillis) {
      this.close(idleClose.code, idleClose.reason)
    }
  }

  /** Drops queued messages, then closes: nothing follows the close frame. */
  close(code: number, reason: string, isFlood = false): void {
    if (this.isClosed) return
    this.isClosed = true
    this.outbox.clear()
    this.socket.close(code, reason, isFlood)
  }

  /** Closes a consumer that does not keep up. */
  closeSlow(messageClass: MessageClass, cause: SlowCause): void {
    const recovery = recoveries[messageClass]
    this.#totals.slowCloses++
    // The specification fixes these bytes and their order.
    this.close(
      closeCodes.policy,
      JSON.stringify({ error: 'slow_consumer', class: messageClass, cause, recovery }),
    )
  }

  /** The socket has closed, from either side. */
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
