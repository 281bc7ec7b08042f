import { assert } from '../../schemas/assert.js'
import { priceMicrosMax, sizeLotsMax } from '../../schemas/bounds.js'
import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import { RemovedCause } from '../../schemas/record-values.js'
import { addCost, type CostSum, clearCost, isCostAbove } from './cost-sum.js'
import { beginRound, logFill } from './fill-log.js'
import { allocateRoot, freeRoot, keyMax } from './key-tree.js'
import {
  addLevel,
  firstLevel,
  indexOfKey,
  keyOf,
  levelAt,
  nextLevel,
  noLevel,
  removeLevel,
} from './level-index.js'
import {
  type BookSink,
  type IncomingOrder,
  notResting,
  type OrderBook,
  type RemovedReason,
} from './order-book.js'
import {
  bindHandle,
  freeOrder,
  groupOfOrder,
  levelField,
  type OrderPool,
  orderField,
  type PooledBook,
  protectOrder,
  removeOrder,
  sideOfLevel,
  slotOfHandle,
  subtractLots,
  takeLots,
  takeOrder,
  totalLotsMax,
  touchLevel,
  untouchLevel,
} from './order-pool.js'
import { priceIndexMax, priceMicrosOf } from './price-grid.js'
import {
  beginCounting,
  countsMaker,
  countsTaker,
  endMaker,
  endTaker,
  finishOtherBooks,
  isCanceledInTrial,
  tryMaker,
  tryTaker,
} from './protection.js'
import {
  closableLots,
  keepTrialLots,
  movePosition,
  setWatchedPosition,
  skipTrialOrder,
  trialLotsFor,
  watchOrder,
} from './reduce-only.js'
import { slotShape } from './slot-pool.js'
import { beginTrial } from './watched-positions.js'

// Local copies of imported constants: order-pool.ts says why.
const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { next: orderNext, prev: orderPrev, level: orderLevel } = orderField
const { handle: orderHandle, account: orderAccount, entry: orderEntry } = orderField
const { head: levelHead, tail: levelTail, key: levelKey, state: levelState } = levelField
const { Buy: buy, Sell: sell } = Side
const { Gtc: gtc, Fok: fok, Alo: alo } = Tif
const { Cancel: canceled, SelfTrade: selfTraded, Ioc: iocLeft } = RemovedCause
const missing = notResting
const none = noLevel
const [sizeMax, priceMax] = [sizeLotsMax, priceIndexMax]
const levelLotsMax = totalLotsMax
const keysMax = keyMax

/**
 * Order book of one instrument. All books of a matcher share one pool of slots, which allocates only
 * when it doubles. Levels are indexed by key (`keyOf`). The best level of each side has the lowest
 * key, so one function serves buys and sells. A level that empties during a command stays in the
 * index until the command ends. Then the book reports each touched level once and removes the empty
 * ones.
 *
 * A book with reduce-only or protected orders matches in `matchWatched` instead.
 */
export class Book implements OrderBook, PooledBook {
  readonly pool: OrderPool
  readonly sink: BookSink
  /** By side: root in the level index, and best level or `none`. */
  readonly roots: number[]
  readonly best: number[] = [none, none]
  /**
   * By side: the second-best level, or `none` if it is unknown. Most short-lived levels are the best
   * one. When such a level empties, this one replaces it without a search.
   */
  readonly second: number[] = [none, none]
  /** Accounts with resting reduce-only orders. */
  watchCount = 0
  /** Resting orders under market-maker protection. */
  protectedCount = 0
  readonly instrument: number

  /** @param instrument the other books of the pool find this one by it. */
  constructor(pool: OrderPool, sink: BookSink, instrument = 0) {
    this.pool = pool
    this.sink = sink
    this.instrument = instrument
    this.roots = [allocateRoot(pool.index), allocateRoot(pool.index)]
    while (pool.books.length <= instrument) pool.books.push(undefined)
    pool.books[instrument] = this
  }

  place(order: IncomingOrder): number {
    assert(this.pool.touchedCount === 0, 'book: no command is in progress')
    const restLots = enterOrder(this, order)
    if (this.pool.touchedCount > 0) finishLevels(this)
    if (this.pool.protections.otherCount > 0) finishOtherBooks(this.pool)
    return restLots
  }

  crosses(order: IncomingOrder, replacedHandle: number): boolean {
    if (!reachesBest(this, order)) return false
    const slot = replacedHandle === missing ? none : slotOfHandle(this.pool, replacedHandle)
    return slot === none || !isAlone(this, slot) || reachesNextLevel(this, order, slot)
  }

