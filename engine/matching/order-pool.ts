import { assert, verify } from '../../schemas/assert.js'
import type { Side } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'
import { CostSum } from './cost-sum.js'
import { FillLog } from './fill-log.js'
import { LevelIndex, noLevel, placeField } from './level-index.js'
import type { BookSink, RemovedReason } from './order-book.js'
import { removePair } from './pair-table.js'
import { closeIfEmpty, groupField, groupFor, ProtectionTable } from './protection-table.js'
import { SlotPool, slotShape } from './slot-pool.js'
import { entryField, WatchedPositions, watchField, watchLots } from './watched-positions.js'

// Slots of eight 32-bit words, for orders and for levels. The fields of one slot lie side by side
// instead of in one array per field. A cancel in a deep book then has one cache miss per order that
// it touches, not five.
//
//   word      0     1     2      3       4        5        6 and 7
//   order     next  prev  level  handle  account  entry    openLots (f64)
//   level     head  tail  key    root    chain    state    totalLots (f64)
//   free      next free slot
//
// `key`, `root` and `chain` are a level's place in the index (level-index.ts); `state` is its side,
// with a flag for levels that the current command touched.
// `entry` links an order to the reduce-only or protected orders of its account (watched-positions.ts); 0: neither.

export const orderField = { next: 0, prev: 1, level: 2, handle: 3, account: 4, entry: 5 } as const
export const levelField = { head: 0, tail: 1, ...placeField, state: 5 } as const

/** Largest total of a level. Below it, the total is exact. About 900 orders of the maximum size reach it. */
export const totalLotsMax = Number.MAX_SAFE_INTEGER

// V8 reads an imported constant from memory at each use, but inlines a constant of the same module.
const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { next: orderNext, prev: orderPrev, level: orderLevel } = orderField
const { handle: orderHandle, entry: orderEntry } = orderField
const { head: levelHead, tail: levelTail, key: levelKey } = levelField
const { root: levelRoot, state: levelState } = levelField
const { next: entryNext, prev: entryPrev, order: entryOrder, watch: entryWatch } = entryField
const { group: entryGroup, instrument: entryInstrument } = entryField
const { groupNext: entryGroupNext, groupPrev: entryGroupPrev } = entryField
const { head: watchHead } = watchField
const { open: openField } = watchLots
const { head: groupHead, tail: groupTail } = groupField
const sideBit = 1
const touchedBit = 2
const none = noLevel
const levelLotsMax = totalLotsMax

/** The part of a book that its orders and their lists use. */
export interface PooledBook {
  readonly pool: OrderPool
  readonly sink: BookSink
  readonly instrument: number
  /** By side: root in the level index. */
  readonly roots: readonly number[]
  /** Accounts with resting reduce-only orders. */
  watchCount: number
  /** Resting orders under market-maker protection. */
  protectedCount: number
  /** Reports a level that a command of another book touched here. */
  finishLevel(level: number, lotsBefore: number): void
}

/** Memory of every book of one matcher: 32 bytes per resting order, 36 per level, 4 per handle. */
export class OrderPool {
  readonly orders: SlotPool
  readonly levels: SlotPool
  readonly index: LevelIndex
  readonly watched = new WatchedPositions()
  readonly protections = new ProtectionTable()
  /** By instrument. */
  readonly books: (PooledBook | undefined)[] = []
  readonly fills = new FillLog()
  /** Cost of an order in its book, and its cost at the quote. */
  readonly bookCost = new CostSum()
  readonly quotedCost = new CostSum()
  /** Order slot by handle; `none` if the handle has no resting order. */
  slotOf: Int32Array
  /** Levels that the current command touched, and their totals before it. */
  touched = new Int32Array(256)
  touchedLots = new Float64Array(256)
  touchedCount = 0

  /**
   * @param orders initial capacity for resting orders; the pool doubles when it is full.
   * @param handles initial capacity for handles, from 0.
   */
  constructor(orders = 1024, handles = orders) {
    this.orders = new SlotPool(orders)
    this.levels = new SlotPool(256)
    this.index = new LevelIndex(this.levels)
    this.slotOf = new Int32Array(handles)
  }
}

/** Returns the slot of a resting order, or `none`. */
export function slotOfHandle(pool: OrderPool, handle: number): number {
  return handle < pool.slotOf.length ? pool.slotOf[handle] : none
}

/** Binds a handle to the slot of its resting order. */
export function bindHandle(pool: OrderPool, handle: number, slot: number): void {
  if (handle >= pool.slotOf.length) growHandles(pool, handle)
  // In a large book a read would stall on a cache miss; a write does not.
  if (verify) assert(pool.slotOf[handle] === none, 'book: the handle has no resting order yet')
  pool.slotOf[handle] = slot
}

/** Records the total of a level before its first change in a command. */
export function touchLevel(pool: OrderPool, level: number): void {
  const { words, lots } = pool.levels
  const stateAt = (level << slotShift) | levelState
  if ((words[stateAt] & touchedBit) !== 0) return
  words[stateAt] |= touchedBit
  if (pool.touchedCount === pool.touched.length) growTouched(pool)
  pool.touched[pool.touchedCount] = level
  pool.touchedLots[pool.touchedCount++] = lots[(level << lotsShift) | lotsField]
}

