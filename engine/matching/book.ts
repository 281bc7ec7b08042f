import { assert } from '../../schemas/assert.js'
import { sizeLotsMax } from '../../schemas/bounds.js'
import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import {
  type BookPool,
  bindHandle,
  levelField,
  orderField,
  slotOfHandle,
  slotShape,
  touchLevel,
} from './book-pool.js'
import {
  allocateRoot,
  fillPlace,
  firstLevel,
  freeRoot,
  keyMax,
  levelAt,
  nextLevel,
  noLevel,
  placeOf,
  removeLevel,
} from './level-index.js'
import {
  type BookSink,
  type IncomingOrder,
  notResting,
  type OrderBook,
  type RemovedReason,
} from './order-book.js'
import { priceIndexMax } from './price-grid.js'
import { RemovedCause } from './records.js'

/**
 * A level's total saturates here; below, it is exact. Some 900 orders of the greatest size get
 * there.
 */
export const totalLotsMax = Number.MAX_SAFE_INTEGER

// Names of this module are folded into the code, imported and exported ones are read from memory:
// see book-pool.ts.
const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { next: orderNext, prev: orderPrev, level: orderLevel } = orderField
const { handle: orderHandle, account: orderAccount } = orderField
const { head: levelHead, tail: levelTail, key: levelKey } = levelField
const { side: levelSide, touched: levelTouched, root: levelRoot } = levelField
const { Buy: buy, Sell: sell } = Side
const none = noLevel
const keyLimit = keyMax
const levelLotsMax = totalLotsMax

/**
 * The book of one instrument, over slots shared by all books of a matcher; it allocates only when
 * a pool doubles. Levels are kept by key, and the best level of either side is the one with the
 * least key (`keyOf`), so that buys and sells run through the same lines. A level that empties
 * during a command stays in the index until the command is over: then every touched level is
 * reported once and the empty ones go.
 */
export class Book implements OrderBook {
  readonly pool: BookPool
  readonly sink: BookSink
  /** By side: root in the level index, and best level or `none`. */
  readonly roots: number[]
  readonly best: number[] = [none, none]

  constructor(pool: BookPool, sink: BookSink) {
    this.pool = pool
    this.sink = sink
    this.roots = [allocateRoot(pool.index), allocateRoot(pool.index)]
  }

  place(order: IncomingOrder): number {
    const restLots = placeOrder(this, order)
    settleLevels(this)
    return restLots
  }

  replace(oldHandle: number, order: IncomingOrder): number {
    const slot = slotOfHandle(this.pool, oldHandle)
    if (slot === none) return notResting
    removeOrder(this, slot, RemovedCause.Replace)
    const restLots = placeOrder(this, order)
    settleLevels(this)
    return restLots
  }

  cancel(handle: number): number {
    const slot = slotOfHandle(this.pool, handle)
    if (slot === none) return notResting
    const openLots = removeOrder(this, slot, RemovedCause.Cancel)
    settleLevels(this)
    return openLots
  }

  openLotsOf(handle: number): number {
    const slot = slotOfHandle(this.pool, handle)
    return slot === none ? notResting : this.pool.orders.lots[(slot << lotsShift) + lotsField]
  }

  bestIndexOf(side: Side): number {
    const level = this.best[side]
    if (level === none) return 0
    return indexOfKey(side, this.pool.levels.words[(level << slotShift) + levelKey])
  }

  levelLotsAt(side: Side, priceIndex: number): number {
    const level = levelAt(this.pool.index, this.roots[side], keyOf(side, priceIndex))
    return level === none ? 0 : this.pool.levels.lots[(level << lotsShift) + lotsField]
  }

  close(): void {
    closeSide(this, Side.Buy)
    closeSide(this, Side.Sell)
  }
}

/** Key of a price: the better the price for the other side, the less. */
export function keyOf(side: Side, priceIndex: number): number {
  return side === buy ? keyLimit - priceIndex : priceIndex
}

/** The price of a key; `keyOf` is its own inverse. */
export const indexOfKey = keyOf

function placeOrder(book: Book, order: IncomingOrder): number {
  assert(order.sizeLots > 0 && order.sizeLots <= sizeLotsMax, 'book: size within its bounds')
  assert(order.priceIndex > 0 && order.priceIndex <= priceIndexMax, 'book: price on the grid')
  if (order.tif === Tif.Fok) {
    const cause = fokObstacle(book, order)
    if (cause !== 0) {
      book.sink.removed(order.handle, cause, order.sizeLots)
      return 0
    }
  }
  const openLots = crosses(book, order) ? matchOrder(book, order) : order.sizeLots
  if (openLots === 0) return 0
  if (openLots < 0) {
    book.sink.removed(order.handle, RemovedCause.SelfTrade, -openLots)
    return 0
  }
  assert(order.tif !== Tif.Fok, 'book: a fok that was covered is filled')
  if (order.tif === Tif.Ioc) {
    book.sink.removed(order.handle, RemovedCause.Ioc, openLots)
    return 0
  }
  restOrder(book, order, openLots)
  return openLots
}