  fillsAsQuoted(order: IncomingOrder): boolean {
    if (order.tif === alo || !reachesBest(this, order)) return false
    if (order.isReduceOnly) {
      beginRound(this.pool.fills, order.round)
      if (closableLots(this, order) < order.sizeLots) return false
    }
    return fillsAsQuoted(this, order)
  }

  replace(oldHandle: number, order: IncomingOrder): number {
    const slot = slotOfHandle(this.pool, oldHandle)
    if (slot === none) return missing
    const { orders, touchedCount } = this.pool
    const isOwn = orders.words[(slot << slotShift) | orderHandle] === oldHandle
    assert(isOwn, 'book: the handle belongs to this order')
    assert(touchedCount === 0, 'book: no command is in progress')
    removeOrder(this, slot, RemovedCause.Replace)
    const restLots = enterOrder(this, order)
    finishLevels(this)
    if (this.pool.protections.otherCount > 0) finishOtherBooks(this.pool)
    return restLots
  }

  cancel(handle: number): number {
    const slot = slotOfHandle(this.pool, handle)
    if (slot === none) return missing
    const { orders, levels } = this.pool
    const { words } = orders
    assert(
      words[(slot << slotShift) | orderHandle] === handle,
      'book: the handle belongs to this order',
    )
    const level = words[(slot << slotShift) | orderLevel]
    const lotsBefore = levels.lots[(level << lotsShift) | lotsField]
    const openLots = takeOrder(this, slot, canceled)
    // The command has one level, which it reports directly.
    reportLevel(this, level, lotsBefore)
    if (levels.words[(level << slotShift) | levelHead] === none) {
      dropLevel(this, level)
      findBest(this)
    }
    return openLots
  }

  setPosition(account: number, positionLots: number): void {
    assert(this.pool.touchedCount === 0, 'book: no command is in progress')
    setWatchedPosition(this, account, positionLots)
    if (this.pool.touchedCount > 0) finishLevels(this)
  }

  openLotsOf(handle: number): number {
    const slot = slotOfHandle(this.pool, handle)
    return slot === none ? missing : this.pool.orders.lots[(slot << lotsShift) | lotsField]
  }

  bestIndexOf(side: Side): number {
    const level = this.best[side]
    if (level === none) return 0
    return indexOfKey(side, this.pool.levels.words[(level << slotShift) | levelKey])
  }

  levelLotsAt(side: Side, priceIndex: number): number {
    const level = levelAt(this.pool.index, this.roots[side], keyOf(side, priceIndex))
    return level === none ? 0 : this.pool.levels.lots[(level << lotsShift) | lotsField]
  }

  close(): void {
    closeSide(this, Side.Buy)
    closeSide(this, Side.Sell)
    this.pool.books[this.instrument] = undefined
  }

  /** Reports a level that a command of another book touched here. */
  finishLevel(level: number, lotsBefore: number): void {
    untouchLevel(this.pool, level)
    reportLevel(this, level, lotsBefore)
    if (this.pool.levels.words[(level << slotShift) | levelHead] !== none) return
    dropLevel(this, level)
    findBest(this)
  }
}

function enterOrder(book: Book, order: IncomingOrder): number {
  const { sizeLots, priceIndex } = order
  assert(sizeLots > 0 && sizeLots <= sizeMax, 'book: size within its bounds')
  assert(order.handle >= 0, 'book: the handle is not negative')
  assert(priceIndex > 0 && priceIndex <= priceMax, 'book: price on the grid')
  if ((order.isReduceOnly || order.tif === fok) && !isAdmitted(book, order)) return 0
  if (reachesBest(book, order)) {
    if (trade(book, order)) return endOrder(book, order, selfTraded)
    if (order.openLots === 0) return 0
  } else {
    order.openLots = order.sizeLots
  }
  if (order.tif !== gtc && order.tif !== alo) return endOrder(book, order, iocLeft)
  restOrder(book, order)
  return order.openLots
}

function endOrder(book: Book, order: IncomingOrder, cause: RemovedReason): number {
  assert(order.tif !== fok, 'book: a fok that was covered is filled')
  book.sink.removed(order.handle, cause, order.openLots)
  return 0
}

