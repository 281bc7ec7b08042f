import { millionthsOf, millionthsPerUnit } from './ratio.js'

// Liquidation, settlement and funding are rare and their formulas divide products of several amounts, so they are
// worked out in integers of any length: exact, and rounded once, where the caller says.

/** Configured ratios as whole millionths. */
export const ratioScale = BigInt(millionthsPerUnit)

/** A configured number with at most 6 decimals, in millionths. */
export function millionths(ratio: number): bigint {
  return BigInt(millionthsOf(ratio))
}

/** Quotient toward minus infinity; the divisor is above 0. */
export function floorDiv(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor
  return amount % divisor < 0n ? quotient - 1n : quotient
}

/** Quotient toward plus infinity; the divisor is above 0. */
export function ceilDiv(amount: bigint, divisor: bigint): bigint {
  return -floorDiv(-amount, divisor)
}

/** Nearest quotient, half to even; the divisor is above 0. */
export function halfEvenDiv(amount: bigint, divisor: bigint): bigint {
  const floor = floorDiv(amount, divisor)
  const twice = 2n * (amount - floor * divisor)
  const isUp = twice > divisor || (twice === divisor && floor % 2n !== 0n)
  return isUp ? floor + 1n : floor
}

/** Least integer amount that is at least ratio × amount. */
export function atLeast(ratio: number, amountMicros: number): number {
  return Number(ceilDiv(millionths(ratio) * BigInt(amountMicros), ratioScale))
}
