import { priceMicrosMax } from '../../schemas/bounds.js'

// Legal prices have at most 5 significant figures, so they form a compact ordered grid:
//
//   price in micros      decade   mantissa         index = decade x 90,000 + mantissa
//   1 .. 99,999            0      1 .. 99,999      1 .. 99,999
//   100,000 .. 999,990     1      10,000 .. 99,999 100,000 .. 189,999
//   ...                    d      10,000 .. 99,999 d x 90,000 + 10,000 ..
//   1e15 (1e9 USD)        11      10,000           1,000,000
//
// Decade 0 contains the prices below six digits, where a micro is the finest step and every integer is legal. Each
// later decade continues where the previous one ends. Index 0 is no price.

const mantissasPerDecade = 90_000
const decadeZeroEnd = 100_000

/** Index of the highest price, 1e9 USD. */
export const priceIndexMax = 1_000_000

/** Returned by `priceIndexOf` if a number is no legal price. */
export const noPriceIndex = -1

/** Micros per unit of the mantissa, by decade. */
const steps = Float64Array.from({ length: 12 }, (_, decade) => 10 ** decade)

/**
 * Returns the index of a price on the grid. Higher prices have higher indexes, without gaps.
 * @param priceMicros any number.
 * @returns 1 to `priceIndexMax`; `noPriceIndex` if the number is not a whole number of micros, has more than 5
 * significant figures, or is outside 0.000001 to 1e9 USD.
 */
export function priceIndexOf(priceMicros: number): number {
  if (!(priceMicros >= 1 && priceMicros <= priceMicrosMax)) return noPriceIndex
  if (priceMicros < decadeZeroEnd) {
    return Number.isInteger(priceMicros) ? priceMicros : noPriceIndex
  }
  let decade = 1
  while (priceMicros >= steps[decade] * decadeZeroEnd) decade++
  // The quotient may be rounded. The product of two integers below 2^53 is exact and decides.
  const mantissa = Math.floor(priceMicros / steps[decade])
  if (mantissa * steps[decade] !== priceMicros) return noPriceIndex
  return decade * mantissasPerDecade + mantissa
}

/** Returns the distance from a legal price to the next higher one, in micros. */
export function stepMicrosAt(priceMicros: number): number {
  let decade = 0
  while (priceMicros >= steps[decade] * decadeZeroEnd) decade++
  return steps[decade]
}

/** Returns the exact price in micros at an index from 1 to `priceIndexMax`. */
export function priceMicrosOf(priceIndex: number): number {
  if (priceIndex < decadeZeroEnd) return priceIndex
  const decade = ((priceIndex - 10_000) / mantissasPerDecade) | 0
  return (priceIndex - decade * mantissasPerDecade) * steps[decade]
}