/** Caps a reduce-only order, and checks that a fok can fill. Reports the order if it ends here. */
function isAdmitted(book: Book, order: IncomingOrder): boolean {
  if (order.isReduceOnly && !capOrder(book, order)) {
    book.sink.removed(order.handle, RemovedCause.ReduceOnly, order.sizeLots)
    return false
  }
  if (order.tif !== fok) return true
  const cause = isWatched(book, order) ? fokObstacleWatched(book, order) : fokObstacle(book, order)
  if (cause !== 0) book.sink.removed(order.handle, cause, order.sizeLots)
  return cause === 0
}

/**
 * Caps a reduce-only order at the lots that it can still close.
 * @returns false if no lots are left, or if a fok would be capped.
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

/**
 * Matches an order. `openLots` is updated to its unfilled lots.
 * @returns true if self-trade prevention cancels the order.
 */
function trade(book: Book, order: IncomingOrder): boolean {
  beginRound(book.pool.fills, order.round)
  const isStopped = isWatched(book, order) ? matchWatched(book, order) : matchOrder(book, order)
  assert(
    order.tif !== alo || order.openLots === order.sizeLots,
    'book: an ALO order never takes liquidity',
  )
  return isStopped
}

/** Returns true if a trade can also affect protection or reduce-only orders. */
function isWatched(book: Book, order: IncomingOrder): boolean {
  return book.watchCount + book.protectedCount > 0 || order.countsAsTaker
}

/** Returns true if the order crosses the best level of the opposite side. */
function reachesBest(book: Book, order: IncomingOrder): boolean {
  const side = order.side === buy ? sell : buy
  const best = book.best[side]
  if (best === none) return false
  return book.pool.levels.words[(best << slotShift) | levelKey] <= keyOf(side, order.priceIndex)
}

/** Returns true if a resting order is the only order at the best level of its side. */
function isAlone(book: Book, slot: number): boolean {
  const { levels, orders } = book.pool
  const level = orders.words[(slot << slotShift) | orderLevel]
  if (book.best[sideOfLevel(book.pool, level)] !== level) return false
  const at = level << slotShift
  return levels.words[at | levelHead] === slot && levels.words[at | levelTail] === slot
}

/** Returns true if the order would cross the next level after that of a resting order. */
function reachesNextLevel(book: Book, order: IncomingOrder, slot: number): boolean {
  const { index, levels, orders } = book.pool
  const level = orders.words[(slot << slotShift) | orderLevel]
  const side = sideOfLevel(book.pool, level)
  if (side === order.side) return true
  const key = levels.words[(level << slotShift) | levelKey]
  const next = nextLevel(index, book.roots[side], key)
  return (
    next !== none && levels.words[(next << slotShift) | levelKey] <= keyOf(side, order.priceIndex)
  )
}

/** Same as `trade`, for a book without reduce-only or protected orders. */
function matchOrder(book: Book, order: IncomingOrder): boolean {
  const { pool, sink } = book
  const { words, lots } = pool.orders
  const { handle, account, selfTrade } = order
  const root = book.roots[buy]
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  let openLots = order.sizeLots
  let filledLots = 0
  let stopped = false
  let level = book.best[side]
  while (level !== none && openLots > 0 && !stopped) {
    const key = pool.levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) break
    const priceIndex = indexOfKey(side, key)
    const filledBefore = filledLots
    let ownLots = 0
    let slot = pool.levels.words[(level << slotShift) | levelHead]
    touchLevel(pool, level)
    while (slot !== none && openLots > 0 && !stopped) {
      const at = slot << slotShift
      const makerLots = lots[(slot << lotsShift) | lotsField]
      assert(makerLots > 0, 'book: a resting order has open lots')
      if (words[at | orderAccount] === account) {
        stopped = selfTrade !== SelfTradeMode.CancelMaker
        if (selfTrade === SelfTradeMode.CancelTaker) break
        sink.removed(words[at | orderHandle], RemovedCause.SelfTrade, makerLots)
        ownLots += makerLots
      } else if (makerLots > openLots) {
        sink.fill(words[at | orderHandle], handle, priceIndex, openLots)
        logFill(pool.fills, root, words[at | orderAccount], account, order.side, openLots)
        lots[(slot << lotsShift) | lotsField] = makerLots - openLots
        filledLots += openLots
        openLots = 0
        break
      } else {
        sink.fill(words[at | orderHandle], handle, priceIndex, makerLots)
        logFill(pool.fills, root, words[at | orderAccount], account, order.side, makerLots)
        filledLots += makerLots
        openLots -= makerLots
      }
      const next = words[at | orderNext]
      freeOrder(book, slot)
      slot = next
    }
    cutLevel(pool, level, slot, filledLots - filledBefore + ownLots)
    level = slot === none ? nextLevel(pool.index, book.roots[side], key) : none
  }
  assert(openLots >= 0, 'book: no order is overfilled')
  assert(openLots + filledLots === order.sizeLots, 'book: filled and open lots add up to the size')
  order.openLots = openLots
  return stopped
}

