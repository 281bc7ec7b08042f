import { lotsPerContract, moneyMicrosMax } from './bounds.js'
import { Side } from './domain.js'

/** Leg in the taker's view, with a price per contract in whole micros. */
export interface PricedLeg {
  readonly side: Side
  readonly sizeLots: number
  readonly priceMicros: number
}

/** A micro per contract, in the unit of exact sums: micros × lots. */
export const contractScale = BigInt(lotsPerContract)

/**
 * Returns the net premium of a combo in the taker's view, in micros: proceeds of sells less cost of buys, summed exactly
 * and truncated toward zero once.
 * @returns NaN if no exact amount can hold it.
 */
export function netPremiumMicros(legs: readonly PricedLeg[]): number {
  const micros = Number(exactPremium(legs) / contractScale)
  return Math.abs(micros) > moneyMicrosMax ? Number.NaN : micros
}

/** Returns the net premium before rounding, in micros × lots. */
export function exactPremium(legs: readonly PricedLeg[]): bigint {
  let sum = 0n
  for (const { priceMicros, side, sizeLots } of legs) {
    const cash = BigInt(priceMicros) * BigInt(sizeLots)
    sum += side === Side.Buy ? -cash : cash
  }
  return sum
}

/**
 * Returns true if a quote's net premium matches its legs. Prices and net premium were truncated to micros, so each leg may
 * be off by one micro per contract, and by at least one. A taker that only buys is never paid, and one that only sells
 * never pays.
 */
export function isPremiumOf(legs: readonly PricedLeg[], premiumMicros: number): boolean {
  if (!(Math.abs(premiumMicros) <= moneyMicrosMax)) return false
  if (premiumMicros > 0 && legs.every(({ side }) => side === Side.Buy)) return false
  if (premiumMicros < 0 && legs.every(({ side }) => side === Side.Sell)) return false
  let tolerance = 0n
  for (const { sizeLots } of legs) tolerance += BigInt(Math.max(lotsPerContract, sizeLots))
  const difference = BigInt(premiumMicros) * contractScale - exactPremium(legs)
  return (difference < 0n ? -difference : difference) <= tolerance
}
