import { optionPrice } from './black76.js'
import type { ExpiryPricing, ShockedExpiry } from './expiry-pricing.js'
import type { MarkedOption } from './marked-option.js'
import { microsOfUsd } from './rounding.js'

/**
 * Returns the unshocked moneyness in standard deviations, z = clip(ln(K/F) / (σ_atm·√T), ±clip).
 *
 * @param atmDeviation σ_atm·√T.
 */
export function standardMoneyness(
  logMoneyness: number,
  atmDeviation: number,
  zClip: number,
): number {
  if (logMoneyness === 0) return 0
  return Math.max(-zClip, Math.min(zClip, logMoneyness / atmDeviation))
}

/**
 * Writes the risk array of one long contract: per scenario, the shocked value minus the mark, in micros. Both are
 * unrounded, so each difference is rounded once.
 *
 * @param shocked the scenario table within `expiry`.
 * @param out receives `shocked.count` integers from index `at`.
 */
export function fillRiskArray(
  option: MarkedOption,
  expiry: ExpiryPricing,
  shocked: ShockedExpiry,
  out: Float64Array,
  at: number,
): void {
  const { right, strike, logMoneyness, iv, z, volFloor } = option
  const mark = option.greeks.price
  const { forwards, logForwards, volFactors, skews, kurtoses, count } = shocked
  const { rootYears, discount } = expiry
  const distance = Math.abs(z)
  for (let j = 0; j < count; j++) {
    const shape = (1 + skews[j] * z) * (1 + kurtoses[j] * distance)
    const shockedIv = iv * volFactors[j] * shape
    const deviation = Math.max(shockedIv, volFloor) * rootYears
    const shockedLog = logMoneyness - logForwards[j]
    const price = optionPrice(right, forwards[j], strike, shockedLog, deviation, discount)
    out[at + j] = microsOfUsd(price - mark)
  }
}
