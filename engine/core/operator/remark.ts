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
//    queued)                  frozen: Begun)              set, batch by batch)     event Swapped)
//
// A batch marks at most `remarkRows` instruments (journaled configuration). They are counted, not timed, so a replay
// swaps in the same batch. A re-mark that fits into the rest of its batch begins and ends in one step, published as
// `Whole`. Only one re-mark runs at a time. The underlying's next re-mark takes all inputs that arrive until then. Until
// the swap, every reader sees the complete previous marks.

/**
 * Re-marks an underlying after a change of its inputs, and with it everything that margin sums up. Uses the rows left
 * in this batch, then those of the next batches.
 */
export function remark(state: RemarkState, underlying: number): void {
  wantRemark(state, underlying)
  advance(state)
}

/** Called when a batch begins. Queues underlyings whose marks are old, and continues waiting re-marks by one slice. */
export function remarkDue(state: RemarkState): void {
  const { remarks, nowMillis } = state
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    if (underlying === remarks.running) continue
    if (nextRemarkMillis(state, underlying) <= nowMillis) wantRemark(state, underlying)
  }
  advance(state)
}

/** Returns the time of the next re-mark of any underlying; Infinity if none has an index. */
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

/** Continues waiting re-marks up to the limit of the batch. */
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

/** Returns the queued underlying with the oldest marks, so that a busy index does not delay the others. */
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

/** @returns true if all instruments of the underlying are marked. */
function markSlice(state: RemarkState): boolean {
  const { remarks, marks, instruments } = state
  const { running } = remarks
  const count = marks.remarkSlice(running, remarks.marked, remarks.rowsLeft)
  remarks.marked += count
  // An underlying without instruments also costs a row.
  remarks.rowsLeft -= Math.max(1, count)
  state.hash.note(state.cells.remark)
  return remarks.marked >= instruments.ofUnderlying[running].length
}

/** Puts the running re-mark in force. Marks of an underlying change nowhere else. */
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
