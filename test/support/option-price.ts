import { optionPrice } from '../../engine/pricing/black76.js'
import { ln } from '../../engine/pricing/exact.js'
import type { Right } from '../../schemas/domain.js'

/** Returns the Black-76 price of one contract from its volatility and years. */
export function optionPriceOf(
  right: Right,
  forward: number,
  strike: number,
  iv: number,
  years: number,
  discount: number,
): number {
  const deviation = iv * Math.sqrt(years)
  return optionPrice(right, forward, strike, ln(strike / forward), deviation, discount)
}
