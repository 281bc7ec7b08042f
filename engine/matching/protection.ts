import { assert } from '../../schemas/assert.js'
import { Side, Tif } from '../../schemas/domain.js'
import { RemovedCause } from '../../schemas/record-values.js'
import { grown } from '../memory/grown.js'
import { addAmounts, countFill, triggersOf } from './mmp-window.js'
import type { IncomingOrder } from './order-book.js'
import {
  groupOfOrder,
  isTouched,
  markTouched,
  type OrderPool,
  orderField,
  type PooledBook,
  removeOrder,
  takeOrder,
} from './order-pool.js'
import {
  findGroup,
  groupField,
  type ProtectionTable,
  type TrialWindow,
  trialSumsOf,
} from './protection-table.js'
import { slotShape } from './slot-pool.js'
import { entryField } from './watched-positions.js'

// Market-maker protection: effects of a fill of a protected order on the other orders of its account and underlying, in
// all books of the underlying, before matching continues. All books of an underlying belong to one matcher.

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { level: orderLevel, account: orderAccount } = orderField
const { head: groupHead } = groupField
const { groupNext, order: entryOrder, instrument: entryInstrument } = entryField
const { Buy: buy } = Side
const none = 0
/** Maximum number of orders of a group: the sort by instrument combines instrument and place into one number. */
const placesMax = 2 ** 21

/** Returns true if a protected order is rejected because its account is frozen. */
export function isRejected(protections: ProtectionTable, order: IncomingOrder): boolean {
  if (!order.isProtected) return false
  const window = windowOfIncoming(protections, order)
  // Same as `isFrozen`, whose argument would be boxed.
  return window !== undefined && order.nowMillis < window.frozenUntilMillis
}

/**
 * Counts a fill of the resting order in `slot`, if it is protected. The size is in `fillLots`.
 * @returns true if the fill triggers.
 */
export function countsMaker(book: PooledBook, order: IncomingOrder, slot: number): boolean {
  const { protections } = book.pool
  const window = windowOfResting(book.pool, slot)
  if (window === undefined) return false
  const account = book.pool.orders.words[(slot << slotShift) | orderAccount]
  fillOf(protections, order, account, order.side === buy ? -1 : 1)
  return counted(protections, window)
}

/** Like `countsMaker`, for the incoming order if its fills count. @returns true if the fill triggers. */
export function countsTaker(book: PooledBook, order: IncomingOrder): boolean {
  const { protections } = book.pool
  if (!order.countsAsTaker) return false
  const window = windowOfIncoming(protections, order)
  if (window === undefined) return false
  fillOf(protections, order, order.account, order.side === buy ? 1 : -1)
  return counted(protections, window)
}

/** Ends all orders of a group after a triggering fill of the order in `slot`, including its remainder. */
export function endMaker(book: PooledBook, slot: number, group: number, isLeft: boolean): void {
  if (isLeft) removeOrder(book, slot, RemovedCause.MmpFilled)
  cancelGroup(book, group)
}

/** Ends an incoming order whose fill triggered, and the resting orders of its group. */
export function endTaker(book: PooledBook, order: IncomingOrder): void {
  const { openLots } = order
  if (openLots > 0) {
    assert(order.tif !== Tif.Fok, 'protection: a fok that was covered is filled')
    book.sink.removed(order.handle, RemovedCause.MmpFilled, openLots)
    order.openLots = 0
  }
  const group = findGroup(book.pool.protections, order.account, order.underlying)
  cancelGroup(book, group)
}

/** Reports the levels of other books that the command changed, and removes the empty ones. */
export function finishOtherBooks(pool: OrderPool): void {
  const { protections } = pool
  const { sink, otherLevels, otherInstruments, otherLots } = protections
  const { instrument } = sink
  for (let place = 0; place < protections.otherCount; place++) {
    const other = pool.books[otherInstruments[place]]
    assert(other !== undefined, 'protection: the book of a protected order is open')
    sink.instrument = otherInstruments[place]
    other.finishLevel(otherLevels[place], otherLots[place])
  }
  protections.otherCount = 0
  sink.instrument = instrument
}

/** Starts a trial fill of a fok. The trial counts its fills apart from the windows. */
export function beginCounting(pool: OrderPool, order: IncomingOrder): void {
  const { protections } = pool
  protections.trial = (protections.trial + 1) | 0
  protections.fill.nowMillis = order.nowMillis
}

/** Returns true if the trial has triggered the protection of the resting order in `slot`, which cancels the order. */
export function isCanceledInTrial(pool: OrderPool, slot: number): boolean {
  const window = windowOfResting(pool, slot)
  return window?.trialOf === pool.protections.trial && window.isTrialOver
}

/** Counts a trial fill of the resting order in `slot`, with the size in `fillLots`. @returns true if it triggers. */
export function tryMaker(book: PooledBook, order: IncomingOrder, slot: number): boolean {
  const { protections } = book.pool
  const window = windowOfResting(book.pool, slot)
  if (window === undefined) return false
  fillOf(protections, order, 0, order.side === buy ? -1 : 1)
  tryFill(protections, window)
  return window.isTrialOver
}

