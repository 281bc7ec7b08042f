import { lotsPerContract } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { productTail } from '../pricing/exact.js'

// Products of two integers are exact to 106 bits. A product below 2^52 is an exact double, and so is the floor of its
// quotient. A larger product is a double-length product after Veltkamp and Dekker ("A floating-point technique for
// extending the available precision", 1971). Its quotient is estimated in one division and corrected by the exact
// remainder. A product with a size in lots is always divided by the lots per contract. There both factors are split at
// that divisor, and only the product of the two remainders is divided.

const exactMax = 2 ** 52
const resultMax = Number.MAX_SAFE_INTEGER
/** Product and division are each rounded once, at a magnitude of 2^53. */
const estimateErrorMax = 4

const contractsPerLot = 1 / lotsPerContract
const halfContractLots = lotsPerContract / 2
/** Amounts and values up to this bound leave room for the sums of `divideByContract`. */
const valueMax = 2 ** 51
export const valueProductMax = valueMax * lotsPerContract

// Quotient and product of a value are each rounded once. Up to `nearMax` the error is less than 2^-11, so within
// `nearOffMax` of an integer, that integer is also nearest to the true value, and the true value is no half.
const nearMax = 2 ** 40
const nearOffMax = 0.5 - 2 ** -11
/** Adding it leaves no bits for a fraction: the sum is rounded to an integer. */
const roundingShift = 1.5 * 2 ** 52

/**
 * Factors and divisor of a division, then its floor and remainder. A call that V8 does not inline would box doubles;
 * typed cells do not.
 */
const cells = new Float64Array(5)
const aAt = 0
const bAt = 1
const divisorAt = 2
const floorAt = 3
const remainderAt = 4

/**
 * Returns a × b ÷ divisor, rounded half-even.
 *
 * @param a integer, magnitude below 2^53, like `b`.
 * @param divisor integer above 0, below 2^51.
 * @returns an integer, never -0; a quotient beyond ±(2^53 - 1) becomes that bound.
 */
export function mulDivHalfEven(a: number, b: number, divisor: number): number {
  cells[aAt] = a
  cells[bAt] = b
  cells[divisorAt] = divisor
  divide()
  const floor = cells[floorAt]
  const twice = 2 * cells[remainderAt]
  return twice > divisor || (twice === divisor && floor % 2 !== 0) ? floor + 1 : floor
}

/** `mulDivHalfEven`, but rounded toward plus infinity: for requirements and reserves. */
export function mulDivUp(a: number, b: number, divisor: number): number {
  cells[aAt] = a
  cells[bAt] = b
  cells[divisorAt] = divisor
  divide()
  const floor = cells[floorAt]
  return cells[remainderAt] > 0 ? floor + 1 : floor
}

/** `mulDivHalfEven`, but rounded toward minus infinity; `mulDivRemainder` returns the remainder. */
export function mulDivDown(a: number, b: number, divisor: number): number {
  cells[aAt] = a
  cells[bAt] = b
  cells[divisorAt] = divisor
  divide()
  return cells[floorAt]
}

/** Returns the remainder of the latest division in this file, in [0, divisor). */
export function mulDivRemainder(): number {
  return cells[remainderAt]
}

/** Returns the premium in micros: price × size, rounded half-even, the same amount for both sides of a fill. */
export function premiumMicros(priceMicros: number, sizeLots: number): number {
  return valueMicros(priceMicros, sizeLots)
}

/** Returns the value in micros of a signed size at a signed amount per contract, rounded half-even. */
export function valueMicros(amountMicros: number, sizeLots: number): number {
  cells[aAt] = amountMicros
  cells[bAt] = sizeLots
  divideByContract()
  const floor = cells[floorAt]
  const remainder = cells[remainderAt]
  const isUp = remainder > halfContractLots || (remainder === halfContractLots && floor % 2 !== 0)
  return isUp ? floor + 1 : floor
}

/** Amounts that `moveValues` counts: all, those above 0, or the absolute values of those below 0. */
export const Part = { All: 0, Gains: 1, Losses: -1 } as const
export type Part = (typeof Part)[keyof typeof Part]

