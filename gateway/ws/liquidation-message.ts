import { auctionTerms } from '../../engine/risk/auction-terms.js'
import type { LiquidationParameters } from '../../engine/risk/liquidation-parameters.js'
import type { LiquidationEvent } from '../../schemas/generated/events.js'
import { LiquidationMode, liquidationStateNames } from '../../schemas/record-values.js'
import type { InstrumentNames } from '../link/instrument-names.js'
import {
  type AuctionView,
  auctionPositionText,
  fullText,
  liquidationSummary,
  partialText,
} from '../read-model/texts/liquidation-text.js'
import { encode } from './messages.js'

/** Encodes a LiquidationStateChange with the values that decided the change. */
export function liquidationMessage(
  event: LiquidationEvent,
  wallet: string,
  parameters: LiquidationParameters,
  names: InstrumentNames,
): Uint8Array {
  return encode({
    type: 'LiquidationStateChange',
    wallet_address: wallet,
    previous_state: liquidationStateNames[event.beforeState],
    new_state: liquidationStateNames[event.state],
    timers_stand: event.isStanding === 1,
    ...liquidationSummary(event, event.equityMicros, event.mmMicros),
    partial_liquidation: partialText(event, event, []),
    full_liquidation: fullText(event, auctionView(event, parameters, names)),
    timestamp: event.timeMillis,
    seq: event.seq,
  })
}

function auctionView(
  event: LiquidationEvent,
  parameters: LiquidationParameters,
  names: InstrumentNames,
): AuctionView | null {
  if (event.mode !== LiquidationMode.Full) return null
  const { equityMicros, mmMicros, version, timeMillis } = event
  const { requiredMicros } = auctionTerms(parameters, {
    equityMicros,
    maintenanceMicros: mmMicros,
    nowMillis: event.clockMillis,
    begunMillis: event.auctionMillis,
    insolventMillis: event.insolventMillis,
  })
  const positions = Array.from({ length: event.count }, (_, index) => {
    const { instrument, lots, entryMicros } = event.positions(index)
    return auctionPositionText(names.instrument(instrument)?.symbol ?? '', lots, entryMicros)
  })
  return { equityMicros, mmMicros, requiredMicros, version, valuationMillis: timeMillis, positions }
}
