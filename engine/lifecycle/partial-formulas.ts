import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { priceIndexMax, priceMicrosOf } from '../matching/price-grid.js'
import { ceilDiv, halfEvenDiv, millionths, ratioScale } from '../risk/exact-share.js'
import type { LiquidationParameters } from '../risk/liquidation-parameters.js'

// Formulas of the partial phase.

const bpsScale = 10_000n

/** What the orders of the partial phase give away on the mark, `sinceMillis` after its begin. */
export function bonusBpsAfter(parameters: LiquidationParameters, sinceMillis: number): number {
  const { bonusBps, bonusBpsMax, bonusStepBps, repriceSeconds } = parameters
  assert(sinceMillis >= 0, 'partial liquidation: it began before now')
  const steps = Math.floor(sinceMillis / (repriceSeconds * 1000))
  return Math.min(bonusBpsMax, bonusBps + bonusStepBps * steps)
}

/** The bonus on one contract, micros, half-even. */
export function bonusMicros(markMicros: number, bonusBps: number): number {
  return Number(halfEvenDiv(BigInt(markMicros) * BigInt(bonusBps), bpsScale))
}

/**
 * Limit of a reducing order: the mark with what closing one contract gives away, to a legal price, a buy down and a
 * sell up.
 * @returns micros, 0 when there is no such price.
 */
export function limitMicros(side: Side, markMicros: number, costMicros: number): number {
  if (side === Side.Buy) return legalPriceDown(markMicros + costMicros)
  return legalPriceUp(Math.max(1, markMicros - costMicros))
}

/** Highest legal price that is not above `micros`, 0 when there is none. */
export function legalPriceDown(micros: number): number {
  const index = indexDown(micros)
  return index === 0 ? 0 : priceMicrosOf(index)
}

/** Lowest legal price that is not below `micros`, 0 when there is none. */
export function legalPriceUp(micros: number): number {
  const index = indexDown(micros)
  if (index > 0 && priceMicrosOf(index) === micros) return micros
  return index === priceIndexMax ? 0 : priceMicrosOf(index + 1)
}

/** Place of the highest legal price that is not above `micros`; 0: there is none. */
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
 * Contracts to close so that equity comes to `targetRatio` of maintenance margin: (τ·R − M) ÷ (τ·mm − c), up to a lot.
 * @param reliefMicros maintenance margin that one contract less needs less, mm.
 * @param costMicros what closing one contract gives away, c.
 * @returns lots, at most `positionLots`; 0 when closing brings nothing nearer, or nothing is missing.
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
