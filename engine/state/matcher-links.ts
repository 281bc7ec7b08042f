import { assert } from '../../schemas/assert.js'
import { commandsPerBatchMax } from '../../schemas/bounds.js'
import { OrderRecord } from '../../schemas/generated/orders.js'
import { ResultRecord } from '../../schemas/generated/results.js'
import { MmpAction } from '../../schemas/record-values.js'
import { entryAt, measureCount } from '../matching/mmp-window.js'
import {
  mmpAccountAt,
  mmpActionAt,
  mmpEntryAmountsAt,
  mmpEntryBytes,
  mmpEntryMillisAt,
  mmpFrozenMillisAt,
  mmpFrozenUntilMillisAt,
  mmpIntervalMillisAt,
  mmpLimitsAt,
  mmpNowMillisAt,
  mmpRecordBytes,
  mmpTicketAt,
  mmpUnderlyingAt,
  orderAccountAt,
  orderDeltaMicrosAt,
  orderExpectedOpenLotsAt,
  orderFlagsAt,
  orderHandleAt,
  orderInstrumentAt,
  orderNowMillisAt,
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
  orderUnderlyingAt,
  orderVegaMicrosAt,
} from '../matching/records.js'
import { recordTypeAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import type { MmpRow } from './mmp-table.js'
import { handleOf, type OrderStore } from './orders.js'

/** What goes to a matcher with an order besides what its slot says: `send-order.ts` knows all of it. */
export class OrderTerms {
  underlying = 0
  /** `SelfTradeMode` of the account. */
  selfTrade = 0
  /** Come on top of the order's own. */
  flags = 0
  /** Of a reduce-only order: its account's position in the instrument, as the core knows it; else 0. */
  positionLots = 0
  /** For the protection of its owner and of the makers, as are the greeks of one contract, of the mark in force. */
  nowMillis = 0
  deltaMicros = 0
  vegaMicros = 0
}

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

  /** Sends the order in `slot` as new. */
  place(
    matcher: number,
    ticket: number,
    orders: OrderStore,
    slot: number,
    terms: Readonly<OrderTerms>,
  ): void {
    const at = this.#claim(matcher, OrderRecord.Place, ticket, orders.instrument[slot], slot)
    this.#writeOrder(matcher, at, orders, slot, terms)
  }

  /** Sends the order in `slot` in place of the one in `oldSlot`, whose open size the core believes to know. */
  replace(
    matcher: number,
    ticket: number,
    orders: OrderStore,
    slot: number,
    oldSlot: number,
    terms: Readonly<OrderTerms>,
  ): void {
    const at = this.#claim(matcher, OrderRecord.Replace, ticket, orders.instrument[slot], slot)
    this.#writeOrder(matcher, at, orders, slot, terms)
    const ring = this.#orders[matcher]
    ring.i32[(at + orderOldHandleAt) >> 2] = handleOf(oldSlot)
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
    this.#awaitDone(matcher, 1)
  }

  /** Sets, resets or ends a protection; only between commands, when the matcher owes nothing else. */
  protect(matcher: number, action: number, row: MmpRow, nowMillis: number): void {
    const at = this.#claimBytes(matcher, OrderRecord.Mmp, mmpRecordBytes)
    const { i32, f64 } = this.#orders[matcher]
    i32[(at + mmpTicketAt) >> 2] = 0
    i32[(at + mmpActionAt) >> 2] = action
    i32[(at + mmpAccountAt) >> 2] = row.account
    i32[(at + mmpUnderlyingAt) >> 2] = row.underlying
    f64[(at + mmpIntervalMillisAt) >> 3] = row.intervalMillis
    f64[(at + mmpFrozenMillisAt) >> 3] = row.frozenMillis
    f64.set(row.limitMicros, (at + mmpLimitsAt) >> 3)
    f64[(at + mmpFrozenUntilMillisAt) >> 3] = row.frozenUntilMillis
    f64[(at + mmpNowMillisAt) >> 3] = nowMillis
    this.#awaitDone(matcher, 1)
  }

  /** Gives a matcher that starts a protection with its whole window. */
  restoreProtection(matcher: number, row: MmpRow, nowMillis: number): void {
    this.protect(matcher, MmpAction.Set, row, nowMillis)
    let sent = 0
    for (let index = 0; index < row.count; index++) {
      const at = this.#claimBytes(matcher, OrderRecord.MmpEntry, mmpEntryBytes)
      const { i32, f64 } = this.#orders[matcher]
      const entry = entryAt(row, index)
      i32[(at + mmpTicketAt) >> 2] = 0
      i32[(at + mmpAccountAt) >> 2] = row.account
      i32[(at + mmpUnderlyingAt) >> 2] = row.underlying
      f64[(at + mmpEntryMillisAt) >> 3] = row.entries[entry]
      for (let i = 0; i < 2 * measureCount; i++) {
        f64[((at + mmpEntryAmountsAt) >> 3) + i] = row.entries[entry + 1 + i]
      }
      if (++sent === commandsPerBatchMax) {
        this.#awaitDone(matcher, sent)
        sent = 0
      }
    }
    this.#awaitDone(matcher, sent)
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

  /** Takes the Done of each command sent, when nothing else is to come. */
  #awaitDone(matcher: number, count: number): void {
    this.commit()
    const ring = this.results[matcher]
    for (let taken = 0; taken < count; taken++) {
      let at = ring.next()
      while (at < 0) {
        ring.release()
        this.rest(matcher)
        at = ring.next()
      }
      const type = ring.i32[(at + recordTypeAt) >> 2]
      assert(type === ResultRecord.Done, 'matcher: answered by Done alone')
    }
    ring.release()
  }

  #claimBytes(matcher: number, type: number, bytes: number): number {
    const at = this.#orders[matcher].tryClaim(bytes, type)
    // A batch is far smaller than the ring, and the ring is empty between batches.
    assert(at >= 0, 'order ring: room for a whole batch')
    this.#dirty[matcher] = 1
    return at
  }

  #claim(matcher: number, type: number, ticket: number, instrument: number, slot: number): number {
    const at = this.#claimBytes(matcher, type, orderRecordBytes)
    const ring = this.#orders[matcher]
    ring.i32[(at + orderTicketAt) >> 2] = ticket
    ring.i32[(at + orderInstrumentAt) >> 2] = instrument
    ring.i32[(at + orderHandleAt) >> 2] = handleOf(slot)
    return at
  }

  #writeOrder(
    matcher: number,
    at: number,
    orders: OrderStore,
    slot: number,
    terms: Readonly<OrderTerms>,
  ): void {
    const { i32, f64 } = this.#orders[matcher]
    i32[(at + orderAccountAt) >> 2] = orders.account[slot]
    i32[(at + orderSideAt) >> 2] = orders.side[slot]
    i32[(at + orderTifAt) >> 2] = orders.tif[slot]
    i32[(at + orderFlagsAt) >> 2] = orders.flags[slot] | terms.flags
    i32[(at + orderSelfTradeAt) >> 2] = terms.selfTrade
    i32[(at + orderRoundAt) >> 2] = this.#round
    f64[(at + orderPriceMicrosAt) >> 3] = orders.priceMicros[slot]
    f64[(at + orderPositionLotsAt) >> 3] = terms.positionLots
    f64[(at + orderSizeLotsAt) >> 3] = orders.openLots[slot]
    i32[(at + orderUnderlyingAt) >> 2] = terms.underlying
    f64[(at + orderNowMillisAt) >> 3] = terms.nowMillis
    f64[(at + orderDeltaMicrosAt) >> 3] = terms.deltaMicros
    f64[(at + orderVegaMicrosAt) >> 3] = terms.vegaMicros
  }
}
