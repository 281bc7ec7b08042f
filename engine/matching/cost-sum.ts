// Prices are at most 1e15 micros, and the sizes of one order sum to at most 1e13 lots. The cost of an order therefore
// has up to 94 bits: three parts of 26 bits, of which the highest takes the excess.
//
//     price = p1 × 2^26 + p0                  p1 below 2^24
//     size  = s1 × 2^26 + s0                  s1 below 2^18
//     price × size = p1·s1 × 2^52 + (p1·s0 + p0·s1) × 2^26 + p0·s0
//
// Each of the three terms, with a carry, is below 2^53.

const partSize = 2 ** 26

/** Exact sum of prices times sizes, in micros times lots. */
export class CostSum {
  low = 0
  middle = 0
  high = 0
}

export function clearCost(sum: CostSum): void {
  sum.low = 0
  sum.middle = 0
  sum.high = 0
}

/** Adds one fill. All fills in a sum belong to one order. */
export function addCost(sum: CostSum, priceMicros: number, sizeLots: number): void {
  const priceHigh = Math.floor(priceMicros / partSize)
  const priceLow = priceMicros - priceHigh * partSize
  const sizeHigh = Math.floor(sizeLots / partSize)
  const sizeLow = sizeLots - sizeHigh * partSize
  const low = sum.low + priceLow * sizeLow
  const lowCarry = Math.floor(low / partSize)
  const middle = sum.middle + priceHigh * sizeLow + priceLow * sizeHigh + lowCarry
  const middleCarry = Math.floor(middle / partSize)
  sum.low = low - lowCarry * partSize
  sum.middle = middle - middleCarry * partSize
  sum.high += priceHigh * sizeHigh + middleCarry
}

/** Returns true if the first sum is greater than the second. */
export function isCostAbove(one: CostSum, other: CostSum): boolean {
  if (one.high !== other.high) return one.high > other.high
  if (one.middle !== other.middle) return one.middle > other.middle
  return one.low > other.low
}
