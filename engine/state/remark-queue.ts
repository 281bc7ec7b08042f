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

/**
 * An instrument is about to leave the list of its underlying: a re-mark under way stays behind the same rows, so that
 * its swap has none left over to mark.
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

/** Takes the queue over from a snapshot; marks and their pending re-mark are there already. */
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

/** The underlying waits for a re-mark from here on. */
export function wantRemark(state: RemarkQueueState, underlying: number): void {
  const { remarks } = state
  const isKnown = underlying >= 0 && underlying < state.instruments.underlyingNames.length
  assert(isKnown, 're-mark: the underlying exists')
  if (remarks.wanted[underlying] === 1) return
  remarks.wanted[underlying] = 1
  remarks.wantedCount++
  state.cells.noteMarks(underlying)
}
