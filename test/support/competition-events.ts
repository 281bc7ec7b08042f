import { StandingsBoard } from '../../gateway/read-model/standings/standings-board.js'
import { CompetitionMetric, type CompetitionState } from '../../schemas/domain.js'
import { CompetitionEvent, CompetitionMarksEvent } from '../../schemas/generated/events.js'
import { CompetitionChange } from '../../schemas/record-values.js'
import type { RecordSink } from '../../schemas/record-views.js'

export interface CompetitionWords {
  readonly id: number
  readonly state: CompetitionState
  readonly change?: CompetitionChange
  readonly startMillis?: number
  readonly endMillis?: number
  readonly conditions?: number
  readonly name?: string
}

/** Publishes a competition whose texts other than the name are missing. */
export function emitCompetition(sink: RecordSink, words: CompetitionWords): void {
  const { id, name = 'Spring', ...facts } = words
  const event = new CompetitionEvent()
  event.claim(sink, CompetitionEvent.bytesWith(name.length))
  const usual = {
    change: CompetitionChange.State,
    startMillis: 1000,
    endMillis: 2000,
    conditions: CompetitionMetric.Pnl,
  }
  const none = {
    descriptionBytes: 0,
    urlBytes: 0,
    rulesBytes: 0,
    createdMillis: 1,
    updatedMillis: 1,
  }
  Object.assign(event, { ...usual, ...none, ...facts, competitionId: id })
  event.nameBytes = name.length
  event.count = name.length
  event.u8.set(Buffer.from(name), event.textsAt)
}

/** Publishes marks by instrument, as directly before a competition starts or ends. */
export function emitMarks(sink: RecordSink, id: number, marks: readonly number[]): void {
  const event = new CompetitionMarksEvent()
  event.claim(sink, CompetitionMarksEvent.bytesWith(marks.length))
  event.competitionId = id
  event.change = CompetitionChange.Marks
  event.count = marks.length
  for (const [instrument, markMicros] of marks.entries()) {
    Object.assign(event.marks(instrument), { instrument, markMicros, zero: 0 })
  }
}

/** Returns a board without any started competition. */
export function emptyBoard(): StandingsBoard {
  return new StandingsBoard({
    isReady: () => true,
    hasActive: () => false,
    isStoreDown: () => true,
  })
}