/** Sizes in signed lots between which `moveValues` moves its sums. Callers reuse one object. */
export class SizeMove {
  before = 0
  after = 0
  part: Part = Part.All
}

/**
 * Moves a row of sums from the values of one size to those of another, at a row of amounts per contract. Each value is
 * rounded like `valueMicros`. The sizes are split once for the whole row. No argument is a double, so nothing is boxed.
 */
export function moveValues(
  sums: Float64Array,
  sumsAt: number,
  amounts: Float64Array,
  amountsAt: number,
  count: number,
  { after, before, part }: SizeMove,
): void {
  if (before === after) return
  const sizeMax = Math.max(Math.abs(before), Math.abs(after))
  const amountMax = Math.min(valueMax, valueProductMax / sizeMax)
  const wholeBefore = Math.floor(before * contractsPerLot)
  const remainderBefore = before - wholeBefore * lotsPerContract
  const wholeAfter = Math.floor(after * contractsPerLot)
  const remainderAfter = after - wholeAfter * lotsPerContract
  const contractsBefore = before / lotsPerContract
  const contractsAfter = after / lotsPerContract
  for (let j = 0; j < count; j++) {
    const amount = part === Part.Losses ? -amounts[amountsAt + j] : amounts[amountsAt + j]
    if (part !== Part.All && !(amount > 0)) continue
    const nearBefore = amount * contractsBefore
    const nearAfter = amount * contractsAfter
    const nearestBefore = nearBefore + roundingShift - roundingShift
    const nearestAfter = nearAfter + roundingShift - roundingShift
    const isNear =
      Math.abs(nearBefore) <= nearMax &&
      Math.abs(nearAfter) <= nearMax &&
      Math.abs(nearBefore - nearestBefore) <= nearOffMax &&
      Math.abs(nearAfter - nearestAfter) <= nearOffMax
    if (isNear) {
      sums[sumsAt + j] += nearestAfter - nearestBefore
      continue
    }
    if (!(Math.abs(amount) <= amountMax)) {
      sums[sumsAt + j] += valueMicros(amount, after) - valueMicros(amount, before)
      continue
    }
    // Same steps as `divideByContract`.
    const wholeAmount = Math.floor(amount * contractsPerLot + 0.5)
    const amountRemainder = amount - wholeAmount * lotsPerContract
    sums[sumsAt + j] +=
      valueOfParts(amount, wholeAmount, amountRemainder, wholeAfter, remainderAfter) -
      valueOfParts(amount, wholeAmount, amountRemainder, wholeBefore, remainderBefore)
  }
}

/** `valueMicros` of an amount and a size that are already split at the lots per contract; both are small enough. */
function valueOfParts(
  amount: number,
  wholeAmount: number,
  amountRemainder: number,
  wholeSize: number,
  sizeRemainder: number,
): number {
  const remainders = amountRemainder * sizeRemainder
  const floor = Math.floor(remainders / lotsPerContract)
  const remainder = remainders - floor * lotsPerContract
  const value = amount * wholeSize + wholeAmount * sizeRemainder + floor
  const isUp = remainder > halfContractLots || (remainder === halfContractLots && value % 2 !== 0)
  return isUp ? value + 1 : value
}

/** Adds the value of a size to a sum, rounded up to the next micro. Operands are in columns, so nothing is boxed. */
export function addValueUp(
  sums: Float64Array,
  sumsAt: number,
  amounts: Float64Array,
  amountsAt: number,
  lots: Float64Array,
  lotsAt: number,
): void {
  cells[aAt] = amounts[amountsAt]
  cells[bAt] = lots[lotsAt]
  divideByContract()
  sums[sumsAt] += cells[floorAt] + (cells[remainderAt] > 0 ? 1 : 0)
}

/** Subtracts from a sum the value that `addValueUp` added. */
export function takeValueUp(
  sums: Float64Array,
  sumsAt: number,
  amounts: Float64Array,
  amountsAt: number,
  lots: Float64Array,
  lotsAt: number,
): void {
  cells[aAt] = amounts[amountsAt]
  cells[bAt] = lots[lotsAt]
  divideByContract()
  sums[sumsAt] -= cells[floorAt] + (cells[remainderAt] > 0 ? 1 : 0)
}

