import { mulDivHalfEven } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import type { PayoutEvent } from '../../../schemas/generated/events.js'
import type { SettledCosts, SettledFields } from '../../../schemas/interface/account.js'

// Fields that GET /settlement-payouts and PositionExpired have in common.

/** Returns the position and its payoff. */
export function settledText({
  positionLots,
  payoffMicros,
  valueMicros,
  costMicros,
}: Pick<
  PayoutEvent,
  'positionLots' | 'payoffMicros' | 'valueMicros' | 'costMicros'
>): SettledFields {
  return {
    position_size: formatLots(positionLots),
    settlement_price: formatMicros(payoffMicros),
    settlement_value: formatMicros(valueMicros),
    settlement_entry_price: averagePrice(Math.abs(costMicros), Math.abs(positionLots)),
    cost_basis: formatMicros(costMicros),
    net_pnl: formatMicros(valueMicros - costMicros),
  }
}

/** Returns the settlement price of the underlying, and the deductions. */
export function settledCosts({
  priceMicros,
  feeMicros,
  borneMicros,
}: Pick<PayoutEvent, 'priceMicros' | 'feeMicros' | 'borneMicros'>): SettledCosts {
  return {
    underlying_price: formatMicros(priceMicros),
    fee: formatMicros(feeMicros),
    borne: formatMicros(borneMicros),
  }
}

/** Returns the mean cost of one contract. */
export function averagePrice(micros: number, lots: number): string {
  return formatMicros(mulDivHalfEven(micros, lotsPerContract, lots))
}
