import { auctionTerms } from '../../engine/risk/auction-terms.js'
import type { LiquidationParameters } from '../../engine/risk/liquidation-parameters.js'
import { LiquidationMode, liquidationStateNames } from '../../schemas/record-values.js'
import type { InstrumentNames } from '../instrument-names.js'
import type { LiquidationFacts } from '../read-model/liquidation-facts.js'
import {
  type AuctionView,
  auctionPositionText,
  fullText,
  liquidationSummary,
  partialText,
} from '../read-model/liquidation-text.js'
import { encode } from './messages.js'

/** LiquidationStateChange: what the wallet was judged by at the change. */
export function liquidationMessage(
  facts: LiquidationFacts,
  parameters: LiquidationParameters,
  names: InstrumentNames,
): Uint8Array {
  return encode({
    type: 'LiquidationStateChange',
    wallet_address: facts.wallet,
    previous_state: liquidationStateNames[facts.beforeState],
    new_state: liquidationStateNames[facts.state],
    timers_stand: facts.isStanding,
    ...liquidationSummary(facts, facts.equityMicros, facts.mmMicros),
    partial_liquidation: partialText(facts, []),
    full_liquidation: fullText(facts, auctionView(facts, parameters, names)),
    timestamp: facts.millis,
    seq: facts.seq,
  })
}

function auctionView(
  facts: LiquidationFacts,
  parameters: LiquidationParameters,
  names: InstrumentNames,
): AuctionView | null {
  if (facts.mode !== LiquidationMode.Full) return null
  const { equityMicros, mmMicros, millis, clockMillis, auctionMillis, insolventMillis } = facts
  const { requiredMicros } = auctionTerms(parameters, {
    equityMicros,
    maintenanceMicros: mmMicros,
    nowMillis: clockMillis,
    begunMillis: auctionMillis,
    insolventMillis,
  })
  const positions = facts.positions.map(({ instrument, lots, entryMicros }) =>
    auctionPositionText(names.instrument(instrument)?.symbol ?? '', lots, entryMicros),
  )
  const { version } = facts
  return { equityMicros, mmMicros, requiredMicros, version, valuationMillis: millis, positions }
}
