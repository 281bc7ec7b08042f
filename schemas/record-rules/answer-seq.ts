import type { OutcomeEvent } from '../generated/events.js'
import { OutcomeFlag } from '../record-values.js'

/**
 * Sequence that the answer of an outcome carries: that of the order's last event of the step, as the streams tell it; of
 * a repeat that of the first answer; where there is neither, that of the outcome itself.
 */
export function answerSeqOf({ flags, seq, firstSeq, toldSeq }: OutcomeEvent): number {
  if ((flags & OutcomeFlag.Repeat) !== 0) return firstSeq > 0 ? firstSeq : seq
  if ((flags & OutcomeFlag.Told) !== 0) return toldSeq
  return (flags & OutcomeFlag.TellsRefusal) !== 0 ? seq - 1 : seq
}
