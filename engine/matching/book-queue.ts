import { assert } from '../../schemas/assert.js'
import type { Book } from './book.js'
import { type BookPool, levelField, orderField, sideOfLevel, touchLevel } from './book-pool.js'
import { noLevel } from './level-index.js'
import type { RemovedReason } from './order-book.js'
import { forgetOrder, lowerOpen } from './reduce-only-orders.js'
import { slotShape } from './slot-pool.js'

/**
 * A level's total saturates here; below, it is exact. Some 900 orders of the greatest size get
 * there.
 */
export const totalLotsMax = Number.MAX_SAFE_INTEGER

// Names of this module are folded into the code, imported and exported ones are read from memory:
// see book-pool.ts.
const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { next: orderNext, prev: orderPrev, level: orderLevel } = orderField
const { handle: orderHandle, entry: orderEntry } = orderField
const { head: levelHead, tail: levelTail, root: levelRoot } = levelField
const none = noLevel
const levelLotsMax = totalLotsMax

/** Takes an order out of its level, which is touched. @returns its open lots. */
export function removeOrder(book: Book, slot: number, cause: RemovedReason): number {
  touchLevel(book.pool, book.pool.orders.words[(slot << slotShift) | orderLevel])
  return takeOrder(book, slot, cause)
}

/** Takes an order out of its level. @returns its open lots. */
export function takeOrder(book: Book, slot: number, cause: RemovedReason): number {
  const { pool } = book
  const { words, lots } = pool.orders
  const level = words[(slot << slotShift) | orderLevel]
  const openLots = lots[(slot << lotsShift) | lotsField]
  unlinkOrder(book, slot)
  subtractLots(pool, level, openLots)
  book.sink.removed(words[(slot << slotShift) | orderHandle], cause, openLots)
  freeOrder(book, slot)
  return openLots
}

/** Takes a part of an order, or all of it: then the order is gone. */
export function takeLots(book: Book, slot: number, sizeLots: number): void {
  const { pool } = book
  const { words, lots } = pool.orders
  const at = slot << slotShift
  const lotsAt = (slot << lotsShift) | lotsField
  const level = words[at | orderLevel]
  touchLevel(pool, level)
  lots[lotsAt] -= sizeLots
  if (words[at | orderEntry] !== none) lowerOpen(pool, slot, sizeLots)
  subtractLots(pool, level, sizeLots)
  if (lots[lotsAt] > 0) return
  unlinkOrder(book, slot)
  freeOrder(book, slot)
}

/** Makes `slot` the first order of its level after those before it were taken. */
export function cutLevel(pool: BookPool, level: number, slot: number, takenLots: number): void {
  const at = level << slotShift
  pool.levels.words[at | levelHead] = slot
  if (slot === none) pool.levels.words[at | levelTail] = none
  else pool.orders.words[(slot << slotShift) | orderPrev] = none
  subtractLots(pool, level, takenLots)
}

export function freeOrder(book: Book, slot: number): void {
  const { pool } = book
  const { words } = pool.orders
  const at = slot << slotShift
  if (words[at | orderEntry] !== none) forgetOrder(book, slot)
  pool.slotOf[words[at | orderHandle]] = none
  pool.orders.free(slot)
}

function unlinkOrder(book: Book, slot: number): void {
  const { words } = book.pool.orders
  const levelWords = book.pool.levels.words
  const at = slot << slotShift
  const level = words[at | orderLevel]
  const levelBase = level << slotShift
  const root = book.roots[sideOfLevel(book.pool, level)]
  assert(levelWords[levelBase | levelRoot] === root, 'book: the order is its own')
  const next = words[at | orderNext]
  const prev = words[at | orderPrev]
  if (next === none) levelWords[levelBase | levelTail] = prev
  else words[(next << slotShift) | orderPrev] = prev
  if (prev === none) levelWords[levelBase | levelHead] = next
  else words[(prev << slotShift) | orderNext] = next
}

function subtractLots(pool: BookPool, level: number, takenLots: number): void {
  const at = (level << lotsShift) | lotsField
  const { lots } = pool.levels
  if (lots[at] < levelLotsMax) lots[at] -= takenLots
  else recountLots(pool, level)
}

/** A saturated total has forgotten its excess: it is added up again from the orders. */
function recountLots(pool: BookPool, level: number): void {
  const { words, lots } = pool.orders
  let totalLots = 0
  let slot = pool.levels.words[(level << slotShift) | levelHead]
  while (slot !== none && totalLots < levelLotsMax) {
    totalLots += lots[(slot << lotsShift) | lotsField]
    slot = words[(slot << slotShift) | orderNext]
  }
  pool.levels.lots[(level << lotsShift) | lotsField] = Math.min(totalLots, levelLotsMax)
}
