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
// instead of in one array per field: a cancel in a deep book then misses the cache once per order
// it touches, not five times.
//
//   word      0     1     2      3       4        5        6 and 7
//   order     next  prev  level  handle  account  entry    openLots (f64)
//   level     head  tail  key    root    chain    state    totalLots (f64)
//   free      next free slot
//
// `key`, `root` and `chain` are a level's place in the index (level-index.ts); `state` is its side,
// and whether the running command has touched it.
// `entry` is the order's place among the reduce-only orders of its account, or among the protected ones, 0
// for any other order (watched-positions.ts).

export const orderField = { next: 0, prev: 1, level: 2, handle: 3, account: 4, entry: 5 } as const
export const levelField = { head: 0, tail: 1, ...placeField, state: 5 } as const

/**
 * A level's total saturates here; below, it is exact. Some 900 orders of the greatest size get
 * there.
 */
export const totalLotsMax = Number.MAX_SAFE_INTEGER

// Imported names are read through a cell at each use, names of the own module are folded into the
// code.
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

/** Book of one instrument, as its orders and their lists know it. */
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
  /** Ends a command of another book for a level that it touched here. */
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
  /** What an order would cost in its book, and by the quote that it is compared with. */
  readonly bookCost = new CostSum()
  readonly quotedCost = new CostSum()
  /** Order slot by handle, `none` while the handle does not rest. */
  slotOf: Int32Array
  /** Levels that the running command touched, and their totals before it. */
  touched = new Int32Array(256)
  touchedLots = new Float64Array(256)
  touchedCount = 0

  /**
   * @param orders resting orders to have room for at first; the pool doubles when they are more.
   * @param handles as many handles to have room for at first, from 0.
   */
  constructor(orders = 1024, handles = orders) {
    this.orders = new SlotPool(orders)
    this.levels = new SlotPool(256)
    this.index = new LevelIndex(this.levels)
    this.slotOf = new Int32Array(handles)
  }
}

/** Slot of a resting order, or `none`. */
export function slotOfHandle(pool: OrderPool, handle: number): number {
  return handle < pool.slotOf.length ? pool.slotOf[handle] : none
}

/** Makes a slot the resting order of a handle. */
export function bindHandle(pool: OrderPool, handle: number, slot: number): void {
  if (handle >= pool.slotOf.length) growHandles(pool, handle)
  // The read would wait for memory in a great book; the write does not.
  if (verify) assert(pool.slotOf[handle] === none, 'book: a handle rests once')
  pool.slotOf[handle] = slot
}

/** Notes, before its first change in a command, what a level held. */
export function touchLevel(pool: OrderPool, level: number): void {
  const { words, lots } = pool.levels
  const stateAt = (level << slotShift) | levelState
  if ((words[stateAt] & touchedBit) !== 0) return
  words[stateAt] |= touchedBit
  if (pool.touchedCount === pool.touched.length) growTouched(pool)
  pool.touched[pool.touchedCount] = level
  pool.touchedLots[pool.touchedCount++] = lots[(level << lotsShift) | lotsField]
}

/** Notes that the running command has touched a level; the caller keeps what it held before. */
export function markTouched(pool: OrderPool, level: number): void {
  pool.levels.words[(level << slotShift) | levelState] |= touchedBit
}

/** A level as it is before the next command. */
export function untouchLevel(pool: OrderPool, level: number): void {
  pool.levels.words[(level << slotShift) | levelState] &= sideBit
}

export function isTouched(pool: OrderPool, level: number): boolean {
  return (pool.levels.words[(level << slotShift) | levelState] & touchedBit) !== 0
}

/** Which side the orders of a level are on. */
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

// Orders leave their level, and the lists of their account.

/** Takes an order out of its level, which is touched. @returns its open lots. */
export function removeOrder(book: PooledBook, slot: number, cause: RemovedReason): number {
  touchLevel(book.pool, book.pool.orders.words[(slot << slotShift) | orderLevel])
  return takeOrder(book, slot, cause)
}

