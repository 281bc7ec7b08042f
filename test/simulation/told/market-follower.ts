import {
  type AnyEvent,
  BookClearedEvent,
  BookLevelEvent,
  EventType,
} from '../../../schemas/generated/events.js'
import { AuctionLedger } from './auction-ledger.js'
import { FeeLedger } from './fee-ledger.js'
import { type LogReader, takeEvents } from './log-events.js'
import { LossLedger } from './loss-ledger.js'
import { PurgeLedger } from './purge-ledger.js'
import { RfqLedger } from './rfq-ledger.js'
import type { SentRows } from './sent-rows.js'
import type { SentScopes } from './sent-scopes.js'
import { ToldAuctions } from './told-auctions.js'
import { SequenceCheck, type ToldEvents } from './told-events.js'
import { ToldKeys } from './told-keys.js'
import { ToldProviders } from './told-providers.js'
import { ToldRfqs } from './told-rfqs.js'

const cleared = new BookClearedEvent()
const levelEvent = new BookLevelEvent()

/**
 * Small read model: follows the event log of one process and keeps the books that it publishes. The log's writer waits
 * for it.
 */
export class MarketFollower {
  readonly log: LogReader
  readonly auctions = new ToldAuctions()
  readonly losses = new LossLedger()
  readonly fees = new FeeLedger()
  readonly providers = new ToldProviders()
  readonly rfqs = new ToldRfqs()
  readonly keys = new ToldKeys()
  readonly packages = new RfqLedger()
  readonly waiting: AuctionLedger
  readonly purges: PurgeLedger
  readonly #told: ToldEvents
  readonly #sequence = new SequenceCheck('read model')
  /** Lots by `side/price`, by instrument. */
  readonly #books = new Map<number, Map<string, number>>()

  constructor(log: LogReader, told: ToldEvents, sent: SentRows, scopes: SentScopes) {
    this.log = log
    this.#told = told
    this.waiting = new AuctionLedger(this.providers, sent)
    this.purges = new PurgeLedger(scopes)
  }

  /**
   * Reads up to `limit` events.
   * @returns the number read
   */
  doWork(limit: number): number {
    return takeEvents(this.log, limit, (event) => this.#take(event))
  }

  bookOf(instrument: number): ReadonlyMap<string, number> {
    return this.#books.get(instrument) ?? noLevels
  }

  #take(event: AnyEvent): void {
    const type = event.recordType
    if (this.#sequence.take(event)) this.#told.noteBootstrap(event)
    else this.#told.note(event)
    this.auctions.take(event)
    this.losses.take(event)
    this.fees.take(event)
    this.providers.take(event)
    this.rfqs.take(event)
    this.keys.take(event)
    this.packages.take(event)
    this.waiting.take(event)
    this.purges.take(event)
    if (type === EventType.BootstrapBegin) this.#books.clear()
    if (type === EventType.BookCleared) this.#books.delete(cleared.of(event).instrument)
    if (type !== EventType.BookLevel) return
    const { instrument, side, priceMicros, sizeLots } = levelEvent.of(event)
    const book = this.#books.get(instrument) ?? new Map<string, number>()
    this.#books.set(instrument, book)
    const level = levelKey(side, priceMicros)
    if (sizeLots === 0) book.delete(level)
    else book.set(level, sizeLots)
  }
}

const noLevels: ReadonlyMap<string, number> = new Map()

export function levelKey(side: number, priceMicros: number): string {
  return `${side}/${priceMicros}`
}
