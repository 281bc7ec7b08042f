import { FundingEvent } from '../../schemas/generated/events.js'
import { FundingPhase } from '../../schemas/record-values.js'
import type { EventSink } from '../state/event-sink.js'
import type { FundingTable, FundingTerms } from '../state/market/funding-table.js'

export interface PublishFundingState {
  readonly fundings: FundingTable
  readonly sink: EventSink
}

const funding = new FundingEvent()

/** Publishes the latest fixed rates, for readers without state. */
export function publishRates(state: PublishFundingState): void {
  const unknown = { indexMicros: Number.NaN, sampleCount: 0, holderCount: 0 }
  for (const { instrument, rateNanos, endMillis } of state.fundings.perps) {
    if (endMillis === 0) continue
    publishFunding(state, { ...unknown, instrument, rateNanos, endMillis }, FundingPhase.Bootstrap)
  }
}

/** Publishes the funding of a perp's period: fixed, paid (with the rounding remainder), or repeated. */
export function publishFunding(
  state: PublishFundingState,
  terms: FundingTerms,
  phase: FundingPhase,
  dustMicros = 0,
): void {
  if (!funding.claim(state.sink)) return
  funding.rateNanos = terms.rateNanos
  funding.indexMicros = terms.indexMicros
  funding.endMillis = terms.endMillis
  funding.dustMicros = dustMicros
  funding.instrument = terms.instrument
  funding.phase = phase
  funding.samples = terms.sampleCount
  funding.holders = terms.holderCount
}