/** Takes an order out of its level. @returns its open lots. */
export function takeOrder(book: PooledBook, slot: number, cause: RemovedReason): number {
  const { pool } = book
  const { words, lots } = pool.orders
  const level = words[(slot << slotShift) | orderLevel]
  const openLots = lots[(slot << lotsShift) | lotsField]
  assert(openLots > 0, 'book: a resting order is open')
  unlinkOrder(book, slot)
  subtractLots(pool, level, openLots)
  book.sink.removed(words[(slot << slotShift) | orderHandle], cause, openLots)
  freeOrder(book, slot)
  return openLots
}

/** Takes a part of an order, or all of it: then the order is gone. */
export function takeLots(book: PooledBook, slot: number, sizeLots: number): void {
  const { pool } = book
  const { words, lots } = pool.orders
  const at = slot << slotShift
  const lotsAt = (slot << lotsShift) | lotsField
  const level = words[at | orderLevel]
  assert(sizeLots > 0 && sizeLots <= lots[lotsAt], 'book: no more is taken than is open')
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
  if (words[at | orderEntry] !== none) forgetOrder(book, slot)
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
  assert(levelWords[levelBase | levelRoot] === root, 'book: the order is its own')
  const next = words[at | orderNext]
  const prev = words[at | orderPrev]
  if (next === none) levelWords[levelBase | levelTail] = prev
  else words[(next << slotShift) | orderPrev] = prev
  if (prev === none) levelWords[levelBase | levelHead] = next
  else words[(prev << slotShift) | orderNext] = next
}

/** Lowers the total of a level by what was taken from it. */
export function subtractLots(pool: OrderPool, level: number, takenLots: number): void {
  const at = (level << lotsShift) | lotsField
  const { lots } = pool.levels
  if (lots[at] < levelLotsMax) {
    assert(lots[at] >= takenLots, 'book: a level has what it loses')
    lots[at] -= takenLots
  } else recountLots(pool, level)
}

/** A saturated total has forgotten its excess: it is added up again from the orders. */
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

// The reduce-only orders of one account in one book hang at their watch (watched-positions.ts). Those that would trade
// last come first: the worst price before the better ones, and the youngest of a price before the older ones.

/** Hangs the youngest order of its level at its account's watch. */
export function hangOrder(pool: OrderPool, watch: number, slot: number): void {
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

/** A part of an order with an entry is open no more: of a reduce-only one its watch knows. */
function lowerOpen(pool: OrderPool, slot: number, sizeLots: number): void {
  const { entries, watches } = pool.watched
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  const watch = entries.words[(entry << slotShift) | entryWatch]
  if (watch === none) return
  watches.lots[(watch << lotsShift) | openField] -= sizeLots
  assert(watches.lots[(watch << lotsShift) | openField] >= 0, 'reduce-only: open sizes add up')
}

/** Takes an order that leaves the book off its watch and its group. */
function forgetOrder(book: PooledBook, slot: number): void {
  const { entries } = book.pool.watched
  const entry = book.pool.orders.words[(slot << slotShift) | orderEntry]
  const at = entry << slotShift
  if (entries.words[at | entryWatch] !== none) unwatchOrder(book, slot, at)
  if (entries.words[at | entryGroup] !== none) unprotectOrder(book, entry)
  entries.free(entry)
}

/** Takes a reduce-only order, whose entry is at `at`, off its watch; with the last one the watch ends. */
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

/** Key of an order's level: the less, the sooner it trades. */
export function keyOfOrder(pool: OrderPool, slot: number): number {
  const level = pool.orders.words[(slot << slotShift) | orderLevel]
  return pool.levels.words[(level << slotShift) | levelKey]
}

// The protected orders of one account in the books of one underlying hang at their group (protection-table.ts) in
// the order in which they came to rest. An order that is reduce-only too has one entry for both.

/** Hangs an order that came to rest at the group of its account. */
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
  assert(entryWords[at | entryGroup] === none, 'protection: an order has one group')
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

/** Takes an order that leaves its book off its group. */
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

/** Entry of the order in `slot`, made when there is none: of no watch, in no group. */
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

/** Group of the order in `slot`, or 0. */
export function groupOfOrder(pool: OrderPool, slot: number): number {
  const entry = pool.orders.words[(slot << slotShift) | orderEntry]
  return entry === none ? none : pool.watched.entries.words[(entry << slotShift) | entryGroup]
}
