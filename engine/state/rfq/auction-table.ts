import { assert } from '../../../schemas/assert.js'
import { uuidBytes } from '../../../schemas/bounds.js'
import type { RfqStatus } from '../../../schemas/domain.js'
import type { Signer } from '../../../schemas/record-values.js'
import { formatUuid } from '../../../schemas/uuid.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, rowDoubles, type StateHash } from '../../memory/state-hash.js'
import type { OrderIndex } from '../orders/order-index.js'
import { Auction, type AuctionTerms } from './auction-row.js'
import type { RfqTable } from './rfq-table.js'

/** Time for which a provider's row does not count after it helped no order, milliseconds. */
export const barredMillis = 10_000

/** A provider's row that does not count for a while. */
interface Bar {
  readonly account: number
  readonly instrument: number
  /** Last millisecond of the bar. */
  readonly untilMillis: number
}

/** Position in its book of an order that entered it after later orders. */
interface LateEntry {
  /** Number of orders that had begun by then. */
  readonly orderCount: number
  /** Increases with each entry. */
  readonly number: number
}

/** Orders in auction, bars of providers, and late entries into books. */
export class AuctionTable {
  /** Auctions to decide in this step; empty between batches, so not state. */
  readonly due = new Set<Auction>()
  /** Auction whose quote a matcher compares with its book, likewise. */
  deciding: Auction | null = null
  /** Ticket of that comparison. */
  decidingTicket = 0
  /** Orders on their way to their books, by ticket, likewise. */
  readonly leaving = new Map<number, Auction>()
  /** Auctions that began up to this batch have no client to answer, because its process has ended. Not state. */
  clientsSinceBatch = 0
  /** By slot of the order, in order of their beginning. */
  readonly #rows = new Map<number, Auction>()
  readonly #hash: StateHash
  readonly #rfqs: RfqTable
  /** Oldest first. */
  #bars: Bar[] = []
  /** By id of the order, in order of entry. */
  readonly #late = new Map<number, LateEntry>()
  #auctionCount = 0
  #entryCount = 0
  readonly #cell: HashCell

  constructor(hash: StateHash, rfqs: RfqTable) {
    this.#hash = hash
    this.#rfqs = rfqs
    this.#cell = new HashCell(HashKind.Auctions, { save: (sink) => this.#saveCounts(sink) })
  }

  get count(): number {
    return this.#rows.size
  }

  get rows(): IterableIterator<Auction> {
    return this.#rows.values()
  }

  /** Returns true if the order in `slot` waits for quotes, and so is in no book. */
  has(slot: number): boolean {
    return this.#rows.size > 0 && this.#rows.has(slot)
  }

  find(slot: number): Auction | null {
    return this.#rows.get(slot) ?? null
  }

  /** Returns the serial number of the next auction. */
  nextNumber(): number {
    this.#hash.note(this.#cell)
    return ++this.#auctionCount
  }

  /** Adds an auction whose request was just opened. */
  add(auction: Auction): void {
    assert(
      auction.slot >= 0 && !this.#rows.has(auction.slot),
      'auction: an order has at most one auction',
    )
    assert(
      auction.row.isAuction && auction.row.auction === null,
      'auction: it has a request of its own',
    )
    this.#rows.set(auction.slot, auction)
    auction.row.auction = auction
    this.#hash.note(auction.cell)
  }

  /** Ends an auction and its request. */
  end(auction: Auction, status: RfqStatus): void {
    assert(this.#rows.get(auction.slot) === auction, 'auction: it is running')
    this.#rows.delete(auction.slot)
    this.#hash.drop(auction.cell)
    this.#rfqs.end(auction.row, status)
  }

  /** Returns true if a provider's row for an instrument does not count now. */
  isBarred(account: number, instrument: number, nowMillis: number): boolean {
    return this.#bars.some(
      (bar) =>
        bar.account === account && bar.instrument === instrument && bar.untilMillis >= nowMillis,
    )
  }

