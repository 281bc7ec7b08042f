import {
  clearedInstrumentAt,
  levelInstrumentAt,
  levelPriceMicrosAt,
  levelSideAt,
  levelSizeLotsAt,
} from '../../../schemas/events.js'
import { EventType } from '../../../schemas/generated/events.js'
import { ToldAuctions } from '../clients/told-auctions.js'
import { type LogReader, takeEvents, typeOf } from '../log-events.js'
import { FeeLedger } from './fee-ledger.js'
import { LossLedger } from './loss-ledger.js'
import { SequenceCheck, type ToldEvents } from './told-events.js'

/**
 * A read model in small: follows the event log of one process and keeps the books that it tells of.
 * The writer of the log waits for it.
 */
export class MarketFollower {
  readonly log: LogReader
  readonly auctions = new ToldAuctions()
  readonly losses = new LossLedger()
  readonly fees = new FeeLedger()
  readonly #told: ToldEvents
  readonly #sequence = new SequenceCheck('read model')
  /** Lots by `side/price`, by instrument. */
  readonly #books = new Map<number, Map<string, number>>()

  constructor(log: LogReader, told: ToldEvents) {
    this.log = log
    this.#told = told
  }

  /** Takes in up to `limit` events. @returns how many. */
  doWork(limit: number): number {
    return takeEvents(this.log, limit, (at) => this.#take(at))
  }

  bookOf(instrument: number): ReadonlyMap<string, number> {
    return this.#books.get(instrument) ?? noLevels
  }

  #take(at: number): void {
    const { log } = this
    const { i32, f64 } = log
    const type = typeOf(log, at)
    if (this.#sequence.take(log, at)) this.#told.noteBootstrap(log, at)
    else this.#told.note(log, at)
    this.auctions.take(log, type, at)
    this.losses.take(log, type, at)
    this.fees.take(log, type, at)
    if (type === EventType.BootstrapBegin) this.#books.clear()
    if (type === EventType.BookCleared) this.#books.delete(i32[(at + clearedInstrumentAt) >> 2])
    if (type !== EventType.BookLevel) return
    const instrument = i32[(at + levelInstrumentAt) >> 2]
    const book = this.#books.get(instrument) ?? new Map<string, number>()
    this.#books.set(instrument, book)
    const level = levelKey(i32[(at + levelSideAt) >> 2], f64[(at + levelPriceMicrosAt) >> 3])
    const lots = f64[(at + levelSizeLotsAt) >> 3]
    if (lots === 0) book.delete(level)
    else book.set(level, lots)
  }
}

const noLevels: ReadonlyMap<string, number> = new Map()

export function levelKey(side: number, priceMicros: number): string {
  return `${side}/${priceMicros}`
}
