import { TwinBook } from '../../bench/twin-book.js'
import { type BookSink, IncomingOrder } from '../../engine/matching/order-book.js'
import { priceMicrosOf } from '../../engine/matching/price-grid.js'
import type { ProtectionSink } from '../../engine/matching/protection-table.js'
import { Side, Tif } from '../../schemas/domain.js'
import { DoneOutcome, RemovedCause } from '../../schemas/record-values.js'
import { TwinProtection } from './plain-protection.js'

/** The plain book with the one limit of the fast one: a level tells at most 2^53 - 1 lots. */
class BoundedTwinBook extends TwinBook {
  override levelLotsAt(side: Side, priceIndex: number): number {
    return Math.min(super.levelLotsAt(side, priceIndex), Number.MAX_SAFE_INTEGER)
  }

  /** Drops positions of accounts without resting reduce-only orders. */
  forgetPositions(): void {
    if (this.positions.size === 0) return
    const watched = new Set<number>()
    for (const order of this.resting.values()) {
      if (order.isReduceOnly) watched.add(order.account)
    }
    for (const account of this.positions.keys()) {
      if (!watched.has(account)) this.positions.delete(account)
    }
  }
}

/** The plain books of several instruments, which appear with their first order. */
export class TwinMatcher {
  readonly sink: BookSink
  readonly books: (BoundedTwinBook | undefined)[] = []
  readonly incoming = new IncomingOrder()
  readonly protection: TwinProtection

  constructor(sink: BookSink, protectionSink: ProtectionSink) {
    this.sink = sink
    this.protection = new TwinProtection(() => this.#open(), protectionSink)
  }

  /**
   * Returns the rejection of the incoming order before it enters its book, or 0.
   * @param replacedHandle handle of the order that it replaces, or one that does not rest.
   */
  refusal(instrument: number, replacedHandle: number): number {
    if (this.protection.refuses(this.incoming)) return DoneOutcome.Frozen
    const wouldTrade =
      this.incoming.tif === Tif.Alo &&
      this.books[instrument]?.crosses(this.incoming, replacedHandle)
    return wouldTrade === true ? DoneOutcome.WouldTrade : 0
  }

  /**
   * Best prices in micros of a book, 0 for none, when the incoming order asks for an auction before it enters that: its
   * limit reaches the best price of the other side, or the price that somebody shows. Else null.
   */
  auctionTop(instrument: number): { bidMicros: number; askMicros: number } | null {
    const { incoming } = this
    const { quotedMicros, side } = incoming
    if (quotedMicros === 0) return null
    const limitMicros = priceMicrosOf(incoming.priceIndex)
    const reachesQuoted =
      side === Side.Buy ? limitMicros >= quotedMicros : limitMicros <= quotedMicros
    const book = this.books[instrument]
    const makers = book?.makersOf(incoming) ?? []
    if (!reachesQuoted && makers.length === 0) return null
    const [bidMicros = 0, askMicros = 0] = [Side.Buy, Side.Sell].map((of) => {
      const best = book?.queue(of)[0]
      return best === undefined ? 0 : priceMicrosOf(best.priceIndex)
    })
    return { bidMicros, askMicros }
  }

  place(instrument: number): number {
    const book = (this.books[instrument] ??= new BoundedTwinBook(this.sink))
    book.protection = this.protection
    const restLots = book.place(this.incoming)
    this.#settle()
    return restLots
  }

  replace(instrument: number, oldHandle: number): number {
    const book = this.books[instrument]!
    const restLots = book.replace(oldHandle, this.incoming)
    this.#settle()
    return restLots
  }

  /** Returns the reason why an incoming order with a quote does not enter its book, or 0 if it does. */
  decision(instrument: number): number {
    if (this.protection.refuses(this.incoming)) return DoneOutcome.Frozen
    const book = this.books[instrument]
    if (book === undefined) return DoneOutcome.QuoteWins
    book.protection = this.protection
    return book.fillsAsQuoted(this.incoming) ? 0 : DoneOutcome.QuoteWins
  }

  /** Places an order like `place`, as the replacement of an order that is in no book. */
  replaceUnbooked(instrument: number, oldHandle: number, openLots: number): number {
    this.sink.removed(oldHandle, RemovedCause.Replace, openLots)
    return this.place(instrument)
  }

  /** @returns its open lots, or `notResting`. */
  cancel(instrument: number, handle: number): number {
    const book = this.books[instrument]
    const openLots = book?.cancel(handle) ?? -1
    book?.forgetPositions()
    return openLots
  }

  close(instrument: number): void {
    this.books[instrument]?.close()
    this.books[instrument] = undefined
  }

  openLotsOf(instrument: number, handle: number): number {
    return this.books[instrument]?.openLotsOf(handle) ?? -1
  }

  restingCount(): number {
    let count = 0
    for (const book of this.books) count += book?.resting.size ?? 0
    return count
  }

  isWatched(instrument: number, account: number): boolean {
    return this.books[instrument]?.positions.has(account) === true
  }

  /** Handles of an account's resting orders in an instrument, oldest first. */
  handlesOf(instrument: number, account: number): number[] {
    const resting = [...(this.books[instrument]?.resting.values() ?? [])]
    return resting
      .filter((order) => order.account === account)
      .sort((a, b) => a.rank - b.rank)
      .map(({ handle }) => handle)
  }

  #settle(): void {
    this.protection.settleElsewhere()
    for (const [, book] of this.#open()) book.forgetPositions()
  }

  #open(): [number, BoundedTwinBook][] {
    return [...this.books.entries()].filter(
      (entry): entry is [number, BoundedTwinBook] => entry[1] !== undefined,
    )
  }
}
