import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { contractScale } from '../../schemas/net-premium.js'
import { stepMicrosAt } from '../matching/price-grid.js'

/** What quotes in an auction are held against. */
export interface Reference {
  /** Price of a contract, micros. */
  readonly referenceMicros: number
  /** By how much at least a quote is to be better, micros. */
  readonly tickMicros: number
  /** Whether it has to be better; else it has to be as good. */
  readonly mustImprove: boolean
}

/**
 * The reference of an order: the best price of the book on the other side where the limit reaches it, and then only
 * better ones help; else the limit.
 * @param limitMicros of the order, a contract.
 * @param bestMicros 0: there is none.
 * @param leastTickMicros that an improvement has, where the step of the reference is less.
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

/** Whether an order with this limit trades at a price of the other side. */
export function reaches(side: Side, limitMicros: number, priceMicros: number): boolean {
  return side === Side.Buy ? priceMicros <= limitMicros : priceMicros >= limitMicros
}

/** The worst price of a contract that a quote may have. */
export function worstMicros(side: Side, limitMicros: number, reference: Reference): number {
  const { mustImprove, referenceMicros, tickMicros } = reference
  if (!mustImprove) return limitMicros
  return side === Side.Buy
    ? Math.min(limitMicros, referenceMicros - tickMicros)
    : Math.max(limitMicros, referenceMicros + tickMicros)
}

/**
 * Whether a quote is within the worst price: its price of a contract, and what changes hands for all of them. A buy pays
 * no more than that price for its size, a sell gets no less, but for the part of a micro that is cut off.
 * @param netPremiumMicros in the taker's view: below 0 it pays.
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
