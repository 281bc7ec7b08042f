import { setImmediate } from 'node:timers'
import type { InstrumentNames } from '../link/instrument-names.js'
import { askSide, type BestQuote, bestOf, bidSide, newestMillis } from '../quotes/best-quotes.js'
import type { QuoteBoard } from '../quotes/quote-board.js'
import type { Audience } from './audience.js'
import { indicativeText } from './indicative-message.js'
import type { QuoteVolatility } from './quote-volatility.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'

/** What the channel needs of its surroundings. */
export interface IndicativeChannelParts {
  readonly audience: Audience<Session>
  readonly names: InstrumentNames
  readonly board: QuoteBoard
  readonly volatility: QuoteVolatility
  /** That may wait for a connection. */
  readonly queueBytes: number
  readonly nowMillis: () => number
  readonly lastSeq: () => number
  /** The session has something to send. */
  readonly touch: (session: Session) => void
  /** Lets what sessions have to send go. */
  readonly flush: () => void
}

/** What was told of an instrument last. */
interface Told {
  text: string
  bytes: Uint8Array | null
  isChanged: boolean
  encodedMillis: number
  /** Of the newest row in the text. */
  newestMillis: number
  /** When all who listen were told, and how new the newest row was then. */
  toldMillis: number
  toldNewestMillis: number
}

// Beyond this the rest waits until the socket has taken it: the whole market, told at once, would be more than a
// connection may have queued.
const queuedBytesMost = 256 * 1024
const refreshMillis = 1000
// One text for all who are told of a change.
const sameTextMillis = 5
// Of a turn: the whole market takes many times as long to encode.
const fillMillisMax = 2

/**
 * The `indicative_market_data` channel: an instrument's quotes at once when a price, a size or a provider changes, and
 * at most once a second when they only came again. What a connection has not taken yet is told as it is by then.
 */
export class IndicativeChannel {
  readonly #parts: IndicativeChannelParts
  readonly #queuedBytesMax: number
  readonly #told: (Told | undefined)[] = []
  /** By session, instruments to tell it of, and whether as a snapshot. */
  readonly #waiting = new Map<Session, Map<number, boolean>>()
  /** Sessions that go on in the next turn. */
  readonly #unfilled = new Set<Session>()

  constructor(parts: IndicativeChannelParts) {
    this.#parts = parts
    this.#queuedBytesMax = Math.min(queuedBytesMost, parts.queueBytes / 4)
  }

