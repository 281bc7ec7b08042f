import { assert, verify } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { RemovedCause } from '../../schemas/record-values.js'
import { boughtLots } from './fill-log.js'
import type { IncomingOrder } from './order-book.js'
import {
  hangOrder,
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

// What a book does beyond matching while reduce-only orders rest in it: it follows
// the positions of their accounts trade by trade, and between two trades takes off what is more
// than closes a position. A trade of a reduce-only order shrinks the position and the order alike,
// so only trades of other orders of its account, on the same side, make it lose size.

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { level: orderLevel, handle: orderHandle } = orderField
const { account: orderAccount, entry: orderEntry } = orderField
const { open: openField, position: positionField } = watchLots
const { Buy: buy } = Side
const none = 0

/** Lots of an incoming reduce-only order that those at rest leave for it to close, 0 or more. */
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
    const toldLots = order.positionLots + boughtLots(fills, root, order.account)
    assert(positionLots === toldLots, 'reduce-only: core and matcher know the same position')
  }
  return Math.max(0, closingLots(positionLots, order.side) - openLots)
}

/** Watches the account of a reduce-only order that now rests in `slot`. */
export function watchOrder(book: PooledBook, order: IncomingOrder, slot: number): void {
  const { pool } = book
  const root = book.roots[buy]
  let watch = findWatch(pool.watched, root, order.account)
  if (watch === none) {
    const positionLots = order.positionLots + boughtLots(pool.fills, root, order.account)
    watch = openWatch(pool.watched, root, order.account, positionLots)
    book.watchCount++
  }
  hangOrder(pool, watch, slot)
  const { lots } = pool.watched.watches
  const positionLots = lots[(watch << lotsShift) | positionField]
  const openLots = lots[(watch << lotsShift) | openField]
  assert(openLots <= closingLots(positionLots, order.side), 'reduce-only: orders only reduce')
}

/** A trade changed the position of an account: its reduce-only orders must still only reduce. */
export function movePosition(book: PooledBook, account: number, byLots: number): void {
  const { watched, orders } = book.pool
  const watch = findWatch(watched, book.roots[buy], account)
  if (watch === none) return
  const { lots } = watched.watches
  const positionLots = lots[(watch << lotsShift) | positionField] + byLots
  lots[(watch << lotsShift) | positionField] = positionLots
  const level = orders.words[(firstToLose(book, watch) << slotShift) | orderLevel]
  const side = sideOfLevel(book.pool, level)
  const excessLots = lots[(watch << lotsShift) | openField] - closingLots(positionLots, side)
  if (excessLots > 0) cutExcess(book, watch, excessLots)
}

/** A watched account's position changed off the book: what its orders have too much is taken off. */
export function setWatchedPosition(book: PooledBook, account: number, positionLots: number): void {
  const { watched } = book.pool
  assert(Number.isSafeInteger(positionLots), 'reduce-only: a position is whole lots')
  const watch = findWatch(watched, book.roots[buy], account)
  if (watch === none) return
  const knownLots = watched.watches.lots[(watch << lotsShift) | positionField]
  movePosition(book, account, positionLots - knownLots)
}

/** Takes `excessLots` off the orders of a watch; when it takes all of them, the watch is over. */
function cutExcess(book: PooledBook, watch: number, excessLots: number): void {
  const { pool } = book
  const { words, lots } = pool.orders
  const { lots: watchedLots } = pool.watched.watches
  const openAt = (watch << lotsShift) | openField
  const openLotsAfter = watchedLots[openAt] - excessLots
  assert(openLotsAfter >= 0, 'reduce-only: no more is cut than is open')
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
  assert(watchedLots[openAt] === openLotsAfter, 'reduce-only: as much is cut as was too much')
}

/** Order of a watch that would trade last. */
function firstToLose(book: PooledBook, watch: number): number {
  const { entries, watches } = book.pool.watched
  const entry = watches.words[(watch << slotShift) | watchField.head]
  return entries.words[(entry << slotShift) | entryField.order]
}

// On trial, what is left of an order when its turn comes is found without a list of cuts. Reduce-only orders of an
// account lose in the reverse order of trading, so of what closes the position each gets what those before it leave.
// Orders that protection cancels first have been cut until then, and do not give back to the others what those lost
// meanwhile: from there on, each gets no more than it had at that moment either.

/** What an order on trial would get of the one in `slot` once it has taken all before it. */
export function triedLots(book: PooledBook, side: Side, slot: number): number {
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

/** A fill of the order in `slot` makes protection cancel, before the position moves, what rests of its account. */
export function keepTried(book: PooledBook, slot: number, fillLots: number): void {
  const { watched } = book.pool
  const watch = watchOfMaker(book, slot)
  if (watch === none) return
  // A reduce-only order shares what closes the position with those behind it; any other takes it from them later.
  const beforeLots = watched.trialLots[watch] + (isReducing(book, slot) ? 0 : fillLots)
  watched.trialKeptLots[watch] = Math.max(0, beforeLots)
}

/** The order in `slot` was cancelled by protection: those behind it had what it left. */
export function passTried(book: PooledBook, slot: number): void {
  const watch = watchOfMaker(book, slot)
  if (watch === none || !isReducing(book, slot)) return
  const { orders, watched } = book.pool
  keptLots(watched, watch, orders.lots[(slot << lotsShift) | lotsField])
}

/** What an order with so many lots had left when protection cancelled, or all of it where it did not. */
function keptLots(watched: WatchedPositions, watch: number, openLots: number): number {
  const lots = Math.min(openLots, watched.trialKeptLots[watch])
  watched.trialKeptLots[watch] -= lots
  return lots
}

/** Watch of the account of the order in `slot`, or 0. */
function watchOfMaker(book: PooledBook, slot: number): number {
  const account = book.pool.orders.words[(slot << slotShift) | orderAccount]
  return findWatch(book.pool.watched, book.roots[buy], account)
}

function isReducing({ pool }: PooledBook, slot: number): boolean {
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  if (entry === none) return false
  return pool.watched.entries.words[(entry << slotShift) | entryField.watch] !== none
}

/** Lots that orders of a side may trade until the position is closed. */
function closingLots(positionLots: number, side: Side): number {
  return Math.max(0, side === buy ? -positionLots : positionLots)
}
