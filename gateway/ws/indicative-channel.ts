import { setImmediate } from 'node:timers'
import type { InstrumentNames } from '../link/instrument-names.js'
import { askSide, type BestQuote, bestOf, bidSide, newestMillis } from '../quotes/best-quotes.js'
import type { QuoteBoard } from '../quotes/quote-board.js'
import type { Audience } from './audience.js'
import { indicativeText } from './indicative-message.js'
import type { QuoteVolatility } from './quote-volatility.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'

/** Dependencies of the channel. */
export interface IndicativeChannelParts {
  readonly audience: Audience<Session>
  readonly names: InstrumentNames
  readonly board: QuoteBoard
  readonly volatility: QuoteVolatility
  /** Limit of bytes queued for one connection. */
  readonly queueBytes: number
  readonly nowMillis: () => number
  readonly lastSeq: () => number
  /** Notes that the session has something to send. */
  readonly touch: (session: Session) => void
  /** Flushes all noted sessions. */
  readonly flush: () => void
}

/** Last text of an instrument. */
interface LastMessage {
  text: string
  bytes: Uint8Array | null
  isChanged: boolean
  encodedMillis: number
  /** Time of the newest row in the text. */
  newestMillis: number
  /** Time of the last message to all subscribers, and of its newest row. */
  sentMillis: number
  sentNewestMillis: number
}

// Above this the rest waits until the socket has drained: the whole market at once could exceed the queue limit of a
// connection.
const queuedBytesLimit = 256 * 1024
const refreshMillis = 1000
// Subscribers of one change share a text of at most this age.
const sameTextMillis = 5
// Limit per turn: encoding the whole market takes many times as long.
const fillMillisMax = 2

/**
 * The `indicative_market_data` channel. Sends an instrument's quotes immediately when a price, size or provider
 * changes, and at most once a second when rows are only repeated. A message that was delayed contains the quotes at the
 * time of sending.
 */
export class IndicativeChannel {
  readonly #parts: IndicativeChannelParts
  readonly #queuedBytesMax: number
  readonly #last: (LastMessage | undefined)[] = []
  /** Instruments pending per session; true: as a snapshot. */
  readonly #pending = new Map<Session, Map<number, boolean>>()
  /** Sessions that continue in the next turn. */
  readonly #unfilled = new Set<Session>()

  constructor(parts: IndicativeChannelParts) {
    this.#parts = parts
    this.#queuedBytesMax = Math.min(queuedBytesLimit, parts.queueBytes / 4)
  }