  /** The quotes of an instrument have changed. */
  onChange(instrument: number): void {
    const { audience, names } = this.#parts
    const told = this.#told[instrument]
    if (told !== undefined) told.isChanged = true
    const symbol = names.instrument(instrument)?.symbol
    if (symbol === undefined || !audience.hears(symbol)) return
    audience.visit(symbol, (session) => this.#wait(session, instrument, false))
  }

  /** An instrument has a name from now on: its quotes may have been here before. */
  onListing(instrument: number): void {
    if (this.#parts.board.rowsOf(instrument).length > 0) this.onChange(instrument)
  }

  /** Tells of each instrument whose rows came again since it was told of, at most once a second. */
  refresh(): void {
    const { audience, names, board, nowMillis } = this.#parts
    if (audience.isEmpty()) return
    const now = nowMillis()
    for (const instrument of board.quoted()) {
      const told = this.#told[instrument]
      if (told !== undefined && now - told.toldMillis < refreshMillis) continue
      const symbol = names.instrument(instrument)?.symbol
      if (symbol === undefined || !audience.hears(symbol)) continue
      if (told !== undefined && newestMillis(board.rowsOf(instrument)) <= told.toldNewestMillis)
        continue
      if (told !== undefined) told.toldMillis = now
      audience.visit(symbol, (session) => this.#wait(session, instrument, false))
    }
  }

  sendSnapshot(session: Session, { symbols }: Subscription): void {
    const { board, names } = this.#parts
    for (const instrument of board.quoted()) {
      const symbol = names.instrument(instrument)?.symbol
      if (symbol === undefined) continue // its listing comes by another way than its quotes
      if (symbols === null || symbols.has(symbol)) this.#wait(session, instrument, true)
    }
  }

  /** The session has ended a subscription: what it hears of no longer, it is not told. */
  onEnd(session: Session): void {
    const waiting = this.#waiting.get(session)
    if (waiting === undefined) return
    for (const instrument of [...waiting.keys()]) {
      const { symbol } = this.#parts.names.instrument(instrument)!
      if (!hears(session, symbol)) waiting.delete(instrument)
    }
    if (waiting.size === 0) this.#waiting.delete(session)
  }

  #wait(session: Session, instrument: number, isSnapshot: boolean): void {
    let waiting = this.#waiting.get(session)
    if (waiting === undefined) this.#waiting.set(session, (waiting = new Map()))
    waiting.set(instrument, isSnapshot || waiting.get(instrument) === true)
    session.onRoom ??= () => this.#fill(session)
    this.#parts.touch(session)
  }

  #fill(session: Session): void {
    const waiting = this.#waiting.get(session)
    if (waiting === undefined) return
    if (this.#unfilled.size > 0) {
      this.#unfilled.add(session)
      return
    }
    const now = this.#parts.nowMillis()
    const endMillis = performance.now() + fillMillisMax
    for (const [instrument, isSnapshot] of waiting) {
      if (session.outbox.bytes >= this.#queuedBytesMax) return
      if (performance.now() > endMillis) {
        this.#unfilled.add(session)
        setImmediate(this.#goOn)
        return
      }
      waiting.delete(instrument)
      const told = this.#encode(instrument, isSnapshot ? 0 : sameTextMillis)
      if (!isSnapshot || this.#isAlone(session, instrument)) {
        told.toldMillis = told.encodedMillis
        told.toldNewestMillis = told.newestMillis
      }
      const bytes = isSnapshot
        ? Buffer.from(`${told.text},"snapshot":true,"as_of_seq":${this.#parts.lastSeq()}}`)
        : (told.bytes ??= Buffer.from(`${told.text}}`))
      session.send(bytes, 'replaceable_public', `indicative ${instrument}`, now)
    }
    this.#waiting.delete(session)
  }

  /** Whether nobody else hears of an instrument. */
  #isAlone(session: Session, instrument: number): boolean {
    const { audience, names } = this.#parts
    let others = 0
    audience.visit(names.instrument(instrument)!.symbol, (other) => {
      if (other !== session) others++
    })
    return others === 0
  }

  readonly #goOn = (): void => {
    const sessions = [...this.#unfilled]
    this.#unfilled.clear()
    for (const session of sessions) this.#parts.touch(session)
    this.#parts.flush()
    // Who has used the time up again comes last in the next turn.
    const [first] = this.#unfilled
    if (first !== undefined && this.#unfilled.delete(first)) this.#unfilled.add(first)
  }

  /** @param ageMillisMax of a text that was made for others. */
  #encode(instrument: number, ageMillisMax: number): Told {
    const { names, board, volatility, nowMillis } = this.#parts
    const now = Math.floor(nowMillis())
    const told = (this.#told[instrument] ??= newTold())
    if (!told.isChanged && now - told.encodedMillis <= ageMillisMax) return told
    const rows = board.rowsOf(instrument)
    const { symbol } = names.instrument(instrument)!
    const bid = bestOf(rows, bidSide)
    const ask = bestOf(rows, askSide)
    const ivOf = (best: BestQuote | null) =>
      best === null ? undefined : volatility.of(instrument, Number(best.price), now)
    const [bidIv, askIv] = [ivOf(bid), ivOf(ask)]
    told.text = indicativeText({ symbol, rows, bid, ask, bidIv, askIv }, now)
    told.bytes = null
    told.isChanged = false
    told.encodedMillis = now
    told.newestMillis = newestMillis(rows)
    return told
  }
}

function newTold(): Told {
  return {
    ...{ text: '', bytes: null, isChanged: true },
    ...{ encodedMillis: 0, newestMillis: 0, toldMillis: 0, toldNewestMillis: 0 },
  }
}

function hears(session: Session, symbol: string): boolean {
  for (const { channel, symbols } of session.subscriptions.values()) {
    if (channel !== 'indicative_market_data') continue
    if (symbols === null || symbols.has(symbol)) return true
  }
  return false
}