// Matching in a book with reduce-only or protected orders, or of an order whose own account has protection. Each trade
// completes before the next: first protection cancels orders, then reduce-only orders shrink, then matching continues.

/**
 * Matches an order. `openLots` is updated to its unfilled lots.
 * @returns true if self-trade prevention cancels the order.
 */
function matchWatched(book: Book, order: IncomingOrder): boolean {
  const { pool } = book
  const { selfTrade } = order
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  let level = book.best[side]
  order.openLots = order.sizeLots
  while (level !== none && order.openLots > 0) {
    const key = pool.levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) break
    const slot = pool.levels.words[(level << slotShift) | levelHead]
    if (slot === none) {
      level = nextLevel(pool.index, book.roots[side], key)
    } else if (pool.orders.words[(slot << slotShift) | orderAccount] !== order.account) {
      tradeWatched(book, order, slot, indexOfKey(side, key))
    } else {
      if (selfTrade !== SelfTradeMode.CancelTaker) removeOrder(book, slot, RemovedCause.SelfTrade)
      if (selfTrade !== SelfTradeMode.CancelMaker) return true
    }
  }
  return false
}

/** Trades with the order in `slot`, then applies protection and reduce-only rules. */
function tradeWatched(book: Book, order: IncomingOrder, slot: number, priceIndex: number): void {
  const { pool, sink } = book
  const { words, lots } = pool.orders
  const at = slot << slotShift
  const maker = words[at | orderAccount]
  const makerLots = lots[(slot << lotsShift) | lotsField]
  const sizeLots = Math.min(order.openLots, makerLots)
  const group = groupOfOrder(pool, slot)
  pool.protections.fillLots[0] = sizeLots
  const endsMaker = group !== none && countsMaker(book, order, slot)
  const endsTaker = countsTaker(book, order)
  sink.fill(words[at | orderHandle], order.handle, priceIndex, sizeLots)
  logFill(pool.fills, book.roots[buy], maker, order.account, order.side, sizeLots)
  takeLots(book, slot, sizeLots)
  order.openLots -= sizeLots
  if (endsMaker) endMaker(book, slot, group, sizeLots < makerLots)
  if (endsTaker) endTaker(book, order)
  if (book.watchCount === 0) return
  movePosition(book, maker, order.side === buy ? -sizeLots : sizeLots)
  movePosition(book, order.account, order.side === buy ? sizeLots : -sizeLots)
}

// Trials: can a fok fill completely, and what would an order cost? They change nothing.

/** Returns the reason why a fok cannot fill completely, or 0 if it can. */
function fokObstacle(book: Book, order: IncomingOrder): 0 | RemovedReason {
  const { index, levels, orders } = book.pool
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  const root = book.roots[side]
  let missingLots = order.sizeLots
  for (let level = book.best[side]; level !== none && missingLots > 0; ) {
    const key = levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) break
    missingLots -= levels.lots[(level << lotsShift) | lotsField]
    level = nextLevel(index, root, key)
  }
  if (missingLots > 0) return RemovedCause.Fok
  missingLots = order.sizeLots
  for (let level = book.best[side]; level !== none; ) {
    const key = levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) break
    let slot = levels.words[(level << slotShift) | levelHead]
    while (slot !== none) {
      if (orders.words[(slot << slotShift) | orderAccount] !== order.account) {
        missingLots -= orders.lots[(slot << lotsShift) | lotsField]
        if (missingLots <= 0) return 0
      } else if (order.selfTrade !== SelfTradeMode.CancelMaker) return RemovedCause.SelfTrade
      slot = orders.words[(slot << slotShift) | orderNext]
    }
    level = nextLevel(index, root, key)
  }
  return RemovedCause.SelfTrade
}

/** Same as `fokObstacle`, but ignores lots that an earlier fill would cut or cancel. */
function fokObstacleWatched(book: Book, order: IncomingOrder): 0 | RemovedReason {
  if (isCovered(book, order, false, null)) return 0
  return isCovered(book, order, true, null) ? RemovedCause.SelfTrade : RemovedCause.Fok
}

