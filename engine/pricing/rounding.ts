import { microsPerUsd } from '../../schemas/bounds.js'

// Adding 1.5·2^52 leaves no bits for a fraction, so the addition itself rounds half-even.
const roundingShift = 6755399441055744
const shiftedMax = 2251799813685248

/**
 * Converts USD to micros, half-even: the only rounding of a mark and of a shocked value difference.
 *
 * @returns an integer, never -0; NaN for NaN.
 */
export function microsOfUsd(usd: number): number {
  const micros = usd * microsPerUsd
  if (micros < shiftedMax && micros > -shiftedMax) return micros + roundingShift - roundingShift
  return largeHalfEven(micros)
}

/** Returns a greek as protections count it, in micros half-even; 0 if it is missing. */
export function countedMicros(greek: number): number {
  return microsOfUsd(greek) || 0
}

// From 2^51 on, a double has at most one fraction bit.
function largeHalfEven(micros: number): number {
  const floor = Math.floor(micros)
  if (micros === floor || Number.isNaN(micros)) return micros
  return floor % 2 === 0 ? floor : floor + 1
}
