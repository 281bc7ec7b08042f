import { lotsPerContract, moneyMicrosMax } from './bounds.js'
import { Side } from './domain.js'

/** A leg as the taker has it, at a price per contract in whole micros. */
export interface PricedLeg {
  readonly side: Side
  readonly sizeLots: number
  readonly priceMicros: number
}

/** A micro per contract, in the unit of exact sums: micros × lots. */
export const contractScale = BigInt(lotsPerContract)

/**
 * Net premium of a package in the taker's view, micros: what a sell brings less what a buy costs, summed up exactly
 * and truncated toward zero once.
 * @returns NaN when no exact amount can hold it.
 */
export function netPremiumMicros(legs: readonly PricedLeg[]): number {
  const micros = Number(exactPremium(legs) / contractScale)
  return Math.abs(micros) > moneyMicrosMax ? Number.NaN : micros
}

/** The same before it is rounded, micros × lots. */
export function exactPremium(legs: readonly PricedLeg[]): bigint {
  let sum = 0n
  for (const { priceMicros, side, sizeLots } of legs) {
    const cash = BigInt(priceMicros) * BigInt(sizeLots)
    sum += side === Side.Buy ? -cash : cash
  }
  return sum
}

/**
 * Whether a quote's net premium is that of its legs. Prices and net premium were truncated to micros before they are
 * compared, so each leg may be off by a micro per contract, and by one at least. Who only buys is never paid for it, nor
 * does who only sells pay.
 */
export function isPremiumOf(legs: readonly PricedLeg[], premiumMicros: number): boolean {
  if (!(Math.abs(premiumMicros) <= moneyMicrosMax)) return false
  if (premiumMicros > 0 && legs.every(({ side }) => side === Side.Buy)) return false
  if (premiumMicros < 0 && legs.every(({ side }) => side === Side.Sell)) return false
  let room = 0n
  for (const { sizeLots } of legs) room += BigInt(Math.max(lotsPerContract, sizeLots))
  const off = BigInt(premiumMicros) * contractScale - exactPremium(legs)
  return (off < 0n ? -off : off) <= room
}
