import {
  fundingEventBytes,
  fundingEventDustMicrosAt,
  fundingEventEndMillisAt,
  fundingEventHoldersAt,
  fundingEventIndexMicrosAt,
  fundingEventInstrumentAt,
  fundingEventPhaseAt,
  fundingEventRateNanosAt,
  fundingEventSamplesAt,
} from '../../schemas/funding.js'
import { EventType } from '../../schemas/generated/events.js'
import { FundingPhase } from '../../schemas/record-values.js'
import type { CoreState } from '../state/core-state.js'
import { unheard } from '../state/event-sink.js'
import type { FundingTerms } from '../state/fundings.js'

/** Tells the rates that were fixed last, for readers that know nothing yet. */
export function publishRates(state: CoreState): void {
  const unknown = { indexMicros: Number.NaN, sampleCount: 0, holderCount: 0 }
  for (const { instrument, rateNanos, endMillis } of state.fundings.perps) {
    if (endMillis === 0) continue
    publishFunding(state, { ...unknown, instrument, rateNanos, endMillis }, FundingPhase.Bootstrap)
  }
}

/** Funding of a perp's period was fixed, or is paid, with what rounding left, or is told anew. */
export function publishFunding(
  state: CoreState,
  terms: FundingTerms,
  phase: FundingPhase,
  dustMicros = 0,
): void {
  const at = state.sink.tryClaim(fundingEventBytes, EventType.Funding)
  if (at === unheard) return
  const { f64, i32 } = state.sink.views
  f64[(at + fundingEventRateNanosAt) >> 3] = terms.rateNanos
  f64[(at + fundingEventIndexMicrosAt) >> 3] = terms.indexMicros
  f64[(at + fundingEventEndMillisAt) >> 3] = terms.endMillis
  f64[(at + fundingEventDustMicrosAt) >> 3] = dustMicros
  i32[(at + fundingEventInstrumentAt) >> 2] = terms.instrument
  i32[(at + fundingEventPhaseAt) >> 2] = phase
  i32[(at + fundingEventSamplesAt) >> 2] = terms.sampleCount
  i32[(at + fundingEventHoldersAt) >> 2] = terms.holderCount
}
