import type { InstrumentNames } from '../link/instrument-names.js'
import type { LevelBooks } from '../read-model/views/level-book.js'
import type { Audience } from './audience.js'
import { orderbookMessage } from './messages.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'

/** Dependencies of the channel. */
export interface BookChannelParts {
  readonly audience: Audience<Session>
  readonly names: InstrumentNames
  readonly books: LevelBooks
  /** Levels per side of a message. */
  readonly depth: number
  /** Minimum time between two messages of one symbol. */
  readonly intervalMillis: number
  readonly nowMillis: () => number
  readonly deliver: (session: Session, bytes: Uint8Array) => void
  /** Flushes messages that were delivered outside a run of events. */
  readonly flush: () => void
}

const stepIsComplete = -1

/**
 * The `orderbook` channel. Sends all levels, immediately after a change, then at most once per symbol and interval. The
 * last state is always sent. A message never shows a book in the middle of an engine step.
 */
export class BookChannel {
  readonly #parts: BookChannelParts
  /** Instruments with unsent changes. */
  readonly #changed = new Set<number>()
  readonly #sentMillis: number[] = []
  #timer: NodeJS.Timeout | null = null
  /** Step in which the last run of events ended, or `stepIsComplete`. */
  #openSeq = stepIsComplete
  /**
   * Highest sequence sent. One symbol's message may be delayed while another's later change is sent, and `seq` never
   * falls.
   */
  #sentSeq = 0
  /** Subscriptions during an open step, whose snapshot would show half of it. */
  readonly #pendingSnapshots = new Map<Subscription, Session>()

  constructor(parts: BookChannelParts) {
    this.#parts = parts
  }

  onChange(instrument: number): void {
    this.#changed.add(instrument)
  }

  onRunEnd(isStepComplete: boolean, lastSeq: number): void {
    this.#openSeq = isStepComplete ? stepIsComplete : lastSeq
    if (this.#changed.size > 0) this.#publish()
    if (!isStepComplete) return
    for (const [subscription, session] of this.#pendingSnapshots) {
      if (session.subscriptions.has(subscription.key)) {
        this.sendSnapshot(session, subscription, lastSeq)
      }
    }
    this.#pendingSnapshots.clear()
  }

  /**
   * Sends every matching book that has levels, once no engine step is open. Sends an empty book if it ever had levels,
   * because the client may still show them from an earlier subscription. Without a filter, omits expired options.
   */
  sendSnapshot(session: Session, subscription: Subscription, asOfSeq: number): void {
    if (this.#openSeq !== stepIsComplete) {
      this.#pendingSnapshots.set(subscription, session)
      return
    }
    const { names, books, depth, nowMillis, deliver } = this.#parts
    const { symbols } = subscription
    const nowSeconds = nowMillis() / 1000
    this.#sentSeq = Math.max(this.#sentSeq, asOfSeq)
    for (let instrument = 0; ; instrument++) {
      const name = names.instrument(instrument)
      if (name === undefined) return
      const book = books.of(instrument)
      if (symbols !== null && !symbols.has(name.symbol)) continue
      const isEmpty = book.count(0) + book.count(1) === 0
      const hasExpired = name.expirySeconds > 0 && name.expirySeconds <= nowSeconds
      if (isEmpty && (book.seq === 0 || (hasExpired && symbols === null))) continue
      deliver(session, orderbookMessage(name.symbol, book, depth, this.#sentSeq, true))
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#changed.clear()
    this.#pendingSnapshots.clear()
  }

  #publish(): void {
    const { names, books, audience, intervalMillis, nowMillis } = this.#parts
    const now = nowMillis()
    for (const instrument of this.#changed) {
      const symbol = names.instrument(instrument)?.symbol ?? ''
      const hasSubscriber = audience.hears(symbol)
      const isInsideStep = books.of(instrument).seq === this.#openSeq
      const isEarly = now - (this.#sentMillis[instrument] ?? 0) < intervalMillis
      if (hasSubscriber && (isInsideStep || isEarly)) continue
      this.#changed.delete(instrument)
      if (hasSubscriber) this.#send(instrument, symbol, now)
    }
    if (this.#changed.size > 0) this.#timer ??= setTimeout(this.#onTimer, intervalMillis)
  }

  #send(instrument: number, symbol: string, now: number): void {
    const { books, audience, depth, deliver } = this.#parts
    const book = books.of(instrument)
    this.#sentMillis[instrument] = now
    this.#sentSeq = Math.max(this.#sentSeq, book.seq)
    const bytes = orderbookMessage(symbol, book, depth, this.#sentSeq, false)
    audience.visit(symbol, (session) => deliver(session, bytes))
  }

  readonly #onTimer = (): void => {
    this.#timer = null
    this.#publish()
    this.#parts.flush()
  }
}
