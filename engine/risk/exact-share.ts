import { millionthsOf, millionthsPerUnit } from './ratio.js'

// Liquidation, settlement and funding are rare, and their formulas divide products of several amounts. They are
// therefore computed in BigInt: exact, and rounded once, where the caller says.

/** Millionths per unit of a configured ratio. */
export const ratioScale = BigInt(millionthsPerUnit)

/** Returns a configured number with at most 6 decimals in millionths. */
export function millionths(ratio: number): bigint {
  return BigInt(millionthsOf(ratio))
}

/** Divides, rounding toward minus infinity. The divisor is positive. */
export function floorDiv(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor
  return amount % divisor < 0n ? quotient - 1n : quotient
}

/** Divides, rounding toward plus infinity. The divisor is positive. */
export function ceilDiv(amount: bigint, divisor: bigint): bigint {
  return -floorDiv(-amount, divisor)
}

/** Divides, rounding half to even. The divisor is positive. */
export function halfEvenDiv(amount: bigint, divisor: bigint): bigint {
  const floor = floorDiv(amount, divisor)
  const twice = 2n * (amount - floor * divisor)
  const isUp = twice > divisor || (twice === divisor && floor % 2n !== 0n)
  return isUp ? floor + 1n : floor
}

/** Returns the least integer amount that is not below ratio × amount. */
export function atLeast(ratio: number, amountMicros: number): number {
  return Number(ceilDiv(millionths(ratio) * BigInt(amountMicros), ratioScale))
}
