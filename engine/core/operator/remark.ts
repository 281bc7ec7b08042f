import { assert } from '../../../schemas/assert.js'
import { RemarkPhase } from '../../../schemas/record-values.js'
import { none } from '../../memory/rows.js'
import { type PublishMarketState, publishRemarked } from '../../publish/publish-market.js'
import type { EngineConfig } from '../../state/market/engine-config.js'
import { type RemarkQueueState, wantRemark } from '../../state/remark-queue.js'

interface RemarkState extends RemarkQueueState, PublishMarketState {
  readonly nowMillis: number
  readonly config: EngineConfig
  readonly batchNumber: number
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
export function remark(state: RemarkState, underlying: number): void {
  wantRemark(state, underlying)
  advance(state)
}

/** When a batch begins: time alone makes marks old too, and what waits goes on by a slice. */
export function remarkDue(state: RemarkState): void {
  const { remarks, nowMillis } = state
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    if (underlying === remarks.running) continue
    if (nextRemarkMillis(state, underlying) <= nowMillis) wantRemark(state, underlying)
  }
  advance(state)
}

/** When the next re-mark of any underlying has work to do; Infinity when none has an index. */
export function nextRemark(state: RemarkState): number {
  const { remarks } = state
  if (remarks.running !== none || remarks.wantedCount > 0) return state.nowMillis
  let next = Number.POSITIVE_INFINITY
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    next = Math.min(next, nextRemarkMillis(state, underlying))
  }
  return next
}

function nextRemarkMillis(state: RemarkState, underlying: number): number {
  const last = state.marks.lastMarkedMillis[underlying]
  return Number.isNaN(last) ? Number.POSITIVE_INFINITY : last + state.config.remarkMillis
}

/** Goes on with the re-marks that wait, as far as the batch may. */
function advance(state: RemarkState): void {
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
function oldestWanted(state: RemarkState): number {
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

function begin(state: RemarkState, underlying: number): void {
  const { remarks, marks } = state
  assert(
    underlying !== none && remarks.wanted[underlying] === 1,
    're-mark: the underlying waits for one',
  )
  remarks.wanted[underlying] = 0
  remarks.wantedCount--
  marks.beginRemark(underlying, state.nowMillis)
  remarks.running = underlying
  remarks.marked = 0
  noteRemark(state, underlying)
}

/** @returns whether all instruments of the underlying are marked. */
function markSlice(state: RemarkState): boolean {
  const { remarks, marks, instruments } = state
  const { running } = remarks
  const count = marks.remarkSlice(running, remarks.marked, remarks.rowsLeft)
  remarks.marked += count
  // An underlying without instruments costs something too.
  remarks.rowsLeft -= Math.max(1, count)
  state.hash.note(state.cells.remark)
  return remarks.marked >= instruments.ofUnderlying[running].length
}

/** Puts the re-mark under way in force: the one place where marks of an underlying change. */
function swapMarks(state: RemarkState, phase: RemarkPhase): void {
  const { remarks, marks } = state
  const underlying = remarks.running
  const { length } = state.instruments.ofUnderlying[underlying]
  assert(remarks.marked === length, 're-mark: every row is marked before the swap')
  marks.publishRemark(underlying)
  remarks.running = none
  noteRemark(state, underlying)
  state.risk.newMarks(underlying)
  publishRemarked(state, underlying, phase)
}

function noteRemark({ hash, cells }: RemarkState, underlying: number): void {
  hash.note(cells.remark)
  cells.noteMarks(underlying)
}
