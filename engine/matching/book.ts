import { assert } from '../../schemas/assert.js'
import { sizeLotsMax } from '../../schemas/bounds.js'
import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import {
  type BookPool,
  bindHandle,
  levelField,
  orderField,
  slotOfHandle,
  touchLevel,
} from './book-pool.js'
import { cutLevel, freeOrder, removeOrder, totalLotsMax } from './book-queue.js'
import { beginRound, logFill } from './fill-log.js'
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
import { indexOfKey, keyOf } from './price-key.js'
import { RemovedCause } from './records.js'
import { closableLots, fokObstacleWatched, matchWatched, watchOrder } from './reduce-only.js'
import { slotShape } from './slot-pool.js'

// Names of this module are folded into the code, imported and exported ones are read from memory:
// see book-pool.ts.
const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { next: orderNext, prev: orderPrev, level: orderLevel } = orderField
const { handle: orderHandle, account: orderAccount, entry: orderEntry } = orderField
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
 *
 * A book with reduce-only orders trades through the lines of reduce-only.ts instead.
 */
export class Book implements OrderBook {
  readonly pool: BookPool
  readonly sink: BookSink
  /** By side: root in the level index, and best level or `none`. */
  readonly roots: number[]
  readonly best: number[] = [none, none]
  /** Accounts with resting reduce-only orders. */
  watchCount = 0

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

function placeOrder(book: Book, order: IncomingOrder): number {
  assert(order.sizeLots > 0 && order.sizeLots <= sizeLotsMax, 'book: size within its bounds')
  assert(order.priceIndex > 0 && order.priceIndex <= priceIndexMax, 'book: price on the grid')
  if (order.isReduceOnly && !capOrder(book, order)) {
    book.sink.removed(order.handle, RemovedCause.ReduceOnly, order.sizeLots)
    return 0
  }
  if (order.tif === Tif.Fok) {
    const watches = book.watchCount > 0
    const cause = watches ? fokObstacleWatched(book, order) : fokObstacle(book, order)
    if (cause !== 0) {
      book.sink.removed(order.handle, cause, order.sizeLots)
      return 0
    }
  }
  const openLots = crosses(book, order) ? trade(book, order) : order.sizeLots
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

/**
 * Lowers a reduce-only order to what it can still close.
 * @returns whether anything is left of it; a `fok` stays whole or nothing.
 */
function capOrder(book: Book, order: IncomingOrder): boolean {
  beginRound(book.pool.fills, order.round)
  const leftLots = closableLots(book, order)
  if (leftLots >= order.sizeLots) return true
  if (leftLots === 0 || order.tif === Tif.Fok) return false
  book.sink.reduced(order.handle, leftLots)
  order.sizeLots = leftLots
  return true
}

/** @returns the lots left to rest, negated when self-trade prevention ends the order instead. */
function trade(book: Book, order: IncomingOrder): number {
  beginRound(book.pool.fills, order.round)
  return book.watchCount > 0 ? matchWatched(book, order) : matchOrder(book, order)
}

/** Whether the order's limit reaches the best level of the other side. */
function crosses(book: Book, order: IncomingOrder): boolean {
  const side = order.side === buy ? sell : buy
  const best = book.best[side]
  if (best === none) return false
  return book.pool.levels.words[(best << slotShift) + levelKey] <= keyOf(side, order.priceIndex)
}

/** As `trade`, in a book without reduce-only orders. */
function matchOrder(book: Book, order: IncomingOrder): number {
  const { pool, sink } = book
  const { words, lots } = pool.orders
  const { handle, account, selfTrade } = order
  const root = book.roots[buy]
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
        logFill(pool.fills, root, words[at + orderAccount], account, order.side, openLots)
        lots[(slot << lotsShift) + lotsField] = makerLots - openLots
        takenLots += openLots
        openLots = 0
        break
      } else {
        sink.fill(words[at + orderHandle], handle, priceIndex, makerLots)
        logFill(pool.fills, root, words[at + orderAccount], account, order.side, makerLots)
        openLots -= makerLots
      }
      takenLots += makerLots
      const next = words[at + orderNext]
      freeOrder(book, slot)
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
  words[at + orderEntry] = none
  lots[(slot << lotsShift) + lotsField] = openLots
  if (tail === none) levelWords[(level << slotShift) + levelHead] = slot
  else words[(tail << slotShift) + orderNext] = slot
  levelWords[(level << slotShift) + levelTail] = slot
  touchLevel(pool, level)
  const totalAt = (level << lotsShift) + lotsField
  const totalLots = pool.levels.lots[totalAt] + openLots
  pool.levels.lots[totalAt] = Math.min(totalLots, levelLotsMax)
  bindHandle(pool, handle, slot)
  if (order.isReduceOnly) watchOrder(book, order, slot)
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
      freeOrder(book, slot)
      slot = next
    }
    pool.levels.lots[(level << lotsShift) + lotsField] = 0
    dropLevel(book, side, level)
    level = firstLevel(pool.index, book.roots[side])
  }
  freeRoot(pool.index, book.roots[side])
}
