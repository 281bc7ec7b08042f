import { eventSeqAt, outcomeFirstSeqAt, outcomeFlagsAt, outcomeToldSeqAt } from './events.js'
import { OutcomeFlag } from './record-values.js'

/**
 * Sequence that the answer of an Outcome event carries: that of the order's last event of the step, as the streams tell
 * it; of a repeat that of the first answer; where there is neither, that of the outcome itself.
 */
export function answerSeqOf(
  { i32, f64 }: { readonly i32: Int32Array; readonly f64: Float64Array },
  at: number,
): number {
  const flags = i32[(at + outcomeFlagsAt) >> 2]
  const seq = f64[(at + eventSeqAt) >> 3]
  if ((flags & OutcomeFlag.Repeat) !== 0) {
    const firstSeq = f64[(at + outcomeFirstSeqAt) >> 3]
    return firstSeq > 0 ? firstSeq : seq
  }
  if ((flags & OutcomeFlag.Told) !== 0) return f64[(at + outcomeToldSeqAt) >> 3]
  return (flags & OutcomeFlag.TellsRefusal) !== 0 ? seq - 1 : seq
}
