import { assert, verify } from '../../schemas/assert.js'
import type { Side } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'
import type { Book } from './book.js'
import { CostSum } from './cost-sum.js'
import { FillLog } from './fill-log.js'
import { LevelIndex, noLevel, placeField } from './level-index.js'
import { ProtectionTable } from './protection-table.js'
import { SlotPool, slotShape } from './slot-pool.js'
import { WatchedPositions } from './watched-positions.js'

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

// Imported names are read through a cell at each use, names of the own module are folded into the
// code.
const slotShift = slotShape.shift
const lotsShift = slotShape.lotsShift
const lotsField = slotShape.lots
const levelState = levelField.state
const sideBit = 1
const touchedBit = 2
const none = noLevel

/** Memory of every book of one matcher: 32 bytes per resting order, 36 per level, 4 per handle. */
export class BookPool {
  readonly orders: SlotPool
  readonly levels: SlotPool
  readonly index: LevelIndex
  readonly watched = new WatchedPositions()
  readonly protections = new ProtectionTable()
  /** By instrument. */
  readonly books: (Book | undefined)[] = []
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
export function slotOfHandle(pool: BookPool, handle: number): number {
  return handle < pool.slotOf.length ? pool.slotOf[handle] : none
}

/** Makes a slot the resting order of a handle. */
export function bindHandle(pool: BookPool, handle: number, slot: number): void {
  if (handle >= pool.slotOf.length) growHandles(pool, handle)
  // The read would wait for memory in a great book; the write does not.
  if (verify) assert(pool.slotOf[handle] === none, 'book: a handle rests once')
  pool.slotOf[handle] = slot
}

/** Notes, before its first change in a command, what a level held. */
export function touchLevel(pool: BookPool, level: number): void {
  const { words, lots } = pool.levels
  const stateAt = (level << slotShift) | levelState
  if ((words[stateAt] & touchedBit) !== 0) return
  words[stateAt] |= touchedBit
  if (pool.touchedCount === pool.touched.length) growTouched(pool)
  pool.touched[pool.touchedCount] = level
  pool.touchedLots[pool.touchedCount++] = lots[(level << lotsShift) | lotsField]
}

/** Notes that the running command has touched a level; the caller keeps what it held before. */
export function markTouched(pool: BookPool, level: number): void {
  pool.levels.words[(level << slotShift) | levelState] |= touchedBit
}

/** A level as it is before the next command. */
export function untouchLevel(pool: BookPool, level: number): void {
  pool.levels.words[(level << slotShift) | levelState] &= sideBit
}

export function isTouched(pool: BookPool, level: number): boolean {
  return (pool.levels.words[(level << slotShift) | levelState] & touchedBit) !== 0
}

/** Which side the orders of a level are on. */
export function sideOfLevel(pool: BookPool, level: number): Side {
  return (pool.levels.words[(level << slotShift) | levelState] & sideBit) as Side
}

function growHandles(pool: BookPool, handle: number): void {
  let length = pool.slotOf.length
  while (length <= handle) length *= 2
  pool.slotOf = grown(pool.slotOf, new Int32Array(length))
}

function growTouched(pool: BookPool): void {
  pool.touched = grown(pool.touched, new Int32Array(pool.touched.length * 2))
  pool.touchedLots = grown(pool.touchedLots, new Float64Array(pool.touchedLots.length * 2))
}