/** Returns the premium reserve of a working buy: price × size, rounded up to the next micro. */
export function premiumReserveMicros(priceMicros: number, sizeLots: number): number {
  return valueUpMicros(priceMicros, sizeLots)
}

/** `valueMicros`, but rounded up to the next micro. */
export function valueUpMicros(amountMicros: number, sizeLots: number): number {
  cells[aAt] = amountMicros
  cells[bAt] = sizeLots
  divideByContract()
  const floor = cells[floorAt]
  return cells[remainderAt] > 0 ? floor + 1 : floor
}

/** Returns the value that an order gives away against the mark, rounded up to the next micro; 0 without a mark. */
export function slippageReserveMicros(
  side: number,
  markMicros: number,
  priceMicros: number,
  sizeLots: number,
): number {
  const givenMicros = side === Side.Sell ? markMicros - priceMicros : priceMicros - markMicros
  return givenMicros > 0 ? valueUpMicros(givenMicros, sizeLots) : 0
}

// Writes floor and remainder of amount × lots ÷ lots per contract.
function divideByContract(): void {
  const amountMicros = cells[aAt]
  const sizeLots = cells[bAt]
  const isPlain =
    Math.abs(amountMicros) <= valueMax && Math.abs(amountMicros * sizeLots) <= valueProductMax
  if (!isPlain) {
    cells[divisorAt] = lotsPerContract
    divide()
    return
  }
  // Remainders are within [-1, lots per contract] for the size, and half of that for the amount, however the estimates
  // round. All sums and products below are integers under 2^53.
  const wholeSize = Math.floor(sizeLots * contractsPerLot)
  const wholeAmount = Math.floor(amountMicros * contractsPerLot + 0.5)
  const sizeRemainder = sizeLots - wholeSize * lotsPerContract
  const remainders = (amountMicros - wholeAmount * lotsPerContract) * sizeRemainder
  const floor = Math.floor(remainders / lotsPerContract)
  cells[remainderAt] = remainders - floor * lotsPerContract
  cells[floorAt] = amountMicros * wholeSize + wholeAmount * sizeRemainder + floor + 0 // + 0 turns -0 into 0
}

// Writes floor and remainder of a × b ÷ divisor.
function divide(): void {
  const product = cells[aAt] * cells[bAt]
  const divisor = cells[divisorAt]
  const estimate = Math.floor(product / divisor)
  if (product <= exactMax && product >= -exactMax) {
    cells[floorAt] = estimate + 0
    cells[remainderAt] = product - estimate * divisor
    return
  }
  // Close to the bound, an estimate that is off by one may be beyond it.
  const quotient = Math.max(-resultMax, Math.min(resultMax, estimate))
  if (Math.abs(estimate - quotient) > estimateErrorMax) saturate(estimate)
  else divideWide(product, quotient)
}

function divideWide(product: number, estimate: number): void {
  const divisor = cells[divisorAt]
  let quotient = estimate
  const back = quotient * divisor
  const tails = productTail(cells[aAt], cells[bAt], product) - productTail(quotient, divisor, back)
  let remainder = product - back + tails
  while (remainder < 0) {
    quotient--
    remainder += divisor
  }
  while (remainder >= divisor) {
    quotient++
    remainder -= divisor
  }
  if (quotient >= resultMax || quotient < -resultMax) {
    saturate(quotient)
    return
  }
  cells[floorAt] = quotient + 0
  cells[remainderAt] = remainder
}

/** Number of quotients beyond the range of money since the thread started. exact-limits.ts keeps it at 0. */
export let saturatedCount = 0

// Handles a quotient beyond the range of money, which no admitted order can cause. The bound keeps a requirement above
// every possible equity, and the count reports the event to the operator.
function saturate(quotient: number): void {
  saturatedCount++
  cells[floorAt] = quotient > 0 ? resultMax : -resultMax
  cells[remainderAt] = 0
}
