import { lotsPerContract } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { productTail } from '../pricing/exact.js'

// Products of two integers are exact to 106 bits. Those below 2^52 are a double, and so is the
// floor of their quotient. Those beyond are a double-length product after Veltkamp and Dekker ("A
// floating-point technique for extending the available precision", 1971), whose quotient is
// estimated in one division and corrected by the exact remainder. A size in lots is divided by lots
// per contract, always: there both factors are split at that divisor instead, and only the product
// of the two remainders is divided.

const exactMax = 2 ** 52
const resultMax = Number.MAX_SAFE_INTEGER
/** Product and division are rounded once each, at a magnitude of 2^53. */
const estimateErrorMax = 4

const contractsPerLot = 1 / lotsPerContract
const halfContractLots = lotsPerContract / 2
/** Amounts and values up to here leave room for the sums of `divideByContract`. */
const valueMax = 2 ** 51
export const valueProductMax = valueMax * lotsPerContract

// Quotient and product of a value are rounded once each: up to `nearMax` that is less than 2^-11, so within
// `nearOffMax` of an integer that one is the nearest of the true value too, and no half.
const nearMax = 2 ** 40
const nearOffMax = 0.5 - 2 ** -11
/** Adding it leaves no bits for a fraction: the addition rounds to an integer. */
const roundingShift = 1.5 * 2 ** 52

/**
 * Factors and divisor of a division, then its floor and remainder. A call that V8 does not inline
 * would box doubles; typed slots cost nothing.
 */
const slots = new Float64Array(5)
const aAt = 0
const bAt = 1
const divisorAt = 2
const floorAt = 3
const remainderAt = 4

/**
 * a × b ÷ divisor, rounded half-even.
 *
 * @param a integer, magnitude below 2^53, like `b`.
 * @param divisor integer above 0, below 2^51.
 * @returns an integer, never -0; a quotient beyond ±(2^53 - 1) becomes that bound.
 */
export function mulDivHalfEven(a: number, b: number, divisor: number): number {
  slots[aAt] = a
  slots[bAt] = b
  slots[divisorAt] = divisor
  divide()
  const floor = slots[floorAt]
  const twice = 2 * slots[remainderAt]
  return twice > divisor || (twice === divisor && floor % 2 !== 0) ? floor + 1 : floor
}

/** `mulDivHalfEven`, but rounded up, toward plus infinity: requirements and reserves. */
export function mulDivUp(a: number, b: number, divisor: number): number {
  slots[aAt] = a
  slots[bAt] = b
  slots[divisorAt] = divisor
  divide()
  const floor = slots[floorAt]
  return slots[remainderAt] > 0 ? floor + 1 : floor
}

/** `mulDivHalfEven`, but rounded down, toward minus infinity; `mulDivRemainder` is what it left. */
export function mulDivDown(a: number, b: number, divisor: number): number {
  slots[aAt] = a
  slots[bAt] = b
  slots[divisorAt] = divisor
  divide()
  return slots[floorAt]
}

/** Remainder of the latest call of this file's divisions, in [0, divisor). */
export function mulDivRemainder(): number {
  return slots[remainderAt]
}

/** Premium in micros: price × size, rounded half-even, the same amount for both sides of a fill. */
export function premiumMicros(priceMicros: number, sizeLots: number): number {
  return valueMicros(priceMicros, sizeLots)
}

/** Value in micros of a signed size at a signed amount per contract, rounded half-even. */
export function valueMicros(amountMicros: number, sizeLots: number): number {
  slots[aAt] = amountMicros
  slots[bAt] = sizeLots
  divideByContract()
  const floor = slots[floorAt]
  const remainder = slots[remainderAt]
  const isUp = remainder > halfContractLots || (remainder === halfContractLots && floor % 2 !== 0)
  return isUp ? floor + 1 : floor
}

/** Which amounts of a row `moveValues` counts: all, those above 0, or those below 0 as if they were above. */
export const Part = { All: 0, Gains: 1, Losses: -1 } as const
export type Part = (typeof Part)[keyof typeof Part]

/** Sizes, signed lots, between which `moveValues` moves its sums; 0 is worth nothing. Filled anew for each. */
export class SizeMove {
  before = 0
  after = 0
  part: Part = Part.All
}

/**
 * Moves a row of sums from the values of one size at a row of amounts per contract to those of another, each
 * rounded as `valueMicros` does. The sizes are split once for all, and no argument is a double: nothing is boxed.
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
    // As in `divideByContract`.
    const wholeAmount = Math.floor(amount * contractsPerLot + 0.5)
    const amountRemainder = amount - wholeAmount * lotsPerContract
    sums[sumsAt + j] +=
      valueOfParts(amount, wholeAmount, amountRemainder, wholeAfter, remainderAfter) -
      valueOfParts(amount, wholeAmount, amountRemainder, wholeBefore, remainderBefore)
  }
}

/** `valueMicros` of an amount and a size that are split at a contract's lots, both small enough. */
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

