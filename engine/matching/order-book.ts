import type { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import type { RemovedCause } from '../../schemas/record-values.js'

// What every book of one instrument does: the fast one (book.ts) and the plain one that tests hold it against.

/** Why an order left the book, or never entered it. */
export type RemovedReason = (typeof RemovedCause)[keyof typeof RemovedCause]

/**
 * An order on its way into a book. The caller keeps one and fills it anew for each call; the book
 * reads it and never keeps it, so that no size is boxed on its way through a call. It lowers the
 * size of a reduce-only order that has to give way.
 */
export class IncomingOrder {
  /**
   * The owner's name for the order, 0 or more; unique among the resting orders of all books of a
   * pool.
   */
  handle = 0
  /** Orders of the same account do not trade with each other. */
  account = 0
  side: Side = 0
  tif: Tif = 0
  selfTrade: SelfTradeMode = 0
  /** Place on the price grid, 1 to `priceIndexMax`. */
  priceIndex = 0
  /** 1 to `sizeLotsMax`. */
  sizeLots = 0
  /**
   * The book's own: what is left to trade or to rest. A field, since a number that a call returns
   * may be boxed.
   */
  openLots = 0
  isReduceOnly = false
  /** Of a reduce-only order: its account's position at the beginning of `round`, buys above zero. */
  positionLots = 0
  /** Changes when positions may be known that were not before: trades of earlier rounds are in them. */
  round = 0
  /** Under market-maker protection (`mmp_enabled`), of its account's in `underlying`. */
  isProtected = false
  /** Its own fills count for that, beside those of the orders that it meets. */
  countsAsTaker = false
  underlying = 0
  /** Engine time. */
  nowMillis = 0
  /** Greeks of the instrument's mark: what each of its fills counts for protection. See mmp-window.ts. */
  deltaMicros = 0
  vegaMicros = 0
  /** What somebody outside the book offers for all of it, per contract; read where a book is compared with that. */
  quotedMicros = 0
}

/** Receives what a book does, in the order in which it happens. */
export interface BookSink {
  /** One trade, at the maker's price. */
  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void
  /** An order left the book, or never entered it, with `openLots` unfilled. */
  removed(handle: number, cause: RemovedReason, openLots: number): void
  /** A reduce-only order lost size, and is open with `openLots`, more than 0, at its old place. */
  reduced(handle: number, openLots: number): void
  /**
   * Total size at a price after the command, 0 when the level is gone. Comes last, once per level
   * whose total changed, in the order in which the command first touched them.
   */
  level(side: Side, priceIndex: number, sizeLots: number): void
}

/** What `replace`, `cancel` and `openLotsOf` return when the order named is not in this book. */
export const notResting = -1

export interface OrderBook {
  /**
   * Matches an order by price, then time, each trade at the maker's price; then rests it (`gtc`)
   * or removes what is left (`ioc`). A `fok` trades whole or not at all, and then leaves the book
   * as it was, own orders too. An `alo` order, for which `crosses` was asked before, rests.
   *
   * Where it would meet an order of its own account, nothing trades: `cancel_taker`
   * removes what is left of the incoming order, `cancel_maker` the resting one, `cancel_both`
   * both. A `fok` counts only what it may take: it ends with cause `SelfTrade` when the own
   * orders are what stands in its way, `Fok` when even with them the size is not there.
   *
   * The reduce-only orders of an account never add up to more than closes its position (decision
   * 37). One that comes in is lowered to what those that rest leave over, a `fok` to nothing; and
   * when the position shrinks, those that would trade last lose first, between two matches: the
   * worst price, then the youngest. An order without anything left is removed with cause
   * `ReduceOnly`. A `fok` of anybody counts on no lots that its own trades would take away.
   *
   * A fill of a protected order counts for its account and underlying; when it reaches a limit of theirs,
   * what is left of the order is removed with cause `MmpFilled`, then all other resting ones with
   * `MmpTriggered`, in all books, before the incoming order goes on. A `fok` counts on none of those.
   *
   * A `gtc` or `alo` order that crosses nothing rests at the end of its level, so placing a
   * book's orders by age restores it.
   * @returns the lots that rest, 0 when the order is finished.
   */
  place(order: IncomingOrder): number
  /**
   * Whether an order's limit reaches the best price of the other side, whoever's orders stand there.
   * @param besides handle of an order that counts as gone, since the new one replaces it, or `notResting`.
   */
  crosses(order: IncomingOrder, besides: number): boolean
  /**
   * Whether `place` would fill an order whole, and for `quotedMicros` per contract on average or better, compared
   * exactly; nothing happens. With all that its own fills would cut or cancel on the way, as for a `fok`, and whatever
   * its time in force; an `alo` order takes nothing.
   */
  fillsAsQuoted(order: IncomingOrder): boolean
  /**
   * Removes one order and places another in one step; the new one may have the old one's handle.
   * It has lost the old one's place in the queue.
   * @returns as `place`, or `notResting`: then nothing has happened.
   */
  replace(oldHandle: number, order: IncomingOrder): number
  /** Removes a resting order. @returns its open lots, or `notResting`. */
  cancel(handle: number): number
  /**
   * The account's position is now this one, changed by something else than trades of this book, all of which are in
   * it; its reduce-only orders lose what they have too much, as after a trade.
   */
  setPosition(account: number, positionLots: number): void
  /** Open lots of a resting order, or `notResting`. */
  openLotsOf(handle: number): number
  /** Place on the price grid of the best price of a side, 0 when it is empty. */
  bestIndexOf(side: Side): number
  /** Total size at a price, saturated at 2^53 - 1; 0 when there is no level. */
  levelLotsAt(side: Side, priceIndex: number): number
  /** Removes every order without a report. The book is not used again. */
  close(): void
}
