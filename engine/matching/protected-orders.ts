import type { Book } from './book.js'
import { type BookPool, orderField } from './book-pool.js'
import { closeIfEmpty, groupField, groupFor } from './protection-table.js'
import { slotShape } from './slot-pool.js'
import { entryField } from './watched-positions.js'

// The protected orders of one account in the books of one underlying hang at their group (protection-table.ts) in
// the order in which they came to rest. The words of an entry are those of watched-positions.ts: an order that
// is reduce-only too has one entry for both.

const { shift: slotShift } = slotShape
const { entry: orderEntry } = orderField
const { watch: entryWatch, order: entryOrder, instrument: entryInstrument } = entryField
const { group: entryGroup, groupNext: entryNext, groupPrev: entryPrev } = entryField
const { head: groupHead, tail: groupTail } = groupField
const none = 0

/** Hangs an order that came to rest at the group of its account. */
export function protectOrder(book: Book, account: number, underlying: number, slot: number): void {
  const { protections, orders } = book.pool
  const group = groupFor(protections, account, underlying)
  const { words } = protections.groups
  const entry = entryOf(book.pool, slot)
  const entryWords = book.pool.watched.entries.words
  const at = entry << slotShift
  const tail = words[(group << slotShift) | groupTail]
  entryWords[at | entryGroup] = group
  entryWords[at | entryInstrument] = book.instrument
  entryWords[at | entryPrev] = tail
  entryWords[at | entryNext] = none
  if (tail === none) words[(group << slotShift) | groupHead] = entry
  else entryWords[(tail << slotShift) | entryNext] = entry
  words[(group << slotShift) | groupTail] = entry
  orders.words[(slot << slotShift) | orderEntry] = entry
  book.protectedCount++
}

/** Takes an order that leaves its book off its group. */
export function unprotectOrder(book: Book, entry: number): void {
  const { protections, watched } = book.pool
  const { words } = watched.entries
  const groupWords = protections.groups.words
  const at = entry << slotShift
  const group = words[at | entryGroup]
  const next = words[at | entryNext]
  const prev = words[at | entryPrev]
  if (next === none) groupWords[(group << slotShift) | groupTail] = prev
  else words[(next << slotShift) | entryPrev] = prev
  if (prev === none) groupWords[(group << slotShift) | groupHead] = next
  else words[(prev << slotShift) | entryNext] = next
  book.protectedCount--
  closeIfEmpty(protections, group)
}

/** Entry of the order in `slot`, made when there is none: of no watch, in no group. */
export function entryOf(pool: BookPool, slot: number): number {
  const known = pool.orders.words[(slot << slotShift) | orderEntry]
  if (known !== none) return known
  const entry = pool.watched.entries.allocate()
  const { words } = pool.watched.entries
  words[(entry << slotShift) | entryOrder] = slot
  words[(entry << slotShift) | entryWatch] = none
  words[(entry << slotShift) | entryGroup] = none
  return entry
}

/** Group of the order in `slot`, or 0. */
export function groupOfOrder(pool: BookPool, slot: number): number {
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  return entry === none ? none : pool.watched.entries.words[(entry << slotShift) | entryGroup]
}