/**
 * Adds to a sum the value of a size, up to the next micro; operands stand in columns, so that nothing
 * is boxed.
 */
export function addValueUp(
  sums: Float64Array,
  sumsAt: number,
  amounts: Float64Array,
  amountsAt: number,
  lots: Float64Array,
  lotsAt: number,
): void {
  slots[aAt] = amounts[amountsAt]
  slots[bAt] = lots[lotsAt]
  divideByContract()
  sums[sumsAt] += slots[floorAt] + (slots[remainderAt] > 0 ? 1 : 0)
}

/** Takes out of a sum what `addValueUp` added. */
export function takeValueUp(
  sums: Float64Array,
  sumsAt: number,
  amounts: Float64Array,
  amountsAt: number,
  lots: Float64Array,
  lotsAt: number,
): void {
  slots[aAt] = amounts[amountsAt]
  slots[bAt] = lots[lotsAt]
  divideByContract()
  sums[sumsAt] -= slots[floorAt] + (slots[remainderAt] > 0 ? 1 : 0)
}

/** Premium to set aside for a working buy: price × size, up to the next micro. */
export function premiumReserveMicros(priceMicros: number, sizeLots: number): number {
  return valueUpMicros(priceMicros, sizeLots)
}

/** `valueMicros`, but up to the next micro. */
export function valueUpMicros(amountMicros: number, sizeLots: number): number {
  slots[aAt] = amountMicros
  slots[bAt] = sizeLots
  divideByContract()
  const floor = slots[floorAt]
  return slots[remainderAt] > 0 ? floor + 1 : floor
}

/**
 * What an order gives away against the mark, up to the next micro; 0 without a mark.
 */
export function slippageReserveMicros(
  side: number,
  markMicros: number,
  priceMicros: number,
  sizeLots: number,
): number {
  const givenMicros = side === Side.Sell ? markMicros - priceMicros : priceMicros - markMicros
  return givenMicros > 0 ? valueUpMicros(givenMicros, sizeLots) : 0
}

// Floor and remainder of amount × lots ÷ lots per contract.
function divideByContract(): void {
  const amountMicros = slots[aAt]
  const sizeLots = slots[bAt]
  const isPlain =
    Math.abs(amountMicros) <= valueMax && Math.abs(amountMicros * sizeLots) <= valueProductMax
  if (!isPlain) {
    slots[divisorAt] = lotsPerContract
    divide()
    return
  }
  // Rests within [-1, lots per contract] and half of that, whichever way the estimates fall: the
  // sums and products of what follows are integers below 2^53.
  const wholeSize = Math.floor(sizeLots * contractsPerLot)
  const wholeAmount = Math.floor(amountMicros * contractsPerLot + 0.5)
  const sizeRemainder = sizeLots - wholeSize * lotsPerContract
  const remainders = (amountMicros - wholeAmount * lotsPerContract) * sizeRemainder
  const floor = Math.floor(remainders / lotsPerContract)
  slots[remainderAt] = remainders - floor * lotsPerContract
  slots[floorAt] = amountMicros * wholeSize + wholeAmount * sizeRemainder + floor + 0 // + 0 turns -0 into 0
}

// Floor and remainder of a × b ÷ divisor.
function divide(): void {
  const product = slots[aAt] * slots[bAt]
  const divisor = slots[divisorAt]
  const estimate = Math.floor(product / divisor)
  if (product <= exactMax && product >= -exactMax) {
    slots[floorAt] = estimate + 0
    slots[remainderAt] = product - estimate * divisor
    return
  }
  // Close to the bound an estimate that is off by one may lie beyond it.
  const quotient = Math.max(-resultMax, Math.min(resultMax, estimate))
  if (Math.abs(estimate - quotient) > estimateErrorMax) saturate(estimate)
  else divideWide(product, quotient)
}

function divideWide(product: number, estimate: number): void {
  const divisor = slots[divisorAt]
  let quotient = estimate
  const back = quotient * divisor
  const tails = productTail(slots[aAt], slots[bAt], product) - productTail(quotient, divisor, back)
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
  slots[floorAt] = quotient + 0
  slots[remainderAt] = remainder
}

/** How often a quotient was beyond the range of money since the thread began: exact-limits.ts keeps it at 0. */
export let saturatedCount = 0

// Out of the range of money: nothing that is admitted comes to this. If it did, the bound would keep a requirement above
// every possible equity, and whoever looks after the engine sees it counted.
function saturate(quotient: number): void {
  saturatedCount++
  slots[floorAt] = quotient > 0 ? resultMax : -resultMax
  slots[remainderAt] = 0
}
