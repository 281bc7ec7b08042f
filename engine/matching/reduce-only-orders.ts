import type { Book } from './book.js'
import { type BookPool, levelField, orderField } from './book-pool.js'
import { removePair } from './pair-table.js'
import { entryOf, unprotectOrder } from './protected-orders.js'
import { slotShape } from './slot-pool.js'
import { entryField, watchField, watchLots } from './watched-positions.js'

// The reduce-only orders of one account in one book: those that would trade last come first, the
// worst price before the better ones, and the youngest of a price before the older ones.

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { level: orderLevel, entry: orderEntry } = orderField
const { key: levelKey } = levelField
const { head: watchHead } = watchField
const { open: openField } = watchLots
const { next: entryNext, prev: entryPrev, order: entryOrder, watch: entryWatch } = entryField
const { group: entryGroup } = entryField
const none = 0

/** Hangs the youngest order of its level at its account's watch. */
export function hangOrder(pool: BookPool, watch: number, slot: number): void {
  const { entries, watches } = pool.watched
  const key = keyOfOrder(pool, slot)
  const entry = entryOf(pool, slot)
  const { words } = entries
  let before = none
  let after = watches.words[(watch << slotShift) | watchHead]
  while (after !== none && keyOfOrder(pool, words[(after << slotShift) | entryOrder]) > key) {
    before = after
    after = words[(after << slotShift) | entryNext]
  }
  const at = entry << slotShift
  words[at | entryNext] = after
  words[at | entryPrev] = before
  words[at | entryWatch] = watch
  if (after !== none) words[(after << slotShift) | entryPrev] = entry
  if (before === none) watches.words[(watch << slotShift) | watchHead] = entry
  else words[(before << slotShift) | entryNext] = entry
  pool.orders.words[(slot << slotShift) | orderEntry] = entry
  watches.lots[(watch << lotsShift) | openField] +=
    pool.orders.lots[(slot << lotsShift) | lotsField]
}

/** A part of an order with an entry is open no more: of a reduce-only one its watch knows. */
export function lowerOpen(pool: BookPool, slot: number, sizeLots: number): void {
  const { entries, watches } = pool.watched
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  const watch = entries.words[(entry << slotShift) | entryWatch]
  if (watch === none) return
  watches.lots[(watch << lotsShift) | openField] -= sizeLots
}

/** Takes an order that leaves the book off its watch and its group. */
export function forgetOrder(book: Book, slot: number): void {
  const { entries } = book.pool.watched
  const entry = book.pool.orders.words[(slot << slotShift) | orderEntry]
  const at = entry << slotShift
  if (entries.words[at | entryWatch] !== none) unwatchOrder(book, slot, at)
  if (entries.words[at | entryGroup] !== none) unprotectOrder(book, entry)
  entries.free(entry)
}

/** Takes a reduce-only order, whose entry is at `at`, off its watch; with the last one the watch ends. */
function unwatchOrder(book: Book, slot: number, at: number): void {
  const { pool } = book
  const { watched } = pool
  const { words } = watched.entries
  const watches = watched.watches
  const watch = words[at | entryWatch]
  const next = words[at | entryNext]
  const prev = words[at | entryPrev]
  if (next !== none) words[(next << slotShift) | entryPrev] = prev
  if (prev === none) watches.words[(watch << slotShift) | watchHead] = next
  else words[(prev << slotShift) | entryNext] = next
  watches.lots[(watch << lotsShift) | openField] -=
    pool.orders.lots[(slot << lotsShift) | lotsField]
  if (watches.words[(watch << slotShift) | watchHead] !== none) return
  removePair(watches, watch)
  book.watchCount--
}

/** Key of an order's level: the less, the sooner it trades. */
export function keyOfOrder(pool: BookPool, slot: number): number {
  const level = pool.orders.words[(slot << slotShift) | orderLevel]
  return pool.levels.words[(level << slotShift) | levelKey]
}
