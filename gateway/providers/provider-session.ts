import type { Config } from '../config/config-schema.js'
import { type FloodCause, type FloodCloses, unparsedFramesMax } from '../limits/flood-close.js'
import { MinuteCount } from '../limits/minute-count.js'
import { closeCodes } from '../transport/close-codes.js'
import type { StreamSocket } from '../transport/transport.js'
import { Heartbeat, type HeartbeatLimits, pongMissed } from '../ws/heartbeat.js'
import { Outbox } from '../ws/outbox.js'
import { authFailedMessage, authReasons } from './provider-messages.js'

/** Timeouts and limits of a provider's connection. */
export type ProviderLimits = Config['quotes'] & HeartbeatLimits

/** Phases of a session: no handshake yet, handshake sent to the engine, authenticated, closed. */
export type ProviderPhase = 'silent' | 'asked' | 'open' | 'closed'

const batchBytesMax = 64 * 1024
/** Close frame of a provider whose queue exceeds `quotes.queueBytes`. */
export const queueClose = {
  code: closeCodes.tryLater,
  reason: 'outbound queue above its limit',
} as const

/**
 * One WebSocket of a quote provider. Only a queue above `quotes.queueBytes` closes it for slowness. Sends nothing, not
 * even a ping, before the answer to the handshake.
 */
export class ProviderSession {
  readonly socket: StreamSocket
  /** Identifies the session within this gateway to the engine. */
  readonly number: number
  /** Lower-case address; '' until authenticated. */
  wallet = ''
  phase: ProviderPhase = 'silent'
  /** Frames received before the answer to the handshake. */
  early: Buffer[] = []
  earlyBytes = 0
  waitingFrames = 0
  waitingBytes = 0
  /** Quotes and declines that the core has not decided yet. */
  responsesInFlight = 0
  /** Frames that were not a JSON object. */
  readonly unparsed = new MinuteCount(unparsedFramesMax)
  readonly #limits: ProviderLimits
  readonly #outbox: Outbox
  readonly #openedMillis: number
  readonly #floods: FloodCloses
  #heartbeat: Heartbeat | null = null

  constructor(
    socket: StreamSocket,
    number: number,
    limits: ProviderLimits,
    nowMillis: number,
    floods: FloodCloses,
  ) {
    this.#floods = floods
    this.socket = socket
    this.number = number
    this.#limits = limits
    this.#outbox = new Outbox({
      queueMessages: Number.POSITIVE_INFINITY,
      queueBytes: limits.queueBytes,
    })
    this.#openedMillis = nowMillis
  }

  get isClosed(): boolean {
    return this.phase === 'closed'
  }

  /** Marks the handshake as successful. */
  open(wallet: string, nowMillis: number): void {
    this.wallet = wallet
    this.phase = 'open'
    this.#heartbeat = new Heartbeat(this.socket, this.#limits, nowMillis)
  }

  /** Sends a message, or queues it. */
  send(bytes: Uint8Array, nowMillis: number): void {
    if (this.isClosed) return
    const messageClass = 'command_result'
    const broken = this.#outbox.push({ bytes, messageClass, key: null, queuedMillis: nowMillis })
    if (broken === null) this.flush()
    else this.close(queueClose.code, queueClose.reason)
  }

  /** Writes queued messages to the socket until its buffer is not empty. */
  flush(): void {
    while (!this.isClosed && this.#outbox.count > 0 && this.socket.bufferedBytes() === 0) {
      this.socket.cork(this.#sendBatch)
    }
  }

  onPong(): void {
    this.#heartbeat?.onPong()
  }

  /** Closes after a failed handshake, or when its authorization has ended. */
  refuse(reason: string): void {
    if (this.isClosed) return
    this.#outbox.clear()
    this.socket.send(authFailedMessage(reason))
    this.close(closeCodes.policy, reason)
  }

  /** Closes without a close frame, to make room for other connections. Only before the handshake. */
  cutOff(): void {
    if (this.isClosed) return
    this.onClosed()
    this.socket.cutOff()
  }

  onFlood(cause: FloodCause): void {
    this.#floods.close(this, cause)
  }

  tick(nowMillis: number): void {
    const isLate = nowMillis - this.#openedMillis >= this.#limits.authTimeoutMillis
    if (this.phase === 'silent' && isLate) this.refuse(authReasons.timeout)
    else if (this.#heartbeat?.isMissed(nowMillis) === true) {
      this.close(pongMissed.code, pongMissed.reason)
    }
  }

  /** Drops queued messages, then closes. */
  close(code: number, reason: string, isFlood = false): void {
    if (this.isClosed) return
    this.onClosed()
    this.socket.close(code, reason, isFlood)
  }

  /** The socket has closed, from either side. */
  onClosed(): void {
    this.phase = 'closed'
    this.#heartbeat = null
    this.early = []
    this.#outbox.clear()
  }

  readonly #sendBatch = (): void => {
    let bytes = 0
    while (bytes < batchBytesMax) {
      const message = this.#outbox.shift()
      if (message === null) return
      bytes += message.bytes.length
      this.socket.send(message.bytes)
    }
  }
}
