import { lotsPerContract, priceMicrosMax } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { exactPremium, type PricedLeg } from '../../schemas/net-premium.js'
import { legalPriceDown, legalPriceUp } from '../lifecycle/partial-formulas.js'
import { ceilDiv } from '../risk/exact-share.js'

/** A live quote as it is ranked. */
export interface RankedQuote {
  readonly netPremiumMicros: number
  /** Rises with the order of arrival. */
  readonly number: number
}

/**
 * The least net premium that an automatic execution takes, micros.
 * @param firstSide of the first leg: it makes the request a buy or a sell.
 * @param limitMicros as signed: above 0 the most that a buy pays or the least that a sell brings, else the net premium.
 */
export function boundMicros(firstSide: Side, limitMicros: number): number {
  return firstSide === Side.Buy && limitMicros > 0 ? -limitMicros : limitMicros
}

/** Orders quotes, the best for the taker first: by net premium, then by arrival. */
export function compareQuotes(one: RankedQuote, other: RankedQuote): number {
  return other.netPremiumMicros - one.netPremiumMicros || one.number - other.number
}

/**
 * Whether a limit above 0 says the opposite of what a package of several legs is worth at its marks: a buy that brings
 * money, or a sell that costs some. Without all marks nobody can tell.
 * @param legs at their marks; NaN: there is none.
 */
export function contradictsMarks(limitMicros: number, legs: readonly PricedLeg[]): boolean {
  if (!(limitMicros > 0) || legs.length === 1) return false
  if (legs.some(({ priceMicros }) => Number.isNaN(priceMicros))) return false
  const worth = exactPremium(legs)
  return legs[0].side === Side.Buy ? worth > 0n : worth < 0n
}

/**
 * Price of the order that takes the place of a single-leg request, its limit over its size: to a legal price in the
 * taker's favour, a buy down and a sell up.
 * @returns micros, 0 when there is no such price.
 */
export function fallbackPriceMicros(side: Side, limitMicros: number, sizeLots: number): number {
  if (!(limitMicros > 0)) return 0
  const value = BigInt(limitMicros) * BigInt(lotsPerContract)
  const lots = BigInt(sizeLots)
  if (side === Side.Buy) return legalPriceDown(Number(value / lots))
  const price = Number(ceilDiv(value, lots))
  return price > priceMicrosMax ? 0 : legalPriceUp(price)
}
