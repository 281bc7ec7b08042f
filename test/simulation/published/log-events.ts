import { EventLogReader } from '../../../engine/memory/event-log.js'
import { AnyEvent, EventType, OutcomeEvent } from '../../../schemas/generated/events.js'
import { answerSeqOf } from '../../../schemas/record-rules/answer-seq.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import type { RunningHash } from '../run/trace.js'

/** Event log as its followers read it: the production reader, or the cheating reader of a test. */
export type LogReader = RecordViews &
  Pick<EventLogReader, 'next' | 'release' | 'lapped' | 'skipToDurable' | 'offset'>

export type LogReaderMaker = (memory: SharedArrayBuffer, index: number) => LogReader

export const productionReader: LogReaderMaker = (memory, index) => new EventLogReader(memory, index)

const eventTaken = new AnyEvent()
const outcome = new OutcomeEvent()

/**
 * Passes up to `limit` events to `take`, then releases their room.
 * @returns the number of events
 */
export function takeEvents(log: LogReader, limit: number, take: (event: AnyEvent) => void): number {
  let count = 0
  while (count < limit) {
    const at = log.next()
    if (at < 0) break
    take(eventTaken.over(log, at))
    count++
  }
  if (count > 0) log.release()
  return count
}

/** Answer to a request, as clients compare it. */
export interface Outcome {
  readonly gateway: number
  readonly request: number
  readonly result: number
  readonly status: number
  readonly orderId: number
  /** First detail of a rejection; 0 for all else. */
  readonly detail: number
  /** Sequence that its answer carries, for a retry that of the first one; and the sequence of the event itself. */
  readonly seq: number
  readonly eventSeq: number
  /** True if an earlier answer is given again. */
  readonly isRepeat: boolean
}

/** Hashes all bytes of an event except its requester, which is gone when the event is published again. */
export function digestOf(event: AnyEvent): number {
  const { i32, at, recordType } = event
  const first = at >> 2
  const isOutcome = recordType === EventType.Outcome || recordType === EventType.OrderUpdate
  // The requester is the first word after the header of an acknowledgement.
  const skipped = isOutcome ? AnyEvent.bytes >> 2 : -1
  let digest = 0
  for (let word = 0; word < wordsOf(event); word++) {
    if (word !== skipped) digest = (Math.imul(digest, 0x01000193) ^ i32[first + word]) | 0
  }
  return digest
}

/** Adds all bytes of an event to a hash, including those that `digestOf` omits. */
export function addWords(hash: RunningHash, event: AnyEvent): void {
  const first = event.at >> 2
  for (let word = 0; word < wordsOf(event); word++) hash.add(event.i32[first + word])
}

function wordsOf({ recordBytes }: AnyEvent): number {
  return recordBytes >> 2
}

/** Reads an `Outcome` event. */
export function outcomeOf(event: AnyEvent): Outcome {
  outcome.of(event)
  const { gateway, request, result, seq: eventSeq, flags, firstSeq, facts } = outcome
  const { status, orderId } = facts
  const isRepeat = (flags & OutcomeFlag.Repeat) !== 0 && firstSeq > 0
  const seq = answerSeqOf(outcome)
  const detail = outcome.details(0)
  return { gateway, request, result, status, orderId, detail, seq, eventSeq, isRepeat }
}
