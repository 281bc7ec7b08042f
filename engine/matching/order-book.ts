import type { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import type { RemovedCause } from '../../schemas/record-values.js'

// Interface of a book: the fast one (book.ts), and the plain one that tests compare with it.

/** Reason why an order left the book or never entered it. */
export type RemovedReason = (typeof RemovedCause)[keyof typeof RemovedCause]

/**
 * An order that enters a book. Callers reuse one object, so that no size is boxed in a call; the book reads it and
 * never keeps it. The book lowers the size of a reduce-only order that exceeds the position.
 */
export class IncomingOrder {
  /** The owner's id of the order, 0 or more; unique among the resting orders of all books of a pool. */
  handle = 0
  /** Orders of the same account do not trade with each other. */
  account = 0
  side: Side = 0
  tif: Tif = 0
  selfTrade: SelfTradeMode = 0
  /** Index on the price grid, 1 to `priceIndexMax`. */
  priceIndex = 0
  /** 1 to `sizeLotsMax`. */
  sizeLots = 0
  /** Written by the book: lots left to trade or rest. A field, because a returned number may be boxed. */
  openLots = 0
  isReduceOnly = false
  /** Position of a reduce-only order's account at the start of `round`; positive if long. */
  positionLots = 0
  /** Changes whenever the core may know new positions. Positions include the trades of all earlier rounds. */
  round = 0
  /** Under the market-maker protection (`mmp_enabled`) of its account in `underlying`. */
  isProtected = false
  /** The order's own fills count for that protection, in addition to fills of resting protected orders. */
  countsAsTaker = false
  underlying = 0
  /** Engine time. */
  nowMillis = 0
  /** Greeks of the instrument's mark, which its fills count for protection. See mmp-window.ts. */
  deltaMicros = 0
  vegaMicros = 0
  /** Best quote for the whole order from outside the book, per contract. Read when the book is compared with it. */
  quotedMicros = 0
}

/** Receives the actions of a book in their order. */
export interface BookSink {
  /** One trade, at the maker's price. */
  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void
  /** An order left the book, or never entered it, with `openLots` unfilled. */
  removed(handle: number, cause: RemovedReason, openLots: number): void
  /** A reduce-only order lost size. It stays at its place with `openLots`, more than 0, open. */
  reduced(handle: number, openLots: number): void
  /**
   * Total size at a price after the command; 0 if the level is removed. Called last, once per level whose total
   * changed, in the order in which the command first touched them.
   */
  level(side: Side, priceIndex: number, sizeLots: number): void
}

/** Returned by `replace`, `cancel` and `openLotsOf` if the order is not in this book. */
export const notResting = -1

export interface OrderBook {
  /**
   * Matches an order by price, then time, each trade at the maker's price. Then rests the remainder (`gtc`) or removes
   * it (`ioc`). A `fok` trades completely or not at all; in that case the book, including own orders, is unchanged. An
   * `alo` order rests; the caller has checked `crosses` before.
   *
   * An order never trades with an order of its own account. Instead, `cancel_taker` removes the remainder of the
   * incoming order, `cancel_maker` the resting order, and `cancel_both` both. A `fok` counts only lots that it may
   * take. It ends with cause `SelfTrade` if own orders are the obstacle, and with `Fok` if even with them the size is
   * insufficient.
   *
   * The reduce-only orders of an account never sum to more than closes its position. An incoming one is lowered to what
   * the resting ones leave, and a `fok` to nothing. When the position shrinks, the orders that would trade last lose
   * lots first, between two matches: the worst price, then the youngest. An order without lots left is removed with
   * cause `ReduceOnly`. No `fok` counts on lots that its own trades would remove.
   *
   * A fill of a protected order counts for its account and underlying. If it reaches a limit, the remainder of the
   * order is removed with cause `MmpFilled`. Then all other protected orders of the account and underlying, in all
   * books, are removed with `MmpTriggered`, before matching continues. A `fok` counts on none of them.
   *
   * A `gtc` or `alo` order that crosses nothing rests at the end of its level. Placing a book's orders by age therefore
   * restores it.
   * @returns the lots that rest; 0 if the order is finished.
   */
  place(order: IncomingOrder): number
  /**
   * Returns true if an order's limit reaches the best price of the other side, including orders of its own account.
   * @param replacedHandle handle of an order that counts as removed, because the new one replaces it, or `notResting`.
   */
  crosses(order: IncomingOrder, replacedHandle: number): boolean
  /**
   * Returns true if `place` would fill the whole order at `quotedMicros` per contract on average or better, compared
   * exactly. Changes nothing. Lots that the order's own fills would cut or cancel do not count, as for a `fok`,
   * whatever its time in force. False for an `alo` order, which takes no liquidity.
   */
  fillsAsQuoted(order: IncomingOrder): boolean
  /**
   * Removes one order and places another in one step; the new one may reuse the old handle. The new order loses the old
   * one's place in the queue.
   * @returns as `place`; `notResting` if nothing happened.
   */
  replace(oldHandle: number, order: IncomingOrder): number
  /** Removes a resting order. @returns its open lots, or `notResting`. */
  cancel(handle: number): number
  /**
   * Sets the account's position after a change other than a trade of this book; the position includes all trades of
   * this book. The account's reduce-only orders lose the excess, as after a trade.
   */
  setPosition(account: number, positionLots: number): void
  /** Returns the open lots of a resting order, or `notResting`. */
  openLotsOf(handle: number): number
  /** Returns the index on the price grid of the best price of a side; 0 if the side is empty. */
  bestIndexOf(side: Side): number
  /** Returns the total size at a price, saturated at 2^53 - 1; 0 without a level. */
  levelLotsAt(side: Side, priceIndex: number): number
  /** Removes all orders without reporting them. The book must not be used again. */
  close(): void
}
