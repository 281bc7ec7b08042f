import { assert, verify } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { RemovedCause } from '../../schemas/record-values.js'
import { boughtLots } from './fill-log.js'
import type { IncomingOrder } from './order-book.js'
import {
  linkWatched,
  orderField,
  type PooledBook,
  removeOrder,
  sideOfLevel,
  takeLots,
  touchLevel,
} from './order-pool.js'
import { slotShape } from './slot-pool.js'
import {
  entryField,
  findWatch,
  openWatch,
  type WatchedPositions,
  watchField,
  watchLots,
} from './watched-positions.js'

// Extra work of a book while reduce-only orders rest in it. The book tracks the positions of their accounts with every
// trade. Between two trades it removes the lots beyond those that close a position. A trade of a reduce-only order
// shrinks position and order alike. Only trades of other orders of its account, on the same side, make it lose lots.

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { level: orderLevel, handle: orderHandle } = orderField
const { account: orderAccount, entry: orderEntry } = orderField
const { open: openField, position: positionField } = watchLots
const { Buy: buy } = Side
const none = 0

/** Returns the lots that an incoming reduce-only order can close after those that rest; 0 or more. */
export function closableLots(book: PooledBook, order: IncomingOrder): number {
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
    const expectedLots = order.positionLots + boughtLots(fills, root, order.account)
    assert(positionLots === expectedLots, 'reduce-only: core and matcher know the same position')
  }
  return Math.max(0, closingLots(positionLots, order.side) - openLots)
}

/** Adds a reduce-only order that now rests in `slot` to the watch of its account. */
export function watchOrder(book: PooledBook, order: IncomingOrder, slot: number): void {
  const { pool } = book
  const root = book.roots[buy]
  let watch = findWatch(pool.watched, root, order.account)
  if (watch === none) {
    const positionLots = order.positionLots + boughtLots(pool.fills, root, order.account)
    watch = openWatch(pool.watched, root, order.account, positionLots)
    book.watchCount++
  }
  linkWatched(pool, watch, slot)
  const { lots } = pool.watched.watches
  const positionLots = lots[(watch << lotsShift) | positionField]
  const openLots = lots[(watch << lotsShift) | openField]
  assert(openLots <= closingLots(positionLots, order.side), 'reduce-only: orders only reduce')
}

/** Applies a trade to the position of a watched account and cuts the excess of its reduce-only orders. */
export function movePosition(book: PooledBook, account: number, byLots: number): void {
  const { watched, orders } = book.pool
  const watch = findWatch(watched, book.roots[buy], account)
  if (watch === none) return
  const { lots } = watched.watches
  const positionLots = lots[(watch << lotsShift) | positionField] + byLots
  lots[(watch << lotsShift) | positionField] = positionLots
  const level = orders.words[(lastToTrade(book, watch) << slotShift) | orderLevel]
  const side = sideOfLevel(book.pool, level)
  const excessLots = lots[(watch << lotsShift) | openField] - closingLots(positionLots, side)
  if (excessLots > 0) cutExcess(book, watch, excessLots)
}

/** Applies a position change from outside the book, and cuts the excess of the account's reduce-only orders. */
export function setWatchedPosition(book: PooledBook, account: number, positionLots: number): void {
  const { watched } = book.pool
  assert(Number.isSafeInteger(positionLots), 'reduce-only: a position is whole lots')
  const watch = findWatch(watched, book.roots[buy], account)
  if (watch === none) return
  const knownLots = watched.watches.lots[(watch << lotsShift) | positionField]
  movePosition(book, account, positionLots - knownLots)
}

