import { assert } from '../../schemas/assert.js'
import { CountedFill, dropOld, MmpWindow, measureCount } from './mmp-window.js'
import { addPair, findPair, PairTable, pairField, removePair } from './pair-table.js'
import { slotShape } from './slot-pool.js'

// Market-maker protection of one account and underlying in a matcher: a group, found by both, with its window
// and the protected orders (`mmp_enabled`) that rest in the books of the underlying (order-pool.ts).
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

/** Receives what protection does beside removing orders. */
export interface ProtectionSink {
  /** Whose book is told of from here on. */
  instrument: number
  /** The fill that is told next was counted; triggers in it say that it reached a limit. */
  counted(fill: CountedFill): void
}

/** A window of a matcher, which can be tried out. */
export class TriedWindow extends MmpWindow {
  /** Sums as they would be after the fills of trial number `trialOf`, and whether they reach a limit. */
  readonly trialSums = new Float64Array(2 * measureCount)
  trialOf = 0
  isTrialOver = false
}

/** Groups and windows of one matcher. */
export class ProtectionTable {
  readonly groups = new PairTable()
  /** By group; undefined: its account has no protection, or none any more. */
  readonly windows: (TriedWindow | undefined)[] = []
  sink: ProtectionSink = { instrument: 0, counted() {} }
  readonly fill = new CountedFill()
  /** Size of the trade at work, without a sign: an argument would be boxed. */
  readonly fillLots = new Float64Array(1)
  trial = 0
  /** Orders that a trigger is about to cancel: instrument and place as one number each, and slots by place. */
  gathered = new Float64Array(64)
  gatheredSlots = new Int32Array(64)
  /** Levels of other books than the running command's that it touched, and their totals before it. */
  otherLevels = new Int32Array(64)
  otherInstruments = new Int32Array(64)
  otherLots = new Float64Array(64)
  otherCount = 0
}

/** Group of an account and underlying, or 0. */
export function findGroup(table: ProtectionTable, account: number, underlying: number): number {
  return findPair(table.groups, account, underlying)
}

/** Window of an account and underlying, made when there is none. */
export function windowFor(
  table: ProtectionTable,
  account: number,
  underlying: number,
): TriedWindow {
  const group = groupFor(table, account, underlying)
  return (table.windows[group] ??= new TriedWindow())
}

/** Ends the protection of an account and underlying; its orders stay. */
export function dropWindow(table: ProtectionTable, account: number, underlying: number): void {
  const group = findGroup(table, account, underlying)
  assert(table.windows[group] !== undefined, 'protection: there is one to drop')
  table.windows[group] = undefined
  closeIfEmpty(table, group)
}

/** The window's sums for the trial at work. */
export function trialSumsOf(table: ProtectionTable, window: TriedWindow): Float64Array {
  if (window.trialOf !== table.trial) {
    window.trialOf = table.trial
    window.isTrialOver = false
    dropOld(window, table.fill.nowMillis)
    window.trialSums.set(window.sums)
  }
  return window.trialSums
}

/** Group of an account and underlying, opened when there is none. */
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

/** Ends a group without orders and window. */
export function closeIfEmpty({ groups, windows }: ProtectionTable, group: number): void {
  const head = groups.words[(group << slotShift) | groupHead]
  if (head === none && windows[group] === undefined) removePair(groups, group)
}
