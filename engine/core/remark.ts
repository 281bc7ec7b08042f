import { underlyingsMax } from '../../schemas/bounds.js'
import { RemarkPhase } from '../../schemas/record-values.js'
import { HashKind } from '../memory/state-hash.js'
import { publishRemarked } from '../publish/publish-market.js'
import type { CoreState } from '../state/core-state.js'
import { none } from '../state/orders.js'

/** Which underlyings wait for a re-mark, and how far the one under way has come. */
export class RemarkQueue {
  /** 1: inputs or time have moved since the underlying's last re-mark began. */
  readonly wanted = new Uint8Array(underlyingsMax)
  wantedCount = 0
  /** Underlying whose re-mark has begun, or `none`. */
  running: number = none
  /** Instruments of its list that are marked in the shadow set. */
  marked = 0
  /** Instruments that batch `batchNumber` may still mark: full again in the next, so neither is state. */
  rowsLeft = 0
  batchNumber = 0
}

//   remark, remarkDue          begin                       slice … slice          swap
//   (the underlying is  ──►  (time and inputs are  ──►  (rows of the shadow ──►  (all of its marks at once;
//    wanted)                  frozen: Begun)              set, batch by batch)     event Swapped)
//
// A batch marks at most `remarkRows` instruments (journaled configuration), counted, not timed, so a replay swaps in
// the same batch. A re-mark that fits into what is left of its batch begins and ends in one step, told as `Whole`. One
// is under way at a time; inputs that arrive meanwhile are taken by the underlying's next one, however many they were. Until the swap
// everybody sees the marks before it, whole.

/**
 * Inputs of an underlying have changed: its marks, and with them everything that margin sums up, follow at once as
 * far as the batch may still mark, and else in the next batches.
 */
export function remark(state: CoreState, underlying: number): void {
  want(state, underlying)
  advance(state)
}

/** When a batch begins: time alone makes marks old too, and what waits goes on by a slice. */
export function remarkDue(state: CoreState): void {
  const { remarks, nowMillis } = state
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    if (underlying === remarks.running) continue
    if (nextRemarkMillis(state, underlying) <= nowMillis) want(state, underlying)
  }
  advance(state)
}

/**
 * An instrument is about to leave the list of its underlying: a re-mark under way stays behind the same rows, so that
 * its swap has none left over to mark.
 */
export function leaveRemark(state: CoreState, instrument: number): void {
  const { remarks, instruments } = state
  const underlying = instruments.underlying[instrument]
  if (remarks.running !== underlying) return
  const place = instruments.ofUnderlying[underlying].indexOf(instrument)
  if (place < 0 || place >= remarks.marked) return
  hashRunning(state, false)
  remarks.marked--
  hashRunning(state, true)
}

/** When the next re-mark of any underlying has work to do; Infinity when none has an index. */
export function nextRemark(state: CoreState): number {
  const { remarks } = state
  if (remarks.running !== none || remarks.wantedCount > 0) return state.nowMillis
  let next = Number.POSITIVE_INFINITY
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    next = Math.min(next, nextRemarkMillis(state, underlying))
  }
  return next
}

/** Takes the queue over from a snapshot; marks and their pending re-mark are there already. */
export function restoreRemarks(state: CoreState, wanted: readonly number[], marked: number): void {
  const { remarks, marks } = state
  const count = state.instruments.underlyingNames.length
  for (const underlying of wanted) want(state, underlying)
  for (let underlying = 0; underlying < count; underlying++) {
    if (Number.isNaN(marks.stateOf(underlying).pendingMillis)) continue
    remarks.running = underlying
    remarks.marked = marked
    marks.remarkSlice(underlying, 0, marked)
    hashRunning(state, true)
  }
}

function nextRemarkMillis(state: CoreState, underlying: number): number {
  const last = state.marks.lastMarkedMillis[underlying]
  return Number.isNaN(last) ? Number.POSITIVE_INFINITY : last + state.config.remarkMillis
}