/** Returns true if the book would fill the whole order at `quotedMicros` per contract or better. */
function fillsAsQuoted(book: Book, order: IncomingOrder): boolean {
  const { quotedMicros, sizeLots } = order
  assert(quotedMicros > 0 && quotedMicros <= priceMicrosMax, 'auction: the quote is a valid price')
  const { bookCost, quotedCost } = book.pool
  clearCost(bookCost)
  if (!isCovered(book, order, false, bookCost)) return false
  clearCost(quotedCost)
  addCost(quotedCost, quotedMicros, sizeLots)
  return order.side === buy
    ? !isCostAbove(bookCost, quotedCost)
    : !isCostAbove(quotedCost, bookCost)
}

/**
 * Returns true if the book would fill the whole order.
 * @param withOwn true: own orders count as liquidity; false: self-trade prevention applies.
 * @param cost accumulates the cost of the fills; null: not needed.
 */
function isCovered(
  book: Book,
  order: IncomingOrder,
  withOwn: boolean,
  cost: CostSum | null,
): boolean {
  const { index, levels, orders, watched } = book.pool
  const side = order.side === buy ? sell : buy
  const limitKey = keyOf(side, order.priceIndex)
  let leftLots = order.sizeLots
  beginTrial(watched)
  beginCounting(book.pool, order)
  for (let level = book.best[side]; level !== none; ) {
    const key = levels.words[(level << slotShift) | levelKey]
    if (key > limitKey) return false
    let slot = levels.words[(level << slotShift) | levelHead]
    while (slot !== none) {
      const isOwn = orders.words[(slot << slotShift) | orderAccount] === order.account
      if (!isOwn || withOwn) {
        const openLots = isOwn
          ? orders.lots[(slot << lotsShift) | lotsField]
          : trialFillLots(book, order, slot)
        const sizeLots = Math.min(leftLots, openLots)
        if (cost !== null) addCost(cost, priceMicrosOf(indexOfKey(side, key)), sizeLots)
        leftLots -= sizeLots
        if (leftLots === 0) return true
        book.pool.protections.fillLots[0] = sizeLots
        if (sizeLots > 0 && !tryTaker(book, order)) return false
      } else if (order.selfTrade !== SelfTradeMode.CancelMaker) return false
      slot = orders.words[(slot << slotShift) | orderNext]
    }
    level = nextLevel(index, book.roots[side], key)
  }
  return false
}

/** Returns the lots that the order would get from the one in `slot`, and counts that fill. */
function trialFillLots(book: Book, order: IncomingOrder, slot: number): number {
  if (isCanceledInTrial(book.pool, slot)) {
    skipTrialOrder(book, slot)
    return 0
  }
  const side = order.side === buy ? sell : buy
  const sizeLots = trialLotsFor(book, side, slot)
  book.pool.protections.fillLots[0] = sizeLots
  if (sizeLots > 0 && tryMaker(book, order, slot)) keepTrialLots(book, slot, sizeLots)
  return sizeLots
}

// Levels and their queues of orders.

/** Appends the open lots of an order to the queue of its level. */
function restOrder(book: Book, order: IncomingOrder): void {
  const { pool } = book
  const { handle, side, openLots } = order
  const key = keyOf(side, order.priceIndex)
  const found = findLevel(book, side, key)
  const level = found !== none ? found : makeLevel(book, side, key)
  const slot = pool.orders.allocate()
  const { words, lots } = pool.orders
  const { words: levelWords, lots: levelLots } = pool.levels
  const at = slot << slotShift
  const levelBase = level << slotShift
  const tail = levelWords[levelBase | levelTail]
  assert(openLots > 0, 'book: an order that rests has open lots')
  words[at | orderNext] = none
  words[at | orderPrev] = tail
  words[at | orderLevel] = level
  words[at | orderHandle] = handle
  words[at | orderAccount] = order.account
  words[at | orderEntry] = none
  lots[(slot << lotsShift) | lotsField] = openLots
  if (tail === none) levelWords[levelBase | levelHead] = slot
  else words[(tail << slotShift) | orderNext] = slot
  levelWords[levelBase | levelTail] = slot
  // The command has one level, which it reports directly.
  const isAlone = pool.touchedCount === 0
  if (!isAlone) touchLevel(pool, level)
  const totalAt = (level << lotsShift) | lotsField
  const lotsBefore = levelLots[totalAt]
  const totalLots = Math.min(lotsBefore + openLots, levelLotsMax)
  levelLots[totalAt] = totalLots
  bindHandle(pool, handle, slot)
  if (order.isReduceOnly) watchOrder(book, order, slot)
  if (order.isProtected) protectOrder(book, order.account, order.underlying, slot)
  if (isAlone && totalLots !== lotsBefore) book.sink.level(side, order.priceIndex, totalLots)
}

