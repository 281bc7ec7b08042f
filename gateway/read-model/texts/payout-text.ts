import { mulDivHalfEven } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import type { PayoutEvent } from '../../../schemas/generated/events.js'

// What GET /settlement-payouts and PositionExpired say alike.

/** The position, and what it was settled for. */
export function settledText({
  positionLots,
  payoffMicros,
  valueMicros,
  costMicros,
}: Pick<PayoutEvent, 'positionLots' | 'payoffMicros' | 'valueMicros' | 'costMicros'>) {
  return {
    position_size: formatLots(positionLots), // signed
    settlement_price: formatMicros(payoffMicros), // of one contract
    settlement_value: formatMicros(valueMicros),
    settlement_entry_price: averagePrice(Math.abs(costMicros), Math.abs(positionLots)),
    cost_basis: formatMicros(costMicros),
    net_pnl: formatMicros(valueMicros - costMicros),
  }
}

/** The price that the payoff comes of, and what was taken off. */
export function settledCosts({
  priceMicros,
  feeMicros,
  borneMicros,
}: Pick<PayoutEvent, 'priceMicros' | 'feeMicros' | 'borneMicros'>) {
  return {
    underlying_price: formatMicros(priceMicros),
    fee: formatMicros(feeMicros),
    // What the value was lowered by, since others could not pay what they owed.
    borne: formatMicros(borneMicros),
  }
}

/** What one contract has cost of so many lots. */
export function averagePrice(micros: number, lots: number): string {
  return formatMicros(mulDivHalfEven(micros, lotsPerContract, lots))
}