function want(state: CoreState, underlying: number): void {
  const { remarks, hash } = state
  if (remarks.wanted[underlying] === 1) return
  remarks.wanted[underlying] = 1
  remarks.wantedCount++
  hash.add(HashKind.Marked, underlying, 1, 1)
}

/** Goes on with the re-marks that wait, as far as the batch may. */
function advance(state: CoreState): void {
  const { remarks, batchNumber } = state
  if (remarks.batchNumber !== batchNumber) {
    remarks.batchNumber = batchNumber
    remarks.rowsLeft = state.config.remarkRows
  }
  while (remarks.rowsLeft > 0) {
    const isNew = remarks.running === none
    if (isNew) {
      if (remarks.wantedCount === 0) return
      begin(state, oldestWanted(state))
    }
    const isDone = markSlice(state)
    if (isDone) swapMarks(state, isNew ? RemarkPhase.Whole : RemarkPhase.Swapped)
    else if (isNew) publishRemarked(state, remarks.running, RemarkPhase.Begun)
  }
}

/** The wanted underlying with the oldest marks, so that a busy index keeps no other one waiting. */
function oldestWanted(state: CoreState): number {
  const { remarks, marks } = state
  const { lastMarkedMillis } = marks
  let oldest: number = none
  for (let underlying = 0; underlying < state.instruments.underlyingNames.length; underlying++) {
    if (remarks.wanted[underlying] === 0) continue
    const last = lastMarkedMillis[underlying]
    if (Number.isNaN(last)) return underlying
    if (oldest === none || last < lastMarkedMillis[oldest]) oldest = underlying
  }
  return oldest
}

function begin(state: CoreState, underlying: number): void {
  const { remarks, hash, marks } = state
  remarks.wanted[underlying] = 0
  remarks.wantedCount--
  hash.remove(HashKind.Marked, underlying, 1, 1)
  marks.beginRemark(underlying, state.nowMillis)
  remarks.running = underlying
  remarks.marked = 0
  hashRunning(state, true)
}

/** @returns whether all instruments of the underlying are marked. */
function markSlice(state: CoreState): boolean {
  const { remarks, marks, instruments } = state
  const { running } = remarks
  hashRunning(state, false)
  const count = marks.remarkSlice(running, remarks.marked, remarks.rowsLeft)
  remarks.marked += count
  // An underlying without instruments costs something too.
  remarks.rowsLeft -= Math.max(1, count)
  hashRunning(state, true)
  return remarks.marked >= instruments.ofUnderlying[running].length
}

/** Puts the re-mark under way in force: the one place where marks of an underlying change. */
function swapMarks(state: CoreState, phase: RemarkPhase): void {
  const { remarks, marks, hash } = state
  const underlying = remarks.running
  const before = marks.lastMarkedMillis[underlying]
  if (!Number.isNaN(before)) hash.remove(HashKind.Marked, underlying, 0, before)
  hashRunning(state, false)
  marks.publishRemark(underlying)
  remarks.running = none
  hash.add(HashKind.Marked, underlying, 0, marks.lastMarkedMillis[underlying])
  state.risk.remarked(underlying)
  publishRemarked(state, underlying, phase)
}

/** Time, index and progress of the re-mark under way. */
function hashRunning(state: CoreState, adds: boolean): void {
  const { remarks, marks, hash } = state
  const { running, marked } = remarks
  const { pendingMillis, pendingInputs } = marks.stateOf(running)
  const { indexMicros } = pendingInputs
  const index = Number.isNaN(indexMicros) ? 0 : indexMicros
  if (adds) {
    hash.add(HashKind.Marked, running, 2, pendingMillis)
    hash.add(HashKind.Marked, running, 3, index)
    hash.add(HashKind.Marked, running, 4, marked)
  } else {
    hash.remove(HashKind.Marked, running, 2, pendingMillis)
    hash.remove(HashKind.Marked, running, 3, index)
    hash.remove(HashKind.Marked, running, 4, marked)
  }
}
