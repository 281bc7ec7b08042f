import { assert } from '../../schemas/assert.js'
import { CountedFill, dropOld, MmpWindow, measureCount } from './mmp-window.js'
import { addPair, findPair, PairTable, pairField, removePair } from './pair-table.js'
import { slotShape } from './slot-pool.js'

// Market-maker protection of one account and underlying in a matcher. A group, indexed by both, has a window and the
// protected orders (`mmp_enabled`) that rest in the books of the underlying (order-pool.ts).
//
//   word     0     1        2           3     4     5 to 7
//   group    next  account  underlying  head  tail  unused

const { shift: slotShift } = slotShape
const none = 0

export const groupField = {
  account: pairField.one,
  underlying: pairField.other,
  head: 3,
  tail: 4,
} as const
const { head: groupHead, tail: groupTail } = groupField

/** Receives the effects of protection other than removed orders. */
export interface ProtectionSink {
  /** Instrument of the book that the following reports belong to. */
  instrument: number
  /** The next reported fill was counted; its triggers name the limits that it reached. */
  counted(fill: CountedFill): void
}

/** A window with the state of a trial. */
export class TrialWindow extends MmpWindow {
  /** Sums after the fills of trial number `trialOf`; `isTrialOver` is true if they reach a limit. */
  readonly trialSums = new Float64Array(2 * measureCount)
  trialOf = 0
  isTrialOver = false
}

/** Groups and windows of one matcher. */
export class ProtectionTable {
  readonly groups = new PairTable()
  /** By group; undefined if its account has no protection. */
  readonly windows: (TrialWindow | undefined)[] = []
  sink: ProtectionSink = { instrument: 0, counted() {} }
  readonly fill = new CountedFill()
  /** Absolute size of the current trade; an argument would be boxed. */
  readonly fillLots = new Float64Array(1)
  trial = 0
  /** Orders that a trigger is about to cancel: instrument and place combined into one number, and slots by place. */
  gathered = new Float64Array(64)
  gatheredSlots = new Int32Array(64)
  /** Levels of other books that the current command touched, and their totals before it. */
  otherLevels = new Int32Array(64)
  otherInstruments = new Int32Array(64)
  otherLots = new Float64Array(64)
  otherCount = 0
}

/** Returns the group of an account and underlying, or 0. */
export function findGroup(table: ProtectionTable, account: number, underlying: number): number {
  return findPair(table.groups, account, underlying)
}

/** Returns the window of an account and underlying, created if missing. */
export function windowFor(
  table: ProtectionTable,
  account: number,
  underlying: number,
): TrialWindow {
  const group = groupFor(table, account, underlying)
  return (table.windows[group] ??= new TrialWindow())
}

/** Ends the protection of an account and underlying; its orders stay. */
export function dropWindow(table: ProtectionTable, account: number, underlying: number): void {
  const group = findGroup(table, account, underlying)
  assert(table.windows[group] !== undefined, 'protection: the window to drop exists')
  table.windows[group] = undefined
  closeIfEmpty(table, group)
}

/** Returns the window's sums for the current trial. */
export function trialSumsOf(table: ProtectionTable, window: TrialWindow): Float64Array {
  if (window.trialOf !== table.trial) {
    window.trialOf = table.trial
    window.isTrialOver = false
    dropOld(window, table.fill.nowMillis)
    window.trialSums.set(window.sums)
  }
  return window.trialSums
}

/** Returns the group of an account and underlying, created if missing. */
export function groupFor(table: ProtectionTable, account: number, underlying: number): number {
  const known = findGroup(table, account, underlying)
  if (known !== none) return known
  const { groups } = table
  const group = addPair(groups, account, underlying)
  while (table.windows.length <= group) table.windows.push(undefined)
  const at = group << slotShift
  groups.words[at | groupHead] = none
  groups.words[at | groupTail] = none
  return group
}

/** Removes a group without orders and window. */
export function closeIfEmpty({ groups, windows }: ProtectionTable, group: number): void {
  const head = groups.words[(group << slotShift) | groupHead]
  if (head === none && windows[group] === undefined) removePair(groups, group)
}
