import { assert, verify } from '../../schemas/assert.js'
import { SelfTradeMode, Side } from '../../schemas/domain.js'
import type { Book } from './book.js'
import { levelField, orderField, sideOfLevel, touchLevel } from './book-pool.js'
import { removeOrder, takeLots } from './book-queue.js'
import { boughtLots, logFill } from './fill-log.js'
import { nextLevel } from './level-index.js'
import type { IncomingOrder, RemovedReason } from './order-book.js'
import { indexOfKey, keyOf } from './price-key.js'
import { RemovedCause } from './records.js'
import { hangOrder } from './reduce-only-orders.js'
import { slotShape } from './slot-pool.js'
import {
  beginTrial,
  entryField,
  findWatch,
  openWatch,
  watchField,
  watchLots,
} from './watched-positions.js'

// What a book does beyond matching while reduce-only orders rest in it (decision 37): it follows
// the positions of their accounts trade by trade, and between two trades takes off what is more
// than closes a position. A trade of a reduce-only order shrinks the position and the order alike,
// so only trades of other orders of its account, on the same side, make it lose size.

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { next: orderNext, level: orderLevel, handle: orderHandle } = orderField
const { account: orderAccount, entry: orderEntry } = orderField
const { head: levelHead, key: levelKey } = levelField
const { open: openField, position: positionField } = watchLots
const { Buy: buy, Sell: sell } = Side
const none = 0

/** Lots of an incoming reduce-only order that those at rest leave for it to close, 0 or more. */
export function closableLots(book: Book, order: IncomingOrder): number {
  const { watched, fills } = book.pool
  const root = book.roots[buy]
  const watch = findWatch(watched, root, order.account)
  if (watch === none) {
    const positionLots = order.positionLots + boughtLots(fills, root, order.account)
    return closingLots(positionLots, order.side)
  }
  const { lots } = watched.watches
  const positionLots = lots[(watch << lotsShift) | positionField]
  const openLots = lots[(watch << lotsShift) | openField]
  if (verify) {
    const toldLots = order.positionLots + boughtLots(fills, root, order.account)
    assert(positionLots === toldLots, 'reduce-only: core and matcher know the same position')
  }
  return Math.max(0, closingLots(positionLots, order.side) - openLots)
}

/** Watches the account of a reduce-only order that now rests in `slot`. */
export function watchOrder(book: Book, order: IncomingOrder, slot: number): void {
  const { pool } = book
  const root = book.roots[buy]
  let watch = findWatch(pool.watched, root, order.account)
  if (watch === none) {
    const positionLots = order.positionLots + boughtLots(pool.fills, root, order.account)
    watch = openWatch(pool.watched, root, order.account, positionLots)
    book.watchCount++
  }
  hangOrder(pool, watch, slot)
}

/** A watched account's position changed off the book: what its orders have too much is taken off. */
export function setWatchedPosition(book: Book, account: number, positionLots: number): void {
  const { watched } = book.pool
  const watch = findWatch(watched, book.roots[buy], account)
  if (watch === none) return
  const knownLots = watched.watches.lots[(watch << lotsShift) | positionField]
  movePosition(book, account, positionLots - knownLots)
}

/**
 * Matches an order in a book with reduce-only orders, one trade after the other; `openLots` is what
 * is left of it.
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

/** As `fokObstacle` of book.ts, without the lots that would be cut before their turn comes. */
export function fokObstacleWatched(book: Book, order: IncomingOrder): 0 | RemovedReason {
  const { index, levels, orders, watched } = book.pool
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  let missingLots = order.sizeLots
  let untakenLots = order.sizeLots
  let isStopped = false
  beginTrial(watched)
  for (let level = book.best[side]; level !== none; ) {
    if (missingLots <= 0 && (isStopped || untakenLots <= 0)) break
    const key = levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) break
    let slot = levels.words[(level << slotShift) | levelHead]
    while (slot !== none) {
      if (orders.words[(slot << slotShift) | orderAccount] === order.account) {
        missingLots -= orders.lots[(slot << lotsShift) | lotsField]
        if (order.selfTrade !== SelfTradeMode.CancelMaker) isStopped = true
      } else {
        const sizeLots = triedLots(book, side, slot)
        missingLots -= sizeLots
        if (!isStopped) untakenLots -= sizeLots
      }
      slot = orders.words[(slot << slotShift) | orderNext]
    }
    level = nextLevel(index, book.roots[side], key)
  }
  if (untakenLots <= 0) return 0
  return missingLots > 0 ? RemovedCause.Fok : RemovedCause.SelfTrade
}

