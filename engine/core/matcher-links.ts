import { assert } from '../../schemas/assert.js'
import {
  OrderRecord,
  orderAccountAt,
  orderExpectedOpenLotsAt,
  orderFlagsAt,
  orderHandleAt,
  orderInstrumentAt,
  orderOldHandleAt,
  orderPositionLotsAt,
  orderPriceMicrosAt,
  orderRecordBytes,
  orderRoundAt,
  orderSelfTradeAt,
  orderSideAt,
  orderSizeLotsAt,
  orderTicketAt,
  orderTifAt,
  ResultRecord,
} from '../matching/records.js'
import { recordTypeAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import type { OrderStore } from './orders.js'

/**
 * The core's ends of the rings to its matchers. `rest` is called while a matcher's results are awaited: it runs
 * the matcher when it lives in the core's thread, and passes time when it has a thread of its own.
 */
export class MatcherLinks {
  readonly count: number
  readonly results: readonly Ring[]
  readonly #orders: readonly Ring[]
  readonly #wake: (matcher: number) => void
  readonly #rest: (matcher: number) => void
  readonly #dirty: Uint8Array
  /** Rises with each `commit`: by then the core has applied all that it heard before. */
  #round = 0

  constructor(
    orders: readonly Ring[],
    results: readonly Ring[],
    wake: (matcher: number) => void,
    rest: (matcher: number) => void,
  ) {
    this.count = orders.length
    this.#orders = orders
    this.results = results
    this.#wake = wake
    this.#rest = rest
    this.#dirty = new Uint8Array(orders.length)
  }

  /** Matcher that owns the books of an underlying. */
  of(underlying: number): number {
    return underlying % this.count
  }

  /**
   * Sends the order in `slot` as new.
   * @param positionLots of a reduce-only order: its account's position in the instrument, as the core knows it.
   */
  place(
    matcher: number,
    ticket: number,
    orders: OrderStore,
    slot: number,
    selfTrade: number,
    positionLots: number,
  ): void {
    const at = this.#claim(matcher, OrderRecord.Place, ticket, orders.instrument[slot], slot)
    this.#writeOrder(matcher, at, orders, slot, selfTrade, positionLots)
  }

  /** Sends the order in `slot` in place of the one in `oldSlot`, whose open size the core believes to know. */
  replace(
    matcher: number,
    ticket: number,
    orders: OrderStore,
    slot: number,
    oldSlot: number,
    selfTrade: number,
    positionLots: number,
  ): void {
    const at = this.#claim(matcher, OrderRecord.Replace, ticket, orders.instrument[slot], slot)
    this.#writeOrder(matcher, at, orders, slot, selfTrade, positionLots)
    const ring = this.#orders[matcher]
    ring.i32[(at + orderOldHandleAt) >> 2] = oldSlot
    ring.f64[(at + orderExpectedOpenLotsAt) >> 3] = orders.openLots[oldSlot]
  }

  cancel(matcher: number, ticket: number, instrument: number, slot: number): void {
    this.#claim(matcher, OrderRecord.Cancel, ticket, instrument, slot)
  }

  /** Tells the account's position, changed off the book, for its reduce-only orders there. */
  position(
    matcher: number,
    ticket: number,
    instrument: number,
    account: number,
    positionLots: number,
  ): void {
    const at = this.#claim(matcher, OrderRecord.Position, ticket, instrument, 0)
    const { i32, f64 } = this.#orders[matcher]
    i32[(at + orderAccountAt) >> 2] = account
    f64[(at + orderPositionLotsAt) >> 3] = positionLots
  }

  /** Drops an instrument's book; only between commands, when the matcher owes nothing else. */
  closeBook(matcher: number, instrument: number): void {
    this.#claim(matcher, OrderRecord.CloseBook, 0, instrument, 0)
    this.commit()
    const ring = this.results[matcher]
    let at = ring.next()
    while (at < 0) {
      this.rest(matcher)
      at = ring.next()
    }
    assert(
      ring.i32[(at + recordTypeAt) >> 2] === ResultRecord.Done,
      'close: answered by Done alone',
    )
    ring.release()
  }

  /** Makes everything sent since the last commit visible to the matchers. */
  commit(): void {
    this.#round = (this.#round + 1) | 0
    for (let matcher = 0; matcher < this.count; matcher++) {
      if (this.#dirty[matcher] === 0) continue
      this.#dirty[matcher] = 0
      this.#orders[matcher].commit()
      this.#wake(matcher)
    }
  }

  rest(matcher: number): void {
    this.#rest(matcher)
  }

  #claim(matcher: number, type: number, ticket: number, instrument: number, slot: number): number {
    const ring = this.#orders[matcher]
    const at = ring.tryClaim(orderRecordBytes, type)
    // A batch is far smaller than the ring, and the ring is empty between batches.
    assert(at >= 0, 'order ring: room for a whole batch')
    this.#dirty[matcher] = 1
    ring.i32[(at + orderTicketAt) >> 2] = ticket
    ring.i32[(at + orderInstrumentAt) >> 2] = instrument
    ring.i32[(at + orderHandleAt) >> 2] = slot
    return at
  }

  #writeOrder(
    matcher: number,
    at: number,
    orders: OrderStore,
    slot: number,
    selfTrade: number,
    positionLots: number,
  ): void {
    const { i32, f64 } = this.#orders[matcher]
    i32[(at + orderAccountAt) >> 2] = orders.account[slot]
    i32[(at + orderSideAt) >> 2] = orders.side[slot]
    i32[(at + orderTifAt) >> 2] = orders.tif[slot]
    i32[(at + orderFlagsAt) >> 2] = orders.flags[slot]
    i32[(at + orderSelfTradeAt) >> 2] = selfTrade
    i32[(at + orderRoundAt) >> 2] = this.#round
    f64[(at + orderPriceMicrosAt) >> 3] = orders.priceMicros[slot]
    f64[(at + orderPositionLotsAt) >> 3] = positionLots
    f64[(at + orderSizeLotsAt) >> 3] = orders.openLots[slot]
  }
}