/** Removes `excessLots` from the orders of a watch. The watch ends if no lots remain. */
function cutExcess(book: PooledBook, watch: number, excessLots: number): void {
  const { pool } = book
  const { words, lots } = pool.orders
  const { lots: watchedLots } = pool.watched.watches
  const openAt = (watch << lotsShift) | openField
  const openLotsAfter = watchedLots[openAt] - excessLots
  assert(openLotsAfter >= 0, 'reduce-only: no more is cut than is open')
  let leftLots = excessLots
  while (leftLots > 0) {
    const slot = lastToTrade(book, watch)
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
  assert(watchedLots[openAt] === openLotsAfter, 'reduce-only: the cut equals the excess')
}

/** Returns the order of a watch that would trade last. */
function lastToTrade(book: PooledBook, watch: number): number {
  const { entries, watches } = book.pool.watched
  const entry = watches.words[(watch << slotShift) | watchField.head]
  return entries.words[(entry << slotShift) | entryField.order]
}

// In a trial, the remaining lots of an order at its turn are computed without a list of cuts. Reduce-only orders of an
// account lose lots in reverse trading order. Each therefore gets what those before it leave of the lots that close the
// position. Orders that protection cancels were cut before, and their lots are not given back to the others. From that
// moment each order also gets no more than it had then.

/** Returns the lots that a trial order would get from the one in `slot` after taking all orders before it. */
export function trialLotsFor(book: PooledBook, side: Side, slot: number): number {
  const { orders, watched } = book.pool
  const openLots = orders.lots[(slot << lotsShift) | lotsField]
  const watch = watchOfMaker(book, slot)
  if (watch === none) return openLots
  if (watched.trialOf[watch] !== watched.trial) {
    const positionLots = watched.watches.lots[(watch << lotsShift) | positionField]
    watched.trialOf[watch] = watched.trial
    watched.trialLots[watch] = closingLots(positionLots, side)
    watched.trialKeptLots[watch] = Number.POSITIVE_INFINITY
  }
  const leftLots = Math.max(0, watched.trialLots[watch])
  const sizeLots = isReducing(book, slot)
    ? Math.min(keptLots(watched, watch, openLots), leftLots)
    : openLots
  watched.trialLots[watch] -= sizeLots
  return sizeLots
}

/**
 * Records a trial fill that triggers protection. Protection cancels the account's resting orders before the position
 * changes.
 */
export function keepTrialLots(book: PooledBook, slot: number, fillLots: number): void {
  const { watched } = book.pool
  const watch = watchOfMaker(book, slot)
  if (watch === none) return
  // A reduce-only order shares the closing lots with the orders after it; any other order takes lots from them later.
  const beforeLots = watched.trialLots[watch] + (isReducing(book, slot) ? 0 : fillLots)
  watched.trialKeptLots[watch] = Math.max(0, beforeLots)
}

/** Skips the order in `slot`, which protection cancelled. Later orders had only the lots that it left. */
export function skipTrialOrder(book: PooledBook, slot: number): void {
  const watch = watchOfMaker(book, slot)
  if (watch === none || !isReducing(book, slot)) return
  const { orders, watched } = book.pool
  keptLots(watched, watch, orders.lots[(slot << lotsShift) | lotsField])
}

/** Returns the lots that an order of `openLots` had left when protection cancelled, or all of them if it did not. */
function keptLots(watched: WatchedPositions, watch: number, openLots: number): number {
  const lots = Math.min(openLots, watched.trialKeptLots[watch])
  watched.trialKeptLots[watch] -= lots
  return lots
}

/** Returns the watch of the account of the order in `slot`, or 0. */
function watchOfMaker(book: PooledBook, slot: number): number {
  const account = book.pool.orders.words[(slot << slotShift) | orderAccount]
  return findWatch(book.pool.watched, book.roots[buy], account)
}

function isReducing({ pool }: PooledBook, slot: number): boolean {
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  if (entry === none) return false
  return pool.watched.entries.words[(entry << slotShift) | entryField.watch] !== none
}

/** Returns the lots that orders of a side may trade until the position is closed. */
function closingLots(positionLots: number, side: Side): number {
  return Math.max(0, side === buy ? -positionLots : positionLots)
}
