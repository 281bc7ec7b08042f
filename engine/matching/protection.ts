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
  type TriedWindow,
  trialSumsOf,
} from './protection-table.js'
import { slotShape } from './slot-pool.js'
import { entryField } from './watched-positions.js'

// Market-maker protection: what a fill of a protected order does to the
// others of its account and underlying, in all books of the underlying, before the incoming order goes on. All
// books of an underlying belong to one matcher.

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const { level: orderLevel, account: orderAccount } = orderField
const { head: groupHead } = groupField
const { groupNext, order: entryOrder, instrument: entryInstrument } = entryField
const { Buy: buy } = Side
const none = 0
/** Orders of a group that can be told apart while they are sorted by instrument. */
const placesMax = 2 ** 21

/** Whether a protected order is refused because its account is frozen. */
export function isRefused(protections: ProtectionTable, order: IncomingOrder): boolean {
  if (!order.isProtected) return false
  const window = windowOfIncoming(protections, order)
  // As `isFrozen`, whose argument would be boxed.
  return window !== undefined && order.nowMillis < window.frozenUntilMillis
}

/**
 * Counts a fill of the resting order in `slot`, if it is protected; its size stands in `fillLots`.
 * @returns whether it triggers.
 */
export function countsMaker(book: PooledBook, order: IncomingOrder, slot: number): boolean {
  const { protections } = book.pool
  const window = windowOfResting(book.pool, slot)
  if (window === undefined) return false
  const account = book.pool.orders.words[(slot << slotShift) | orderAccount]
  fillOf(protections, order, account, order.side === buy ? -1 : 1)
  return counted(protections, window)
}

/** The same for the incoming order, where fills of takers count. @returns whether it triggers. */
export function countsTaker(book: PooledBook, order: IncomingOrder): boolean {
  const { protections } = book.pool
  if (!order.countsAsTaker) return false
  const window = windowOfIncoming(protections, order)
  if (window === undefined) return false
  fillOf(protections, order, order.account, order.side === buy ? 1 : -1)
  return counted(protections, window)
}

/** A fill of the order in `slot`, of which something may be left, triggered: all of its group end. */
export function endMaker(book: PooledBook, slot: number, group: number, isLeft: boolean): void {
  if (isLeft) removeOrder(book, slot, RemovedCause.MmpFilled)
  cancelGroup(book, group)
}

/** A fill of the incoming order triggered: what is left of it ends, and the resting ones of its group. */
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

/** Reports the levels of other books that the command changed, and lets the empty ones go. */
export function finishOthers(pool: OrderPool): void {
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

/** Begins to try out what a fok would get: its fills are counted beside the windows. */
export function beginCounting(pool: OrderPool, order: IncomingOrder): void {
  const { protections } = pool
  protections.trial = (protections.trial + 1) | 0
  protections.fill.nowMillis = order.nowMillis
}

/** Whether the trial has used up the protection of the resting order in `slot`: it is cancelled by then. */
export function isCanceledInTrial(pool: OrderPool, slot: number): boolean {
  const window = windowOfResting(pool, slot)
  return window?.trialOf === pool.protections.trial && window.isTrialOver
}

/** Counts a fill, of the size in `fillLots`, of the resting order in `slot` in the trial. @returns whether it triggers. */
export function tryMaker(book: PooledBook, order: IncomingOrder, slot: number): boolean {
  const { protections } = book.pool
  const window = windowOfResting(book.pool, slot)
  if (window === undefined) return false
  fillOf(protections, order, 0, order.side === buy ? -1 : 1)
  tryFill(protections, window)
  return window.isTrialOver
}

/** The same for the incoming order. @returns whether it goes on. */
export function tryTaker(book: PooledBook, order: IncomingOrder): boolean {
  const { protections } = book.pool
  if (!order.countsAsTaker) return true
  const window = windowOfIncoming(protections, order)
  if (window === undefined) return true
  fillOf(protections, order, 0, order.side === buy ? 1 : -1)
  tryFill(protections, window)
  return !window.isTrialOver
}

/** Window of the protection that a resting order is under; undefined without one. */
function windowOfResting(pool: OrderPool, slot: number): TriedWindow | undefined {
  const group = groupOfOrder(pool, slot)
  return group === none ? undefined : pool.protections.windows[group]
}

/** Window of the account of an incoming order in its underlying; undefined without one. */
function windowOfIncoming(
  protections: ProtectionTable,
  order: IncomingOrder,
): TriedWindow | undefined {
  const group = findGroup(protections, order.account, order.underlying)
  return group === none ? undefined : protections.windows[group]
}

function tryFill(protections: ProtectionTable, window: TriedWindow): void {
  const sums = trialSumsOf(protections, window)
  addAmounts(sums, protections.fill)
  if (triggersOf(window, sums) !== 0) window.isTrialOver = true
}

function counted(protections: ProtectionTable, window: TriedWindow): boolean {
  const { fill } = protections
  countFill(window, fill)
  protections.sink.counted(fill)
  return fill.triggers !== 0
}

/** Makes `fill` that of an account. @param sign 1 when it buys, else -1. */
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
 * Cancels the resting orders of a group: by instrument, those of one by age. A book that was restored has its
 * orders by age, but not among those of other books, so no other order would be the same after a restart.
 */
function cancelGroup(book: PooledBook, group: number): void {
  const { protections } = book.pool
  const count = gather(book.pool, group)
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

/** Finds a group's orders, with numbers that sort by instrument, then by age. @returns how many. */
function gather(pool: OrderPool, group: number): number {
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

/** Takes a protected order out of another book; its level is reported when the command is over. */
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
