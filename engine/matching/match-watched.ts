import { assert } from '../../schemas/assert.js'
import { priceMicrosMax } from '../../schemas/bounds.js'
import { SelfTradeMode, Side } from '../../schemas/domain.js'
import { RemovedCause } from '../../schemas/record-values.js'
import type { Book } from './book.js'
import { levelField, orderField } from './book-pool.js'
import { removeOrder, takeLots } from './book-queue.js'
import { addCost, type CostSum, clearCost, isCostAbove } from './cost-sum.js'
import { logFill } from './fill-log.js'
import { nextLevel } from './level-index.js'
import type { IncomingOrder, RemovedReason } from './order-book.js'
import { priceMicrosOf } from './price-grid.js'
import { indexOfKey, keyOf } from './price-key.js'
import { groupOfOrder } from './protected-orders.js'
import {
  beginCounting,
  countsMaker,
  countsTaker,
  endMaker,
  endTaker,
  isCanceledInTrial,
  tryMaker,
  tryTaker,
} from './protection.js'
import { keepTried, movePosition, passTried, triedLots } from './reduce-only.js'
import { slotShape } from './slot-pool.js'
import { beginTrial } from './watched-positions.js'

// Matching while reduce-only or protected orders rest in a book, or the fills of the incoming order are counted
// for the protection of its own account: one trade after the other. Each is followed first by what protection
// cancels, then by what reduce-only orders lose, and only then the incoming order meets the next one.

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { next: orderNext, account: orderAccount, handle: orderHandle } = orderField
const { head: levelHead, key: levelKey } = levelField
const { Buy: buy, Sell: sell } = Side
const none = 0

/**
 * Matches an order; `openLots` is what is left of it.
 * @returns whether self-trade prevention ends it.
 */
export function matchWatched(book: Book, order: IncomingOrder): boolean {
  const { pool } = book
  const { selfTrade } = order
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  let level = book.best[side]
  order.openLots = order.sizeLots
  while (level !== none && order.openLots > 0) {
    const key = pool.levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) break
    const slot = pool.levels.words[(level << slotShift) | levelHead]
    if (slot === none) {
      level = nextLevel(pool.index, book.roots[side], key)
    } else if (pool.orders.words[(slot << slotShift) | orderAccount] !== order.account) {
      tradeWatched(book, order, slot, indexOfKey(side, key))
    } else {
      if (selfTrade !== SelfTradeMode.CancelTaker) removeOrder(book, slot, RemovedCause.SelfTrade)
      if (selfTrade !== SelfTradeMode.CancelMaker) return true
    }
  }
  return false
}

/** As `fokObstacle` of book.ts, without the lots that would be cut or cancelled before their turn. */
export function fokObstacleWatched(book: Book, order: IncomingOrder): 0 | RemovedReason {
  if (isCovered(book, order, false, null)) return 0
  return isCovered(book, order, true, null) ? RemovedCause.SelfTrade : RemovedCause.Fok
}

/** Whether the book, watched or not, would fill the order whole for `quotedMicros` per contract or better. */
export function fillsAsQuoted(book: Book, order: IncomingOrder): boolean {
  const { quotedMicros, sizeLots } = order
  assert(quotedMicros > 0 && quotedMicros <= priceMicrosMax, 'auction: a quote is a price')
  const { bookCost, quotedCost } = book.pool
  clearCost(bookCost)
  if (!isCovered(book, order, false, bookCost)) return false
  clearCost(quotedCost)
  addCost(quotedCost, quotedMicros, sizeLots)
  return order.side === buy
    ? !isCostAbove(bookCost, quotedCost)
    : !isCostAbove(quotedCost, bookCost)
}

/** One trade with the order in `slot`, and what it makes others lose. */
function tradeWatched(book: Book, order: IncomingOrder, slot: number, priceIndex: number): void {
  const { pool, sink } = book
  const { words, lots } = pool.orders
  const at = slot << slotShift
  const maker = words[at | orderAccount]
  const makerLots = lots[(slot << lotsShift) | lotsField]
  const sizeLots = Math.min(order.openLots, makerLots)
  const group = groupOfOrder(pool, slot)
  pool.protections.fillLots[0] = sizeLots
  const endsMaker = group !== none && countsMaker(book, order, slot)
  const endsTaker = countsTaker(book, order)
  sink.fill(words[at | orderHandle], order.handle, priceIndex, sizeLots)
  logFill(pool.fills, book.roots[buy], maker, order.account, order.side, sizeLots)
  takeLots(book, slot, sizeLots)
  order.openLots -= sizeLots
  if (endsMaker) endMaker(book, slot, group, sizeLots < makerLots)
  if (endsTaker) endTaker(book, order)
  if (book.watchCount === 0) return
  movePosition(book, maker, order.side === buy ? -sizeLots : sizeLots)
  movePosition(book, order.account, order.side === buy ? sizeLots : -sizeLots)
}

/**
 * Whether an order would be filled whole.
 * @param withOwn counts own orders as those of a stranger, instead of what self-trade prevention does.
 * @param cost what its fills are added to, if anybody wants to know.
 */
function isCovered(
  book: Book,
  order: IncomingOrder,
  withOwn: boolean,
  cost: CostSum | null,
): boolean {
  const { index, levels, orders, watched } = book.pool
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  let leftLots = order.sizeLots
  beginTrial(watched)
  beginCounting(book.pool, order)
  for (let level = book.best[side]; level !== none; ) {
    const key = levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) return false
    let slot = levels.words[(level << slotShift) | levelHead]
    while (slot !== none) {
      const isOwn = orders.words[(slot << slotShift) | orderAccount] === order.account
      if (!isOwn || withOwn) {
        const openLots = isOwn
          ? orders.lots[(slot << lotsShift) | lotsField]
          : takenInTrial(book, order, slot)
        const sizeLots = Math.min(leftLots, openLots)
        if (cost !== null) addCost(cost, priceMicrosOf(indexOfKey(side, key)), sizeLots)
        leftLots -= sizeLots
        if (leftLots === 0) return true
        book.pool.protections.fillLots[0] = sizeLots
        if (sizeLots > 0 && !tryTaker(book, order)) return false
      } else if (order.selfTrade !== SelfTradeMode.CancelMaker) return false
      slot = orders.words[(slot << slotShift) | orderNext]
    }
    level = nextLevel(index, book.roots[side], key)
  }
  return false
}

/** What the order would get of the one in `slot`, wanting all of it, and what that fill counts for. */
function takenInTrial(book: Book, order: IncomingOrder, slot: number): number {
  if (isCanceledInTrial(book.pool, slot)) {
    passTried(book, slot)
    return 0
  }
  const side = order.side === buy ? sell : buy
  const sizeLots = triedLots(book, side, slot)
  book.pool.protections.fillLots[0] = sizeLots
  if (sizeLots > 0 && tryMaker(book, order, slot)) keepTried(book, slot, sizeLots)
  return sizeLots
}