/** One trade with the order in `slot`, and what it makes others lose. */
function tradeWatched(book: Book, order: IncomingOrder, slot: number, priceIndex: number): void {
  const { pool, sink } = book
  const { words, lots } = pool.orders
  const at = slot << slotShift
  const maker = words[at | orderAccount]
  const sizeLots = Math.min(order.openLots, lots[(slot << lotsShift) | lotsField])
  sink.fill(words[at | orderHandle], order.handle, priceIndex, sizeLots)
  logFill(pool.fills, book.roots[buy], maker, order.account, order.side, sizeLots)
  takeLots(book, slot, sizeLots)
  movePosition(book, maker, order.side === buy ? -sizeLots : sizeLots)
  movePosition(book, order.account, order.side === buy ? sizeLots : -sizeLots)
  order.openLots -= sizeLots
}

/** A trade changed the position of an account: its reduce-only orders must still only reduce. */
function movePosition(book: Book, account: number, byLots: number): void {
  const { watched, orders } = book.pool
  const watch = findWatch(watched, book.roots[buy], account)
  if (watch === none) return
  const { lots } = watched.watches
  const positionLots = lots[(watch << lotsShift) | positionField] + byLots
  lots[(watch << lotsShift) | positionField] = positionLots
  const level = orders.words[(firstToLose(book, watch) << slotShift) + orderLevel]
  const side = sideOfLevel(book.pool, level)
  const openLots = lots[(watch << lotsShift) | openField]
  const excessLots = openLots - closingLots(positionLots, side)
  if (excessLots > 0) cutExcess(book, watch, excessLots)
}

/** Takes `excessLots` off the orders of a watch; when it takes all of them, the watch is over. */
function cutExcess(book: Book, watch: number, excessLots: number): void {
  const { pool } = book
  const { words, lots } = pool.orders
  let leftLots = excessLots
  while (leftLots > 0) {
    const slot = firstToLose(book, watch)
    const openLots = lots[(slot << lotsShift) | lotsField]
    if (openLots <= leftLots) {
      removeOrder(book, slot, RemovedCause.ReduceOnly)
      leftLots -= openLots
    } else {
      touchLevel(pool, words[(slot << slotShift) | orderLevel])
      takeLots(book, slot, leftLots)
      book.sink.reduced(words[(slot << slotShift) | orderHandle], openLots - leftLots)
      leftLots = 0
    }
  }
}

/** Order of a watch that would trade last. */
function firstToLose(book: Book, watch: number): number {
  const { entries, watches } = book.pool.watched
  const entry = watches.words[(watch << slotShift) | watchField.head]
  return entries.words[(entry << slotShift) | entryField.order]
}

/** What a fok would get of the order in `slot` once it has taken all before it. */
function triedLots(book: Book, side: Side, slot: number): number {
  const { orders, watched } = book.pool
  const openLots = orders.lots[(slot << lotsShift) | lotsField]
  const at = slot << slotShift
  const watch = findWatch(watched, book.roots[buy], orders.words[at | orderAccount])
  if (watch === none) return openLots
  if (watched.trialOf[watch] !== watched.trial) {
    const positionLots = watched.watches.lots[(watch << lotsShift) | positionField]
    watched.trialOf[watch] = watched.trial
    watched.trialLots[watch] = closingLots(positionLots, side)
  }
  const isReduceOnly = orders.words[at | orderEntry] !== none
  const closableLots = Math.max(0, watched.trialLots[watch])
  const sizeLots = isReduceOnly ? Math.min(openLots, closableLots) : openLots
  watched.trialLots[watch] -= sizeLots
  return sizeLots
}

/** Lots that orders of a side may trade until the position is closed. */
function closingLots(positionLots: number, side: Side): number {
  return Math.max(0, side === buy ? -positionLots : positionLots)
}
