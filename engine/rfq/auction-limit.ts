import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { contractScale } from '../../schemas/net-premium.js'
import { stepMicrosAt } from '../matching/price-grid.js'

/** Reference with which quotes in an auction are compared. */
export interface Reference {
  /** Price per contract, micros. */
  readonly referenceMicros: number
  /** Minimum improvement of a quote, micros. */
  readonly tickMicros: number
  /** True if a quote must be better than the reference; otherwise it must be at least as good. */
  readonly mustImprove: boolean
}

/**
 * Returns the reference of an order. If its limit reaches the best price on the other side of the book, that price is
 * the reference, and only better quotes are eligible. Otherwise the reference is the limit.
 * @param limitMicros limit of the order, per contract.
 * @param bestMicros 0 if the side is empty.
 * @param leastTickMicros minimum improvement if the price step of the reference is smaller.
 */
export function referenceOf(
  side: Side,
  limitMicros: number,
  bestMicros: number,
  leastTickMicros: number,
): Reference {
  assert(limitMicros > 0 && bestMicros >= 0, 'auction: the order has a limit price')
  const mustImprove = bestMicros !== 0 && reaches(side, limitMicros, bestMicros)
  const referenceMicros = mustImprove ? bestMicros : limitMicros
  const tickMicros = Math.max(leastTickMicros, stepMicrosAt(referenceMicros))
  return { referenceMicros, tickMicros, mustImprove }
}

/** Returns true if an order with this limit trades at a price of the other side. */
export function reaches(side: Side, limitMicros: number, priceMicros: number): boolean {
  return side === Side.Buy ? priceMicros <= limitMicros : priceMicros >= limitMicros
}

/** Returns the worst eligible price of a quote, per contract. */
export function worstMicros(side: Side, limitMicros: number, reference: Reference): number {
  const { mustImprove, referenceMicros, tickMicros } = reference
  if (!mustImprove) return limitMicros
  return side === Side.Buy
    ? Math.min(limitMicros, referenceMicros - tickMicros)
    : Math.max(limitMicros, referenceMicros + tickMicros)
}

/**
 * Returns true if a quote is within the worst price, by its price per contract and by its total premium. A buy pays at
 * most that price times its size, and a sell receives at least that, except for the truncated part of a micro.
 * @param netPremiumMicros from the taker's view: below 0 if it pays.
 */
export function isWithin(
  side: Side,
  priceMicros: number,
  netPremiumMicros: number,
  sizeLots: number,
  worst: number,
): boolean {
  if (!reaches(side, worst, priceMicros)) return false
  const value = BigInt(worst) * BigInt(sizeLots)
  const net = BigInt(netPremiumMicros)
  return side === Side.Buy ? -net * contractScale <= value : net >= value / contractScale
}
