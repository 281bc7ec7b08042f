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
import { PublishedAuctions } from './published-auctions.js'
import { type PublishedEvents, SequenceCheck } from './published-events.js'
import { PublishedKeys } from './published-keys.js'
import { PublishedProviders } from './published-providers.js'
import { PublishedRfqs } from './published-rfqs.js'
import { PurgeLedger } from './purge-ledger.js'
import { RfqLedger } from './rfq-ledger.js'
import type { SentRows } from './sent-rows.js'
import type { SentScopes } from './sent-scopes.js'

const cleared = new BookClearedEvent()
const levelEvent = new BookLevelEvent()

/**
 * Small read model: follows the event log of one process and keeps the books that it publishes. The log's writer waits
 * for it.
 */
export class MarketFollower {
  readonly log: LogReader
  readonly auctions = new PublishedAuctions()
  readonly losses = new LossLedger()
  readonly fees = new FeeLedger()
  readonly providers = new PublishedProviders()
  readonly rfqs = new PublishedRfqs()
  readonly keys = new PublishedKeys()
  readonly packages = new RfqLedger()
  readonly waiting: AuctionLedger
  readonly purges: PurgeLedger
  readonly #published: PublishedEvents
  readonly #sequence = new SequenceCheck('read model')
  /** Lots by `side/price`, by instrument. */
  readonly #books = new Map<number, Map<string, number>>()

  constructor(log: LogReader, published: PublishedEvents, sent: SentRows, scopes: SentScopes) {
    this.log = log
    this.#published = published
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
    if (this.#sequence.take(event)) this.#published.noteBootstrap(event)
    else this.#published.note(event)
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
