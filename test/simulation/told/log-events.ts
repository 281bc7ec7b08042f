import { EventLogReader } from '../../../engine/memory/event-log.js'
import { AnyEvent, EventType, OutcomeEvent } from '../../../schemas/generated/events.js'
import { answerSeqOf } from '../../../schemas/record-rules/answer-seq.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import type { RunningHash } from '../run/trace.js'

/** What a follower needs of the event log: the production reader, or a test's that cheats. */
export type LogReader = RecordViews &
  Pick<EventLogReader, 'next' | 'release' | 'lapped' | 'skipToDurable' | 'offset'>

export type LogReaderMaker = (memory: SharedArrayBuffer, index: number) => LogReader

export const productionReader: LogReaderMaker = (memory, index) => new EventLogReader(memory, index)

const eventTaken = new AnyEvent()
const outcome = new OutcomeEvent()

/** Gives up to `limit` events to `take`, then lets their room go. @returns how many there were. */
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

/** How a request was answered: what clients compare. */
export interface Outcome {
  readonly gateway: number
  readonly request: number
  readonly result: number
  readonly status: number
  readonly orderId: number
  /** What a refusal says first; of all else nothing. */
  readonly detail: number
  /** Sequence that its answer carries, of a repeat that of the first one; and that of the event itself. */
  readonly seq: number
  readonly eventSeq: number
  /** Whether an answer that was given before is given again. */
  readonly isRepeat: boolean
}

/** Sums up all bytes of an event but the name of its asker, who is gone when it is told again. */
export function digestOf(event: AnyEvent): number {
  const { i32, at, recordType } = event
  const first = at >> 2
  const isOutcome = recordType === EventType.Outcome || recordType === EventType.OrderUpdate
  // Behind the header of an outcome stands first who asked.
  const skipped = isOutcome ? AnyEvent.bytes >> 2 : -1
  let digest = 0
  for (let word = 0; word < wordsOf(event); word++) {
    if (word !== skipped) digest = (Math.imul(digest, 0x01000193) ^ i32[first + word]) | 0
  }
  return digest
}

/** Takes all bytes of an event into a hash, those that `digestOf` leaves out as well. */
export function addWords(hash: RunningHash, event: AnyEvent): void {
  const first = event.at >> 2
  for (let word = 0; word < wordsOf(event); word++) hash.add(event.i32[first + word])
}

function wordsOf({ recordBytes }: AnyEvent): number {
  return recordBytes >> 2
}

/** What an `Outcome` event says. */
export function outcomeOf(event: AnyEvent): Outcome {
  outcome.of(event)
  const { gateway, request, result, seq: eventSeq, flags, firstSeq, facts } = outcome
  const { status, orderId } = facts
  const isRepeat = (flags & OutcomeFlag.Repeat) !== 0 && firstSeq > 0
  const seq = answerSeqOf(outcome)
  const detail = outcome.details(0)
  return { gateway, request, result, status, orderId, detail, seq, eventSeq, isRepeat }
}