/** Like `tryMaker`, for the incoming order. @returns true if the order continues. */
export function tryTaker(book: PooledBook, order: IncomingOrder): boolean {
  const { protections } = book.pool
  if (!order.countsAsTaker) return true
  const window = windowOfIncoming(protections, order)
  if (window === undefined) return true
  fillOf(protections, order, 0, order.side === buy ? 1 : -1)
  tryFill(protections, window)
  return !window.isTrialOver
}

/** Returns the protection window of a resting order; undefined without one. */
function windowOfResting(pool: OrderPool, slot: number): TrialWindow | undefined {
  const group = groupOfOrder(pool, slot)
  return group === none ? undefined : pool.protections.windows[group]
}

/** Returns the window of an incoming order's account and underlying; undefined without one. */
function windowOfIncoming(
  protections: ProtectionTable,
  order: IncomingOrder,
): TrialWindow | undefined {
  const group = findGroup(protections, order.account, order.underlying)
  return group === none ? undefined : protections.windows[group]
}

function tryFill(protections: ProtectionTable, window: TrialWindow): void {
  const sums = trialSumsOf(protections, window)
  addAmounts(sums, protections.fill)
  if (triggersOf(window, sums) !== 0) window.isTrialOver = true
}

function counted(protections: ProtectionTable, window: TrialWindow): boolean {
  const { fill } = protections
  countFill(window, fill)
  protections.sink.counted(fill)
  return fill.triggers !== 0
}

/** Sets `fill` to a fill of an account. @param sign 1 for a buy, else -1. */
function fillOf(
  { fill, fillLots }: ProtectionTable,
  order: IncomingOrder,
  account: number,
  sign: number,
): void {
  fill.account = account
  fill.underlying = order.underlying
  fill.nowMillis = order.nowMillis
  fill.sizeLots = sign * fillLots[0]
  fill.deltaMicros = order.deltaMicros
  fill.vegaMicros = order.vegaMicros
  fill.triggers = 0
}

/**
 * Cancels the resting orders of a group by instrument, then by age. A restored book has its own orders by age, but not
 * relative to orders of other books. Any other sequence would therefore differ after a restart.
 */
function cancelGroup(book: PooledBook, group: number): void {
  const { protections } = book.pool
  const count = collectGroup(book.pool, group)
  protections.gathered.subarray(0, count).sort()
  for (let i = 0; i < count; i++) {
    const found = protections.gathered[i]
    const instrument = Math.floor(found / placesMax)
    const slot = protections.gatheredSlots[found - instrument * placesMax]
    assert(groupOfOrder(book.pool, slot) === group, 'protection: the order belongs to the group')
    if (instrument === book.instrument) removeOrder(book, slot, RemovedCause.MmpTriggered)
    else removeOther(book, instrument, slot)
  }
  assert(
    protections.groups.words[(group << slotShift) | groupHead] === none,
    'protection: a trigger empties the group',
  )
}

/** Collects a group's orders as numbers that sort by instrument, then by age. @returns the number of orders. */
function collectGroup(pool: OrderPool, group: number): number {
  const { protections, watched } = pool
  const { words } = watched.entries
  let count = 0
  for (let entry = protections.groups.words[(group << slotShift) | groupHead]; entry !== none; ) {
    if (count === protections.gathered.length) growGathered(protections)
    assert(count < placesMax, 'protection: orders of a group within its bound')
    const at = entry << slotShift
    protections.gathered[count] = words[at | entryInstrument] * placesMax + count
    protections.gatheredSlots[count++] = words[at | entryOrder]
    entry = words[at | groupNext]
  }
  return count
}

/** Removes a protected order from another book. Its level is reported when the command ends. */
function removeOther(book: PooledBook, instrument: number, slot: number): void {
  const { pool } = book
  const { protections, levels } = pool
  const other = pool.books[instrument]
  assert(other !== undefined, 'protection: the book of a protected order is open')
  const level = pool.orders.words[(slot << slotShift) | orderLevel]
  if (!isTouched(pool, level)) {
    markTouched(pool, level)
    if (protections.otherCount === protections.otherLevels.length) growOthers(protections)
    const place = protections.otherCount++
    protections.otherLevels[place] = level
    protections.otherInstruments[place] = instrument
    protections.otherLots[place] = levels.lots[(level << lotsShift) | lotsField]
  }
  protections.sink.instrument = instrument
  takeOrder(other, slot, RemovedCause.MmpTriggered)
  protections.sink.instrument = book.instrument
}

function growOthers(protections: ProtectionTable): void {
  const { otherLevels, otherInstruments, otherLots } = protections
  const length = otherLevels.length * 2
  protections.otherLevels = grown(otherLevels, new Int32Array(length))
  protections.otherInstruments = grown(otherInstruments, new Int32Array(length))
  protections.otherLots = grown(otherLots, new Float64Array(length))
}

function growGathered(protections: ProtectionTable): void {
  const { gathered, gatheredSlots } = protections
  protections.gathered = grown(gathered, new Float64Array(2 * gathered.length))
  protections.gatheredSlots = grown(gatheredSlots, new Int32Array(2 * gatheredSlots.length))
}
