import type { OutcomeEvent } from '../generated/events.js'
import { OutcomeFlag } from '../record-values.js'

/**
 * Returns the sequence in the answer to a command: that of the order's last event in the step, as the streams publish
 * it; for a duplicate, that of the first answer; otherwise, that of the acknowledgement itself.
 */
export function answerSeqOf({ flags, seq, firstSeq, publishedSeq }: OutcomeEvent): number {
  if ((flags & OutcomeFlag.Repeat) !== 0) return firstSeq > 0 ? firstSeq : seq
  if ((flags & OutcomeFlag.IsResultPublished) !== 0) return publishedSeq
  return (flags & OutcomeFlag.IsRejectionPublished) !== 0 ? seq - 1 : seq
}