/** Whether the order's limit reaches the best level of the other side. */
function crosses(book: Book, order: IncomingOrder): boolean {
  const side = order.side === buy ? sell : buy
  const best = book.best[side]
  if (best === none) return false
  return book.pool.levels.words[(best << slotShift) + levelKey] <= keyOf(side, order.priceIndex)
}

/** @returns the lots left to rest, negated when self-trade prevention ends the order instead. */
function matchOrder(book: Book, order: IncomingOrder): number {
  const { pool, sink } = book
  const { words, lots } = pool.orders
  const { handle, account, selfTrade } = order
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  let openLots = order.sizeLots
  let stopped = false
  let level = book.best[side]
  while (level !== none && openLots > 0 && !stopped) {
    const key = pool.levels.words[(level << slotShift) + levelKey]
    if (key > limitKey) break
    const priceIndex = indexOfKey(side, key)
    let takenLots = 0
    let slot = pool.levels.words[(level << slotShift) + levelHead]
    touchLevel(pool, level)
    while (slot !== none && openLots > 0 && !stopped) {
      const at = slot << slotShift
      const makerLots = lots[(slot << lotsShift) + lotsField]
      if (words[at + orderAccount] === account) {
        stopped = selfTrade !== SelfTradeMode.CancelMaker
        if (selfTrade === SelfTradeMode.CancelTaker) break
        sink.removed(words[at + orderHandle], RemovedCause.SelfTrade, makerLots)
      } else if (makerLots > openLots) {
        sink.fill(words[at + orderHandle], handle, priceIndex, openLots)
        lots[(slot << lotsShift) + lotsField] = makerLots - openLots
        takenLots += openLots
        openLots = 0
        break
      } else {
        sink.fill(words[at + orderHandle], handle, priceIndex, makerLots)
        openLots -= makerLots
      }
      takenLots += makerLots
      const next = words[at + orderNext]
      freeOrder(pool, slot)
      slot = next
    }
    cutLevel(pool, level, slot, takenLots)
    level = slot === none ? nextLevel(pool.index, book.roots[side], key) : none
  }
  return stopped ? -openLots : openLots
}

/** Why a fok cannot be filled whole, or 0 when it can. Looks at no order that it would not take. */
function fokObstacle(book: Book, order: IncomingOrder): 0 | RemovedReason {
  const { index, levels, orders } = book.pool
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  const root = book.roots[side]
  let missingLots = order.sizeLots
  for (let level = book.best[side]; level !== none && missingLots > 0; ) {
    const key = levels.words[(level << slotShift) + levelKey]
    if (key > limitKey) break
    missingLots -= levels.lots[(level << lotsShift) + lotsField]
    level = nextLevel(index, root, key)
  }
  if (missingLots > 0) return RemovedCause.Fok
  missingLots = order.sizeLots
  for (let level = book.best[side]; level !== none; ) {
    const key = levels.words[(level << slotShift) + levelKey]
    if (key > limitKey) break
    let slot = levels.words[(level << slotShift) + levelHead]
    while (slot !== none) {
      if (orders.words[(slot << slotShift) + orderAccount] !== order.account) {
        missingLots -= orders.lots[(slot << lotsShift) + lotsField]
        if (missingLots <= 0) return 0
      } else if (order.selfTrade !== SelfTradeMode.CancelMaker) return RemovedCause.SelfTrade
      slot = orders.words[(slot << slotShift) + orderNext]
    }
    level = nextLevel(index, root, key)
  }
  return RemovedCause.SelfTrade
}

/** Puts an order at the end of its level. */
function restOrder(book: Book, order: IncomingOrder, openLots: number): void {
  const { pool } = book
  const { handle, account, side } = order
  const level = levelFor(book, side, keyOf(side, order.priceIndex))
  const slot = pool.orders.allocate()
  const { words, lots } = pool.orders
  const levelWords = pool.levels.words
  const at = slot << slotShift
  const tail = levelWords[(level << slotShift) + levelTail]
  words[at + orderNext] = none
  words[at + orderPrev] = tail
  words[at + orderLevel] = level
  words[at + orderHandle] = handle
  words[at + orderAccount] = account
  lots[(slot << lotsShift) + lotsField] = openLots
  if (tail === none) levelWords[(level << slotShift) + levelHead] = slot
  else words[(tail << slotShift) + orderNext] = slot
  levelWords[(level << slotShift) + levelTail] = slot
  touchLevel(pool, level)
  const totalAt = (level << lotsShift) + lotsField
  const totalLots = pool.levels.lots[totalAt] + openLots
  pool.levels.lots[totalAt] = Math.min(totalLots, levelLotsMax)
  bindHandle(pool, handle, slot)
}