/** Marks a level as touched by the current command. The caller records its total. */
export function markTouched(pool: OrderPool, level: number): void {
  pool.levels.words[(level << slotShift) | levelState] |= touchedBit
}

/** Clears the mark of a touched level when the command ends. */
export function untouchLevel(pool: OrderPool, level: number): void {
  pool.levels.words[(level << slotShift) | levelState] &= sideBit
}

export function isTouched(pool: OrderPool, level: number): boolean {
  return (pool.levels.words[(level << slotShift) | levelState] & touchedBit) !== 0
}

/** Returns the side of a level. */
export function sideOfLevel(pool: OrderPool, level: number): Side {
  return (pool.levels.words[(level << slotShift) | levelState] & sideBit) as Side
}

function growHandles(pool: OrderPool, handle: number): void {
  let length = pool.slotOf.length
  while (length <= handle) length *= 2
  pool.slotOf = grown(pool.slotOf, new Int32Array(length))
}

function growTouched(pool: OrderPool): void {
  pool.touched = grown(pool.touched, new Int32Array(pool.touched.length * 2))
  pool.touchedLots = grown(pool.touchedLots, new Float64Array(pool.touchedLots.length * 2))
}

// Removal of orders from their level, and from the lists of their account.

/** Removes an order from its level, which must be marked as touched. @returns its open lots. */
export function removeOrder(book: PooledBook, slot: number, cause: RemovedReason): number {
  touchLevel(book.pool, book.pool.orders.words[(slot << slotShift) | orderLevel])
  return takeOrder(book, slot, cause)
}

/** Removes an order from its level. @returns its open lots. */
export function takeOrder(book: PooledBook, slot: number, cause: RemovedReason): number {
  const { pool } = book
  const { words, lots } = pool.orders
  const level = words[(slot << slotShift) | orderLevel]
  const openLots = lots[(slot << lotsShift) | lotsField]
  assert(openLots > 0, 'book: a resting order has open lots')
  unlinkOrder(book, slot)
  subtractLots(pool, level, openLots)
  book.sink.removed(words[(slot << slotShift) | orderHandle], cause, openLots)
  freeOrder(book, slot)
  return openLots
}

/** Removes some lots of an order. Removes the order if none are left. */
export function takeLots(book: PooledBook, slot: number, sizeLots: number): void {
  const { pool } = book
  const { words, lots } = pool.orders
  const at = slot << slotShift
  const lotsAt = (slot << lotsShift) | lotsField
  const level = words[at | orderLevel]
  assert(sizeLots > 0 && sizeLots <= lots[lotsAt], 'book: no more lots leave than are open')
  touchLevel(pool, level)
  lots[lotsAt] -= sizeLots
  if (words[at | orderEntry] !== none) lowerOpen(pool, slot, sizeLots)
  subtractLots(pool, level, sizeLots)
  if (lots[lotsAt] > 0) return
  unlinkOrder(book, slot)
  freeOrder(book, slot)
}

export function freeOrder(book: PooledBook, slot: number): void {
  const { pool } = book
  const { words } = pool.orders
  const at = slot << slotShift
  if (words[at | orderEntry] !== none) unlinkEntry(book, slot)
  pool.slotOf[words[at | orderHandle]] = none
  pool.orders.free(slot)
}

function unlinkOrder(book: PooledBook, slot: number): void {
  const { words } = book.pool.orders
  const levelWords = book.pool.levels.words
  const at = slot << slotShift
  const level = words[at | orderLevel]
  const levelBase = level << slotShift
  const root = book.roots[sideOfLevel(book.pool, level)]
  assert(levelWords[levelBase | levelRoot] === root, 'book: the order rests in this book')
  const next = words[at | orderNext]
  const prev = words[at | orderPrev]
  if (next === none) levelWords[levelBase | levelTail] = prev
  else words[(next << slotShift) | orderPrev] = prev
  if (prev === none) levelWords[levelBase | levelHead] = next
  else words[(prev << slotShift) | orderNext] = next
}

/** Subtracts removed lots from the total of a level. */
export function subtractLots(pool: OrderPool, level: number, takenLots: number): void {
  const at = (level << lotsShift) | lotsField
  const { lots } = pool.levels
  if (lots[at] < levelLotsMax) {
    assert(lots[at] >= takenLots, 'book: a level holds at least what is removed from it')
    lots[at] -= takenLots
  } else recountLots(pool, level)
}

/** Recomputes a saturated total from the orders of the level. */
function recountLots(pool: OrderPool, level: number): void {
  const { words, lots } = pool.orders
  let totalLots = 0
  let slot = pool.levels.words[(level << slotShift) | levelHead]
  while (slot !== none && totalLots < levelLotsMax) {
    totalLots += lots[(slot << lotsShift) | lotsField]
    slot = words[(slot << slotShift) | orderNext]
  }
  pool.levels.lots[(level << lotsShift) | lotsField] = Math.min(totalLots, levelLotsMax)
}

