import { lotsPerContract } from '../../schemas/bounds.js'
import { Right } from '../../schemas/domain.js'
import { halfEvenDiv, millionths, ratioScale } from '../risk/exact-share.js'

/** Returns the payoff of one contract at a settlement price, in micros. */
export function payoffMicros(right: number, strikeMicros: number, priceMicros: number): number {
  const gain = right === Right.Call ? priceMicros - strikeMicros : strikeMicros - priceMicros
  return Math.max(0, gain)
}

/**
 * Returns the fee of a settled position, long or short: `min(rate × price, cap × payoff) × size`, half-even to micros
 * once.
 * @param lots absolute position.
 * @param feeRate share of the settlement price, a multiple of 1e-6, like the cap; 0 for no fee.
 */
export function settlementFeeMicros(
  priceMicros: number,
  payoff: number,
  lots: number,
  feeRate: number,
  feeCap: number,
): number {
  if (feeRate === 0 || payoff === 0) return 0
  // In units of 1e-6 micro per contract both are integers; times a size they exceed 2^53.
  const byPrice = millionths(feeRate) * BigInt(priceMicros)
  const byPayoff = millionths(feeCap) * BigInt(payoff)
  const product = (byPrice < byPayoff ? byPrice : byPayoff) * BigInt(lots)
  return Number(halfEvenDiv(product, ratioScale * BigInt(lotsPerContract)))
}
