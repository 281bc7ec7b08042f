import { eventBytesMax } from '../../schemas/bounds.js'
import { InstrumentState } from '../../schemas/domain.js'
import {
  CompetitionEvent,
  CompetitionMarksEvent,
  type FillEvent,
  OpenMark,
} from '../../schemas/generated/events.js'
import { CompetitionChange } from '../../schemas/record-values.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { Marks } from '../pricing/marks.js'
import { PriceBand } from '../pricing/price-bands.js'
import { indexMicrosOf, isMarked } from '../risk/mark-view.js'
import { MarginInUse } from '../risk/order-check.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { EventSink } from '../state/event-sink.js'
import type { Competition, CompetitionTable } from '../state/market/competition-table.js'
import type { EngineConfig } from '../state/market/engine-config.js'

export interface PublishCompetitionsState {
  readonly sink: EventSink
  readonly instruments: InstrumentTable
  readonly marks: Marks
  readonly competitions: CompetitionTable
  readonly config: EngineConfig
  readonly risk: RiskEngine
}

const marksPerEventMax = Math.floor(
  (eventBytesMax - CompetitionMarksEvent.bytesWith(0)) / OpenMark.bytes,
)

const event = new CompetitionEvent()
const marksEvent = new CompetitionMarksEvent()
const band = new PriceBand()
const margin = new MarginInUse()

/** Publishes the current state of a competition. */
export function publishCompetition(
  state: PublishCompetitionsState,
  { createdMillis, id, state: place, terms, updatedMillis }: Competition,
  change: CompetitionChange,
): void {
  const { length } = terms.texts
  if (!event.claim(state.sink, CompetitionEvent.bytesWith(length))) return
  event.competitionId = id
  event.change = change
  event.state = place
  event.startMillis = terms.startMillis
  event.endMillis = terms.endMillis
  event.conditions = terms.conditions
  event.nameBytes = terms.nameBytes
  event.descriptionBytes = terms.descriptionBytes
  event.urlBytes = terms.urlBytes
  event.rulesBytes = terms.rulesBytes
  event.count = length
  event.createdMillis = createdMillis
  event.updatedMillis = updatedMillis
  event.u8.set(terms.texts, event.textsAt)
  const paddedBytes = CompetitionEvent.bytesWith(length) - CompetitionEvent.bytesWith(0)
  event.u8.fill(0, event.textsAt + length, event.textsAt + paddedBytes)
}

/** Publishes the mark of every position just before a competition starts or ends. */
export function publishMarks(state: PublishCompetitionsState, { id }: Competition): void {
  const { instruments, marks } = state
  const marked: number[] = []
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    const isEnded =
      instruments.state[instrument] === InstrumentState.Settled ||
      instruments.state[instrument] === InstrumentState.Deleted
    if (!isEnded && isMarked(marks, instrument)) marked.push(instrument)
  }
  for (let from = 0; from < marked.length; from += marksPerEventMax) {
    const part = marked.slice(from, from + marksPerEventMax)
    if (!marksEvent.claim(state.sink, CompetitionMarksEvent.bytesWith(part.length))) continue
    marksEvent.competitionId = id
    marksEvent.change = CompetitionChange.Marks
    marksEvent.count = part.length
    for (const [index, instrument] of part.entries()) {
      const row = marksEvent.marks(index)
      row.markMicros = marks.markMicros[instrument]
      row.instrument = instrument
      row.zero = 0
    }
  }
}

/**
 * Writes the values of a fill that competitions use. While no competition is active they are NaN, and nothing is
 * computed.
 */
export function writeCompetitionFields(
  state: PublishCompetitionsState,
  account: number,
  instrument: number,
  fill: Pick<FillEvent, 'marginMicros' | 'bandLowerMicros' | 'bandUpperMicros'>,
): void {
  fill.marginMicros = Number.NaN
  fill.bandLowerMicros = Number.NaN
  fill.bandUpperMicros = Number.NaN
  if (state.competitions.activeCount === 0) return
  const { config, instruments, marks, risk } = state
  risk.marginInUse(account, margin)
  fill.marginMicros = margin.micros
  if (marks.bandOf(instrument, config.bands, band)) {
    fill.bandLowerMicros = band.lowerMicros
    fill.bandUpperMicros = band.upperMicros
  } else if (instruments.isPerp(instrument)) {
    const index = indexMicrosOf(marks, instruments.underlying[instrument])
    if (index === 0) return
    const { spotShift } = config.bands
    fill.bandLowerMicros = Math.floor(index * (1 - spotShift))
    fill.bandUpperMicros = Math.ceil(index * (1 + spotShift))
  }
}