// The reduce-only orders of one account in one book are a list (watched-positions.ts). The order that would trade last
// comes first: worst price first, and the newest order of a price first.

/** Inserts the newest order of its level into the reduce-only list of its account. */
export function linkWatched(pool: OrderPool, watch: number, slot: number): void {
  const { entries, watches } = pool.watched
  const key = keyOfOrder(pool, slot)
  const entry = entryOf(pool, slot)
  const { words } = entries
  assert(words[(entry << slotShift) | entryWatch] === none, 'reduce-only: an order has one watch')
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

/** Subtracts removed lots from the list of a reduce-only order. */
function lowerOpen(pool: OrderPool, slot: number, sizeLots: number): void {
  const { entries, watches } = pool.watched
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  const watch = entries.words[(entry << slotShift) | entryWatch]
  if (watch === none) return
  watches.lots[(watch << lotsShift) | openField] -= sizeLots
  assert(watches.lots[(watch << lotsShift) | openField] >= 0, 'reduce-only: open sizes add up')
}

/** Removes an order from its reduce-only list and its protection group. */
function unlinkEntry(book: PooledBook, slot: number): void {
  const { entries } = book.pool.watched
  const entry = book.pool.orders.words[(slot << slotShift) | orderEntry]
  const at = entry << slotShift
  if (entries.words[at | entryWatch] !== none) unwatchOrder(book, slot, at)
  if (entries.words[at | entryGroup] !== none) unprotectOrder(book, entry)
  entries.free(entry)
}

/** Removes a reduce-only order, whose entry is at `at`, from its list. Frees an empty list. */
function unwatchOrder(book: PooledBook, slot: number, at: number): void {
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
  assert(watches.lots[(watch << lotsShift) | openField] === 0, 'reduce-only: open sizes add up')
  removePair(watches, watch)
  book.watchCount--
  assert(book.watchCount >= 0, 'reduce-only: the book counts its watches')
}

/** Returns the key of an order's level. Lower keys trade first. */
export function keyOfOrder(pool: OrderPool, slot: number): number {
  const level = pool.orders.words[(slot << slotShift) | orderLevel]
  return pool.levels.words[(level << slotShift) | levelKey]
}

// The protected orders of one account in the books of one underlying are a group (protection-table.ts), oldest first.
// An order that is also reduce-only has one entry for both.

/** Appends a resting order to the protection group of its account. */
export function protectOrder(
  book: PooledBook,
  account: number,
  underlying: number,
  slot: number,
): void {
  const { protections, orders } = book.pool
  const group = groupFor(protections, account, underlying)
  const { words } = protections.groups
  const entry = entryOf(book.pool, slot)
  const entryWords = book.pool.watched.entries.words
  const at = entry << slotShift
  const tail = words[(group << slotShift) | groupTail]
  assert(entryWords[at | entryGroup] === none, 'protection: an order is in one group')
  entryWords[at | entryGroup] = group
  entryWords[at | entryInstrument] = book.instrument
  entryWords[at | entryGroupPrev] = tail
  entryWords[at | entryGroupNext] = none
  if (tail === none) words[(group << slotShift) | groupHead] = entry
  else entryWords[(tail << slotShift) | entryGroupNext] = entry
  words[(group << slotShift) | groupTail] = entry
  orders.words[(slot << slotShift) | orderEntry] = entry
  book.protectedCount++
}

/** Removes an order from its protection group. */
function unprotectOrder(book: PooledBook, entry: number): void {
  const { protections, watched } = book.pool
  const { words } = watched.entries
  const groupWords = protections.groups.words
  const at = entry << slotShift
  const group = words[at | entryGroup]
  const next = words[at | entryGroupNext]
  const prev = words[at | entryGroupPrev]
  if (next === none) groupWords[(group << slotShift) | groupTail] = prev
  else words[(next << slotShift) | entryGroupPrev] = prev
  if (prev === none) groupWords[(group << slotShift) | groupHead] = next
  else words[(prev << slotShift) | entryGroupNext] = next
  book.protectedCount--
  assert(book.protectedCount >= 0, 'protection: the book counts its protected orders')
  closeIfEmpty(protections, group)
}

/** Returns the entry of the order in `slot`. Creates an empty one if there is none. */
function entryOf(pool: OrderPool, slot: number): number {
  const known = pool.orders.words[(slot << slotShift) | orderEntry]
  if (known !== none) return known
  const entry = pool.watched.entries.allocate()
  const { words } = pool.watched.entries
  words[(entry << slotShift) | entryOrder] = slot
  words[(entry << slotShift) | entryWatch] = none
  words[(entry << slotShift) | entryGroup] = none
  return entry
}

/** Returns the protection group of the order in `slot`, or 0. */
export function groupOfOrder(pool: OrderPool, slot: number): number {
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  return entry === none ? none : pool.watched.entries.words[(entry << slotShift) | entryGroup]
}