/** Returns the level of a key, or `none`. */
function findLevel(book: Book, side: Side, key: number): number {
  const best = book.best[side]
  if (best === none) return none
  const bestKey = book.pool.levels.words[(best << slotShift) | levelKey]
  if (key === bestKey) return best
  return key < bestKey ? none : levelAt(book.pool.index, book.roots[side], key)
}

/** Creates the level of a key, which must not exist. */
function makeLevel(book: Book, side: Side, key: number): number {
  const { pool, best, second } = book
  const level = pool.levels.allocate()
  const { words, lots } = pool.levels
  const at = level << slotShift
  words[at | levelHead] = none
  words[at | levelTail] = none
  words[at | levelState] = side
  lots[(level << lotsShift) | lotsField] = 0
  addLevel(pool.index, book.roots[side], key, level)
  const bestLevel = best[side]
  const secondLevel = second[side]
  if (bestLevel === none || key < words[(bestLevel << slotShift) | levelKey]) {
    best[side] = level
    second[side] = bestLevel
  } else if (secondLevel !== none && key < words[(secondLevel << slotShift) | levelKey]) {
    second[side] = level
  }
  return level
}

/** Makes `slot` the head of its level after the orders before it were removed. */
function cutLevel(pool: OrderPool, level: number, slot: number, takenLots: number): void {
  const at = level << slotShift
  pool.levels.words[at | levelHead] = slot
  if (slot === none) pool.levels.words[at | levelTail] = none
  else pool.orders.words[(slot << slotShift) | orderPrev] = none
  subtractLots(pool, level, takenLots)
}

/** Ends a command: reports the levels that changed, and removes the empty ones. */
function finishLevels(book: Book): void {
  const { pool } = book
  const { touchedCount } = pool
  if (touchedCount === 0) return
  for (let place = 0; place < touchedCount; place++) {
    const level = pool.touched[place]
    untouchLevel(pool, level)
    reportLevel(book, level, pool.touchedLots[place])
    if (pool.levels.words[(level << slotShift) | levelHead] === none) dropLevel(book, level)
  }
  pool.touchedCount = 0
  findBest(book)
  assert(!isCrossed(book), 'book: the best bid is below the best ask')
}

function reportLevel(book: Book, level: number, lotsBefore: number): void {
  const { levels } = book.pool
  const totalLots = levels.lots[(level << lotsShift) | lotsField]
  if (totalLots === lotsBefore) return
  const side = sideOfLevel(book.pool, level)
  book.sink.level(side, indexOfKey(side, levels.words[(level << slotShift) | levelKey]), totalLots)
}

function dropLevel(book: Book, level: number): void {
  const { pool, best, second } = book
  const side = sideOfLevel(pool, level)
  assert(pool.levels.lots[(level << lotsShift) | lotsField] === 0, 'book: an empty level is empty')
  removeLevel(pool.index, level)
  pool.levels.free(level)
  if (best[side] === level) {
    best[side] = second[side]
    second[side] = none
  } else if (second[side] === level) {
    second[side] = none
  }
}

/** Finds the best level of each side whose best level was removed while the second was unknown. */
function findBest(book: Book): void {
  const { index } = book.pool
  if (book.best[buy] === none) book.best[buy] = firstLevel(index, book.roots[buy])
  if (book.best[sell] === none) book.best[sell] = firstLevel(index, book.roots[sell])
}

/** Returns true if the best bid is at or above the best ask. The key of a bid is `keyMax` minus its price. */
function isCrossed({ best, pool }: Book): boolean {
  const bid = best[buy]
  const ask = best[sell]
  if (bid === none || ask === none) return false
  const { words } = pool.levels
  return words[(bid << slotShift) | levelKey] + words[(ask << slotShift) | levelKey] <= keysMax
}

function closeSide(book: Book, side: Side): void {
  const { pool } = book
  for (let level = firstLevel(pool.index, book.roots[side]); level !== none; ) {
    let slot = pool.levels.words[(level << slotShift) | levelHead]
    while (slot !== none) {
      const next = pool.orders.words[(slot << slotShift) | orderNext]
      freeOrder(book, slot)
      slot = next
    }
    pool.levels.lots[(level << lotsShift) | lotsField] = 0
    dropLevel(book, level)
    level = firstLevel(pool.index, book.roots[side])
  }
  freeRoot(pool.index, book.roots[side])
}
