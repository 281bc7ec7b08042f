import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { none } from '../memory/rows.js'
import type { StateHash } from '../memory/state-hash.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { Marks } from '../pricing/marks.js'
import type { StateCells } from './state-cells.js'

export interface RemarkQueueState {
  readonly remarks: RemarkQueue
  readonly instruments: InstrumentTable
  readonly hash: StateHash
  readonly cells: StateCells
  readonly marks: Marks
}

/** Underlyings that wait for a re-mark, and the progress of the running one. */
export class RemarkQueue {
  /** 1 if inputs or time have changed since the underlying's last re-mark began. */
  readonly wanted = new Uint8Array(underlyingsMax)
  wantedCount = 0
  /** Underlying of the running re-mark, or `none`. */
  running: number = none
  /** Number of instruments in its list that are marked in the shadow set. */
  marked = 0
  /**
   * Number of instruments that batch `batchNumber` may still mark. It is reset with each batch, so neither field is
   * state.
   */
  rowsLeft = 0
  batchNumber = 0
}

/**
 * Called before an instrument leaves the list of its underlying. Adjusts a running re-mark, so that its swap leaves no
 * instrument unmarked.
 */
export function leaveRemark(state: RemarkQueueState, instrument: number): void {
  const { remarks, instruments } = state
  const underlying = instruments.underlying[instrument]
  if (remarks.running !== underlying) return
  const place = instruments.ofUnderlying[underlying].indexOf(instrument)
  if (place < 0 || place >= remarks.marked) return
  remarks.marked--
  state.hash.note(state.cells.remark)
}

/** Restores the queue from a snapshot, after the marks and the pending re-mark. */
export function restoreRemarks(
  state: RemarkQueueState,
  wanted: readonly number[],
  marked: number,
): void {
  const { remarks, marks } = state
  const count = state.instruments.underlyingNames.length
  for (const underlying of wanted) wantRemark(state, underlying)
  for (let underlying = 0; underlying < count; underlying++) {
    if (Number.isNaN(marks.stateOf(underlying).pendingMillis)) continue
    assert(remarks.running === none, 're-mark: one runs at a time')
    remarks.running = underlying
    remarks.marked = marked
    const again = marks.remarkSlice(underlying, 0, marked)
    assert(again === marked, 're-mark: it stays within its list')
    state.hash.note(state.cells.remark)
  }
}

/** Queues the underlying for a re-mark. */
export function wantRemark(state: RemarkQueueState, underlying: number): void {
  const { remarks } = state
  const isKnown = underlying >= 0 && underlying < state.instruments.underlyingNames.length
  assert(isKnown, 're-mark: the underlying exists')
  if (remarks.wanted[underlying] === 1) return
  remarks.wanted[underlying] = 1
  remarks.wantedCount++
  state.cells.noteMarks(underlying)
}