  /** Handles a change of an instrument's quotes. */
  onChange(instrument: number): void {
    const { audience, names } = this.#parts
    const last = this.#last[instrument]
    if (last !== undefined) last.isChanged = true
    const symbol = names.instrument(instrument)?.symbol
    if (symbol === undefined || !audience.hears(symbol)) return
    audience.visit(symbol, (session) => this.#enqueue(session, instrument, false))
  }

  /** Handles the listing of an instrument, whose quotes may have arrived earlier. */
  onListing(instrument: number): void {
    if (this.#parts.board.rowsOf(instrument).length > 0) this.onChange(instrument)
  }

  /** Sends each instrument whose rows were repeated since its last message, at most once a second. */
  refresh(): void {
    const { audience, names, board, nowMillis } = this.#parts
    if (audience.isEmpty()) return
    const now = nowMillis()
    for (const instrument of board.quoted()) {
      const last = this.#last[instrument]
      if (last !== undefined && now - last.sentMillis < refreshMillis) continue
      const symbol = names.instrument(instrument)?.symbol
      if (symbol === undefined || !audience.hears(symbol)) continue
      if (last !== undefined && newestMillis(board.rowsOf(instrument)) <= last.sentNewestMillis)
        continue
      if (last !== undefined) last.sentMillis = now
      audience.visit(symbol, (session) => this.#enqueue(session, instrument, false))
    }
  }

  sendSnapshot(session: Session, { symbols }: Subscription): void {
    const { board, names } = this.#parts
    for (const instrument of board.quoted()) {
      const symbol = names.instrument(instrument)?.symbol
      if (symbol === undefined) continue // listings and quotes arrive on different paths
      if (symbols === null || symbols.has(symbol)) this.#enqueue(session, instrument, true)
    }
  }

  /** Drops pending instruments that the session no longer subscribes to after it ended a subscription. */
  onEnd(session: Session): void {
    const pending = this.#pending.get(session)
    if (pending === undefined) return
    for (const instrument of [...pending.keys()]) {
      const { symbol } = this.#parts.names.instrument(instrument)!
      if (!hears(session, symbol)) pending.delete(instrument)
    }
    if (pending.size === 0) this.#pending.delete(session)
  }

  #enqueue(session: Session, instrument: number, isSnapshot: boolean): void {
    let pending = this.#pending.get(session)
    if (pending === undefined) this.#pending.set(session, (pending = new Map()))
    pending.set(instrument, isSnapshot || pending.get(instrument) === true)
    session.onRoom ??= () => this.#fill(session)
    this.#parts.touch(session)
  }

  #fill(session: Session): void {
    const pending = this.#pending.get(session)
    if (pending === undefined) return
    if (this.#unfilled.size > 0) {
      this.#unfilled.add(session)
      return
    }
    const now = this.#parts.nowMillis()
    const endMillis = performance.now() + fillMillisMax
    for (const [instrument, isSnapshot] of pending) {
      if (session.outbox.bytes >= this.#queuedBytesMax) return
      if (performance.now() > endMillis) {
        this.#unfilled.add(session)
        setImmediate(this.#continue)
        return
      }
      pending.delete(instrument)
      const last = this.#encode(instrument, isSnapshot ? 0 : sameTextMillis)
      if (!isSnapshot || this.#isAlone(session, instrument)) {
        last.sentMillis = last.encodedMillis
        last.sentNewestMillis = last.newestMillis
      }
      const bytes = isSnapshot
        ? Buffer.from(`${last.text},"snapshot":true,"as_of_seq":${this.#parts.lastSeq()}}`)
        : (last.bytes ??= Buffer.from(`${last.text}}`))
      session.send(bytes, 'replaceable_public', `indicative ${instrument}`, now)
    }
    this.#pending.delete(session)
  }

  /** True if no other session subscribes to the instrument. */
  #isAlone(session: Session, instrument: number): boolean {
    const { audience, names } = this.#parts
    let others = 0
    audience.visit(names.instrument(instrument)!.symbol, (other) => {
      if (other !== session) others++
    })
    return others === 0
  }

  readonly #continue = (): void => {
    const sessions = [...this.#unfilled]
    this.#unfilled.clear()
    for (const session of sessions) this.#parts.touch(session)
    this.#parts.flush()
    // A session that used up the time again is last in the next turn.
    const [first] = this.#unfilled
    if (first !== undefined && this.#unfilled.delete(first)) this.#unfilled.add(first)
  }

  /**
   * @param ageMillisMax Limit of the age of a reused text.
   */
  #encode(instrument: number, ageMillisMax: number): LastMessage {
    const { names, board, volatility, nowMillis } = this.#parts
    const now = Math.floor(nowMillis())
    const last = (this.#last[instrument] ??= newLastMessage())
    if (!last.isChanged && now - last.encodedMillis <= ageMillisMax) return last
    const rows = board.rowsOf(instrument)
    const { symbol } = names.instrument(instrument)!
    const bid = bestOf(rows, bidSide)
    const ask = bestOf(rows, askSide)
    const ivOf = (best: BestQuote | null) =>
      best === null ? undefined : volatility.of(instrument, Number(best.price), now)
    const [bidIv, askIv] = [ivOf(bid), ivOf(ask)]
    last.text = indicativeText({ symbol, rows, bid, ask, bidIv, askIv }, now)
    last.bytes = null
    last.isChanged = false
    last.encodedMillis = now
    last.newestMillis = newestMillis(rows)
    return last
  }
}

function newLastMessage(): LastMessage {
  return {
    ...{ text: '', bytes: null, isChanged: true },
    ...{ encodedMillis: 0, newestMillis: 0, sentMillis: 0, sentNewestMillis: 0 },
  }
}

function hears(session: Session, symbol: string): boolean {
  for (const { channel, symbols } of session.subscriptions.values()) {
    if (channel !== 'indicative_market_data') continue
    if (symbols === null || symbols.has(symbol)) return true
  }
  return false
}
