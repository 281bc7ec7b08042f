import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { priceIndexMax, priceMicrosOf } from '../matching/price-grid.js'
import { ceilDiv, halfEvenDiv, millionths, ratioScale } from '../risk/exact-share.js'
import type { LiquidationParameters } from '../risk/liquidation-parameters.js'

// Formulas of the partial phase.

const bpsScale = 10_000n

/** Returns the discount on the mark that orders of the partial phase give, `sinceMillis` after its start. */
export function bonusBpsAfter(parameters: LiquidationParameters, sinceMillis: number): number {
  const { bonusBps, bonusBpsMax, bonusStepBps, repriceSeconds } = parameters
  assert(sinceMillis >= 0, 'partial liquidation: the start is not in the future')
  const steps = Math.floor(sinceMillis / (repriceSeconds * 1000))
  return Math.min(bonusBpsMax, bonusBps + bonusStepBps * steps)
}

/** Returns the bonus on one contract in micros, half-even. */
export function bonusMicros(markMicros: number, bonusBps: number): number {
  return Number(halfEvenDiv(BigInt(markMicros) * BigInt(bonusBps), bpsScale))
}

/**
 * Returns the limit price of a reducing order: the mark with the cost of closing one contract, rounded to a legal price,
 * down for a buy and up for a sell.
 * @returns micros; 0: no such price.
 */
export function limitMicros(side: Side, markMicros: number, costMicros: number): number {
  if (side === Side.Buy) return legalPriceDown(markMicros + costMicros)
  return legalPriceUp(Math.max(1, markMicros - costMicros))
}

/** Returns the highest legal price up to `micros`; 0: none. */
export function legalPriceDown(micros: number): number {
  const index = indexDown(micros)
  return index === 0 ? 0 : priceMicrosOf(index)
}

/** Returns the lowest legal price from `micros` on; 0: none. */
export function legalPriceUp(micros: number): number {
  const index = indexDown(micros)
  if (index > 0 && priceMicrosOf(index) === micros) return micros
  return index === priceIndexMax ? 0 : priceMicrosOf(index + 1)
}

/** Returns the index of the highest legal price up to `micros`; 0: none. */
function indexDown(micros: number): number {
  let low = 0
  let high: number = priceIndexMax
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (priceMicrosOf(middle) <= micros) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Returns the contracts to close so that equity reaches `targetRatio` of maintenance margin: (τ·R − M) ÷ (τ·mm − c),
 * rounded up to a lot.
 * @param reliefMicros relief of maintenance margin per contract, mm.
 * @param costMicros cost of closing one contract, c.
 * @returns lots, at most `positionLots`; 0: closing does not help, or nothing is missing.
 */
export function reducingLots(
  targetRatio: number,
  equityMicros: number,
  maintenanceMicros: number,
  reliefMicros: number,
  costMicros: number,
  positionLots: number,
): number {
  const ratio = millionths(targetRatio)
  const missing = ratio * BigInt(maintenanceMicros) - ratioScale * BigInt(equityMicros)
  const perContract = ratio * BigInt(reliefMicros) - ratioScale * BigInt(costMicros)
  if (missing <= 0n || perContract <= 0n) return 0
  const lots = ceilDiv(missing * BigInt(lotsPerContract), perContract)
  return lots > BigInt(positionLots) ? positionLots : Number(lots)
}