  /** Bars a provider's row for an instrument, for `barredMillis`. */
  bar(account: number, instrument: number, nowMillis: number): void {
    this.#bars = this.#bars.filter(
      (bar) =>
        bar.untilMillis >= nowMillis && (bar.account !== account || bar.instrument !== instrument),
    )
    this.#bars.push({ account, instrument, untilMillis: nowMillis + barredMillis })
    this.#hash.note(this.#cell)
  }

  /** Records that an order enters its book after all orders that have begun so far. */
  enterLate(orderId: number, orderCount: number): void {
    this.#setEntry(orderId, { orderCount, number: ++this.#entryCount })
    this.#hash.note(this.#cell)
  }

  /** Removes the late entry of an order that ended, if it has one. */
  forgetEntry(orderId: number): void {
    if (this.#late.size === 0) return
    const entry = this.#late.get(orderId)
    if (entry === undefined) return
    this.#putEntry(orderId, entry, false)
    this.#late.delete(orderId)
  }

  save(sink: StateSink): void {
    this.#saveCounts(sink)
    this.#rfqs.auctionIds.save(sink)
    sink.i32(this.#late.size)
    for (const [orderId, { orderCount, number }] of this.#late) {
      sink.f64(orderId)
      sink.f64(orderCount)
      sink.f64(number)
    }
    sink.i32(this.#rows.size)
    for (const auction of this.#rows.values()) auction.save(sink)
  }

  /** Reads what `save` wrote into an empty table, after orders and requests. */
  load(reader: StateReader, orders: OrderIndex): void {
    this.#auctionCount = reader.f64()
    this.#entryCount = reader.f64()
    for (let count = reader.i32(); count > 0; count--) {
      const [account, instrument, untilMillis] = [reader.i32(), reader.i32(), reader.f64()]
      this.#bars.push({ account, instrument, untilMillis })
    }
    if (this.#auctionCount > 0) this.#hash.note(this.#cell)
    this.#rfqs.auctionIds.load(reader)
    for (let count = reader.i32(); count > 0; count--) {
      const orderId = reader.f64()
      this.#setEntry(orderId, { orderCount: reader.f64(), number: reader.f64() })
    }
    for (let count = reader.i32(); count > 0; count--) this.add(this.#loadAuction(reader, orders))
  }

  #loadAuction(reader: StateReader, orders: OrderIndex): Auction {
    const row = this.#rfqs.find(formatUuid(reader.bytes(uuidBytes), 0))!
    const terms: AuctionTerms = {
      orderId: reader.f64(),
      referenceMicros: reader.f64(),
      tickMicros: reader.f64(),
      mustImprove: reader.i32() === 1,
      gateway: reader.i32(),
      request: reader.i32(),
      batchNumber: reader.f64(),
      nonceHigh: reader.i32(),
      nonceLow: reader.i32(),
      signer: reader.i32() as Signer,
      shown: Array.from({ length: reader.i32() }, () => ({
        account: reader.i32(),
        priceMicros: reader.f64(),
        sizeLots: reader.f64(),
      })),
    }
    return new Auction(terms, orders.find(terms.orderId), row)
  }

  #saveCounts(sink: StateSink): void {
    sink.f64(this.#auctionCount)
    sink.f64(this.#entryCount)
    sink.i32(this.#bars.length)
    for (const { account, instrument, untilMillis } of this.#bars) {
      sink.i32(account)
      sink.i32(instrument)
      sink.f64(untilMillis)
    }
  }

  #setEntry(orderId: number, entry: LateEntry): void {
    assert(!this.#late.has(orderId), 'auction: an order enters its book once')
    this.#late.set(orderId, entry)
    this.#putEntry(orderId, entry, true)
  }

  #putEntry(orderId: number, { orderCount, number }: LateEntry, adds: boolean): void {
    rowDoubles[0] = orderId
    rowDoubles[1] = orderCount
    rowDoubles[2] = number
    this.#hash.put(HashKind.LateEntry, 6, adds)
  }
}
