import { assert, verify } from '../../schemas/assert.js'
import { LevelIndex, noLevel } from './level-index.js'

// Slots of eight 32-bit words, for orders and for levels. The fields of one slot lie side by side
// instead of in one array per field: a cancel in a deep book then misses the cache once per order
// it touches, not five times.
//
//   word      0     1     2      3       4        5       6 and 7
//   order     next  prev  level  handle  account  unused  openLots (f64)
//   level     head  tail  key    side    touched  root    totalLots (f64)
//   free      next free slot

/** Words of a slot, and Float64s of a slot, as shifts; the float field is the last Float64. */
export const slotShape = { shift: 3, lotsShift: 2, lots: 3 } as const
export const orderField = { next: 0, prev: 1, level: 2, handle: 3, account: 4 } as const
export const levelField = { head: 0, tail: 1, key: 2, side: 3, touched: 4, root: 5 } as const

// Imported names are read through a cell at each use, names of the own module are folded into the
// code.
const slotShift = slotShape.shift
const lotsShift = slotShape.lotsShift
const lotsField = slotShape.lots
const levelTouched = levelField.touched
const none = noLevel

/** Growable slots; slot 0 stands for none. */
export class SlotPool {
  capacity: number
  words: Int32Array
  lots: Float64Array
  /** Slots ever used. */
  high = 1
  /** Slots in use. */
  count = 0
  freeHead = none

  constructor(capacity: number) {
    this.capacity = capacity
    const memory = new ArrayBuffer(capacity << 5)
    this.words = new Int32Array(memory)
    this.lots = new Float64Array(memory)
  }

  /** Takes a slot; its fields hold anything. May replace `words` and `lots`. */
  allocate(): number {
    this.count++
    if (this.freeHead !== none) {
      const slot = this.freeHead
      this.freeHead = this.words[slot << slotShift]
      return slot
    }
    if (this.high === this.capacity) this.grow()
    return this.high++
  }

  /** Gives a slot back after its last read. */
  free(slot: number): void {
    this.count--
    this.words[slot << slotShift] = this.freeHead
    this.freeHead = slot
  }

  grow(): void {
    const words = this.words
    this.capacity *= 2
    const memory = new ArrayBuffer(this.capacity << 5)
    this.words = new Int32Array(memory)
    this.lots = new Float64Array(memory)
    this.words.set(words)
  }
}

/** Memory of every book of one matcher: 32 bytes per resting order, 32 per level, 4 per handle. */
export class BookPool {
  readonly orders: SlotPool
  readonly levels: SlotPool
  readonly index = new LevelIndex()
  /** Order slot by handle, `none` while the handle does not rest. */
  slotOf: Int32Array
  /** Levels that the running command touched, and their totals before it. */
  touched = new Int32Array(256)
  touchedLots = new Float64Array(256)
  touchedCount = 0

  /**
   * @param orders resting orders to have room for at first; the pool doubles when they are more.
   */
  constructor(orders = 1024) {
    this.orders = new SlotPool(orders)
    this.levels = new SlotPool(256)
    this.slotOf = new Int32Array(orders)
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
  if (words[(level << slotShift) + levelTouched] !== 0) return
  words[(level << slotShift) + levelTouched] = 1
  if (pool.touchedCount === pool.touched.length) growTouched(pool)
  pool.touched[pool.touchedCount] = level
  pool.touchedLots[pool.touchedCount++] = lots[(level << lotsShift) + lotsField]
}

function growHandles(pool: BookPool, handle: number): void {
  let length = pool.slotOf.length
  while (length <= handle) length *= 2
  const slotOf = new Int32Array(length)
  slotOf.set(pool.slotOf)
  pool.slotOf = slotOf
}

function growTouched(pool: BookPool): void {
  const touched = new Int32Array(pool.touched.length * 2)
  const touchedLots = new Float64Array(pool.touchedLots.length * 2)
  touched.set(pool.touched)
  touchedLots.set(pool.touchedLots)
  pool.touched = touched
  pool.touchedLots = touchedLots
}
