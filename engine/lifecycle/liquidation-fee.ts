import { lotsPerContract } from '../../schemas/bounds.js'
import { FundsChange } from '../../schemas/funds.js'
import type { CoreState } from '../core/core-state.js'
import { Fund } from '../core/funds.js'
import { publishFunds } from '../core/publish-funds.js'
import { indexMicrosOf } from '../risk/mark-view.js'
import { halfEvenDiv, millionths, ratioScale } from './exact-share.js'

/**
 * The liquidation fee on contracts taken, rate × S × size (risk-and-pricing.md 8), to the insurance fund; whoever
 * pays it is the caller's to charge.
 * @returns micros; 0 while the rate is.
 */
export function takeFee(state: CoreState, instrument: number, sizeLots: number): number {
  const { feeRate } = state.config.liquidation
  if (feeRate === 0) return 0
  const indexMicros = indexMicrosOf(state.marks, state.instruments.underlying[instrument])
  const product = millionths(feeRate) * BigInt(indexMicros) * BigInt(sizeLots)
  const feeMicros = Number(halfEvenDiv(product, ratioScale * BigInt(lotsPerContract)))
  state.funds.move(Fund.Insurance, feeMicros)
  publishFunds(state, FundsChange.Liquidation)
  return feeMicros
}
