import { answerSeqOf } from '../../schemas/answer-seq.js'
import { eventMillisAt, eventSeqAt, outcomeGatewayAt } from '../../schemas/events.js'
import { EventType, OutcomeEvent } from '../../schemas/generated/events.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { EventLogReader } from '../memory/event-log.js'
import { recordBytesAt, recordTypeAt } from '../memory/layout.js'
import type { RunningHash } from './trace.js'

const outcome = new OutcomeEvent()

/** What a follower needs of the event log: the production reader, or a test's that cheats. */
export interface LogReader extends RecordViews {
  next(): number
  release(): void
  lapped(): boolean
  skipToDurable(): void
  position(): number
}

export type LogReaderMaker = (memory: SharedArrayBuffer, index: number) => LogReader

export const productionReader: LogReaderMaker = (memory, index) => new EventLogReader(memory, index)

/** Gives up to `limit` events to `take`, then lets their room go. @returns how many there were. */
export function takeEvents(log: LogReader, limit: number, take: (at: number) => void): number {
  let count = 0
  while (count < limit) {
    const at = log.next()
    if (at < 0) break
    take(at)
    count++
  }
  if (count > 0) log.release()
  return count
}

/** The facts of an outcome that clients compare. */
export interface Outcome {
  readonly gateway: number
  readonly request: number
  readonly result: number
  readonly status: number
  readonly orderId: number
  /** Sequence that its answer carries, and that of the event itself. */
  readonly seq: number
  readonly eventSeq: number
  /** Sequence of the answer that this one repeats; 0 when it repeats none. */
  readonly firstSeq: number
}

export function typeOf(log: RecordViews, at: number): number {
  return log.i32[(at + recordTypeAt) >> 2]
}

export function seqOf(log: RecordViews, at: number): number {
  return log.f64[(at + eventSeqAt) >> 3]
}

export function millisOf(log: RecordViews, at: number): number {
  return log.f64[(at + eventMillisAt) >> 3]
}

/** Sums up all bytes of an event but the name of its asker, who is gone when it is told again. */
export function digestOf(log: RecordViews, at: number): number {
  const words = log.i32[(at + recordBytesAt) >> 2] >> 2
  const type = typeOf(log, at)
  const isOutcome = type === EventType.Outcome || type === EventType.OrderUpdate
  const skipped = isOutcome ? outcomeGatewayAt >> 2 : -1
  let digest = 0
  for (let word = 0; word < words; word++) {
    if (word !== skipped) digest = (Math.imul(digest, 0x01000193) ^ log.i32[(at >> 2) + word]) | 0
  }
  return digest
}

/** Takes all bytes of an event into a hash, those that `digestOf` leaves out as well. */
export function addWords(hash: RunningHash, log: RecordViews, at: number): void {
  const words = log.i32[(at + recordBytesAt) >> 2] >> 2
  for (let word = 0; word < words; word++) hash.add(log.i32[(at >> 2) + word])
}

/** Decodes an `Outcome` event. */
export function outcomeOf(log: RecordViews, at: number): Outcome {
  const { gateway, request, result, flags, facts, firstSeq, seq } = outcome.over(log, at)
  return {
    gateway,
    request,
    result,
    status: facts.status,
    orderId: facts.orderId,
    seq: answerSeqOf(outcome),
    eventSeq: seq,
    firstSeq: (flags & OutcomeFlag.Repeat) !== 0 ? firstSeq : 0,
  }
}
