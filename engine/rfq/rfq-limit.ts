import { lotsPerContract, priceMicrosMax } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { exactPremium, type PricedLeg } from '../../schemas/net-premium.js'
import { legalPriceDown, legalPriceUp } from '../lifecycle/partial-formulas.js'
import { ceilDiv } from '../risk/exact-share.js'

/** Fields by which live quotes are ranked. */
export interface RankedQuote {
  readonly netPremiumMicros: number
  /** Increases in order of arrival. */
  readonly number: number
}

/**
 * Returns the minimum net premium at which an automatic request executes, micros.
 * @param firstSide side of the first leg, which makes the request a buy or a sell.
 * @param limitMicros as signed: above 0 the maximum cost of a buy or the minimum proceeds of a sell, else the net
 * premium.
 */
export function boundMicros(firstSide: Side, limitMicros: number): number {
  return firstSide === Side.Buy && limitMicros > 0 ? -limitMicros : limitMicros
}

/** Compares quotes for sorting, the best for the taker first: by net premium, then by arrival. */
export function compareQuotes(one: RankedQuote, other: RankedQuote): number {
  return other.netPremiumMicros - one.netPremiumMicros || one.number - other.number
}

/**
 * Returns true if a limit above 0 contradicts the value of a multi-leg combo at its marks: a buy that brings money, or
 * a sell that costs money. Without all marks this is unknown, and the result false.
 * @param legs at their marks; NaN for a missing mark.
 */
export function contradictsMarks(limitMicros: number, legs: readonly PricedLeg[]): boolean {
  if (!(limitMicros > 0) || legs.length === 1) return false
  if (legs.some(({ priceMicros }) => Number.isNaN(priceMicros))) return false
  const worth = exactPremium(legs)
  return legs[0].side === Side.Buy ? worth > 0n : worth < 0n
}

/**
 * Returns the price of the fallback order of a single-leg request: its limit divided by its size. It is rounded to a
 * legal price in the taker's favour, down for a buy and up for a sell.
 * @returns micros, 0 if there is no such price.
 */
export function fallbackPriceMicros(side: Side, limitMicros: number, sizeLots: number): number {
  if (!(limitMicros > 0)) return 0
  const value = BigInt(limitMicros) * BigInt(lotsPerContract)
  const lots = BigInt(sizeLots)
  if (side === Side.Buy) return legalPriceDown(Number(value / lots))
  const price = Number(ceilDiv(value, lots))
  return price > priceMicrosMax ? 0 : legalPriceUp(price)
}