/** The level at a key, made when there is none. */
function levelFor(book: Book, side: Side, key: number): number {
  const { pool } = book
  const best = book.best[side]
  const bestKey = best === none ? keyLimit + 1 : pool.levels.words[(best << slotShift) + levelKey]
  if (bestKey === key) return best
  const place = placeOf(pool.index, book.roots[side], key)
  const found = pool.index.children[place]
  if (found !== none) return found
  const level = pool.levels.allocate()
  const words = pool.levels.words
  const at = level << slotShift
  words[at + levelHead] = none
  words[at + levelTail] = none
  words[at + levelKey] = key
  words[at + levelSide] = side
  words[at + levelTouched] = 0
  words[at + levelRoot] = book.roots[side]
  pool.levels.lots[(level << lotsShift) + lotsField] = 0
  fillPlace(pool.index, place, level)
  if (key < bestKey) book.best[side] = level
  return level
}

/** Takes an order out of its level. @returns its open lots. */
function removeOrder(book: Book, slot: number, cause: RemovedReason): number {
  const { pool } = book
  const { words, lots } = pool.orders
  const levelWords = pool.levels.words
  const at = slot << slotShift
  const level = words[at + orderLevel]
  const levelBase = level << slotShift
  const side = levelWords[levelBase + levelSide]
  assert(levelWords[levelBase + levelRoot] === book.roots[side], 'book: the order is its own')
  const openLots = lots[(slot << lotsShift) + lotsField]
  const next = words[at + orderNext]
  const prev = words[at + orderPrev]
  touchLevel(pool, level)
  if (next === none) levelWords[levelBase + levelTail] = prev
  else words[(next << slotShift) + orderPrev] = prev
  if (prev === none) levelWords[levelBase + levelHead] = next
  else words[(prev << slotShift) + orderNext] = next
  subtractLots(pool, level, openLots)
  book.sink.removed(words[at + orderHandle], cause, openLots)
  freeOrder(pool, slot)
  return openLots
}

/** Makes `slot` the first order of its level after those before it were taken. */
function cutLevel(pool: BookPool, level: number, slot: number, takenLots: number): void {
  const at = level << slotShift
  pool.levels.words[at + levelHead] = slot
  if (slot === none) pool.levels.words[at + levelTail] = none
  else pool.orders.words[(slot << slotShift) + orderPrev] = none
  subtractLots(pool, level, takenLots)
}

/** A saturated total has forgotten its excess: it is added up again from the orders. */
function subtractLots(pool: BookPool, level: number, takenLots: number): void {
  const at = (level << lotsShift) + lotsField
  if (pool.levels.lots[at] < levelLotsMax) {
    pool.levels.lots[at] -= takenLots
    return
  }
  const { words, lots } = pool.orders
  let totalLots = 0
  let slot = pool.levels.words[(level << slotShift) + levelHead]
  while (slot !== none && totalLots < levelLotsMax) {
    totalLots += lots[(slot << lotsShift) + lotsField]
    slot = words[(slot << slotShift) + orderNext]
  }
  pool.levels.lots[at] = Math.min(totalLots, levelLotsMax)
}

function freeOrder(pool: BookPool, slot: number): void {
  pool.slotOf[pool.orders.words[(slot << slotShift) + orderHandle]] = none
  pool.orders.free(slot)
}

/** Ends a command: reports the levels that it changed and lets the empty ones go. */
function settleLevels(book: Book): void {
  const { pool, sink } = book
  const { words, lots } = pool.levels
  for (let place = 0; place < pool.touchedCount; place++) {
    const level = pool.touched[place]
    const at = level << slotShift
    const totalLots = lots[(level << lotsShift) + lotsField]
    const side = words[at + levelSide] as Side
    words[at + levelTouched] = 0
    if (totalLots !== pool.touchedLots[place]) {
      sink.level(side, indexOfKey(side, words[at + levelKey]), totalLots)
    }
    if (words[at + levelHead] === none) dropLevel(book, side, level)
  }
  pool.touchedCount = 0
  if (book.best[buy] === none) book.best[buy] = firstLevel(pool.index, book.roots[buy])
  if (book.best[sell] === none) book.best[sell] = firstLevel(pool.index, book.roots[sell])
}

function dropLevel(book: Book, side: Side, level: number): void {
  assert(
    book.pool.levels.lots[(level << lotsShift) + lotsField] === 0,
    'book: an empty level holds nothing',
  )
  const key = book.pool.levels.words[(level << slotShift) + levelKey]
  removeLevel(book.pool.index, book.roots[side], key)
  book.pool.levels.free(level)
  if (book.best[side] === level) book.best[side] = none
}

function closeSide(book: Book, side: Side): void {
  const { pool } = book
  for (let level = firstLevel(pool.index, book.roots[side]); level !== none; ) {
    let slot = pool.levels.words[(level << slotShift) + levelHead]
    while (slot !== none) {
      const next = pool.orders.words[(slot << slotShift) + orderNext]
      freeOrder(pool, slot)
      slot = next
    }
    pool.levels.lots[(level << lotsShift) + lotsField] = 0
    dropLevel(book, side, level)
    level = firstLevel(pool.index, book.roots[side])
  }
  freeRoot(pool.index, book.roots[side])
}
