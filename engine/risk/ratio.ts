import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { addValueUp, mulDivDown, mulDivRemainder, mulDivUp, valueProductMax } from './money.js'

/** Configured factors have at most 6 decimals. As millionths or reduced fractions, their products are exact. */
export const millionthsPerUnit = 1_000_000

/** Returns a configured factor or rate as whole millionths, never -0. */
export function millionthsOf(factor: number): number {
  return Math.round(factor * millionthsPerUnit) + 0
}

/** Operands and result of `workOutNotional`. */
export const notional = new Float64Array(4)
export const notionalPriceAt = 0
export const notionalLotsAt = 1
export const notionalResultAt = 2
const perContractAt = 3

/** Non-negative factor as a reduced fraction of integers. */
export class Ratio {
  readonly numerator: number
  readonly divisor: number

  private constructor(numerator: number, divisor: number) {
    const common = greatestCommonDivisor(numerator, divisor)
    this.numerator = numerator / common
    this.divisor = divisor / common
  }

  /** @param factor a configured number, rounded to 6 decimals. */
  static of(factor: number): Ratio {
    assert(factor >= 0 && factor < 1000, 'ratio: a factor between 0 and 1000')
    return new Ratio(millionthsOf(factor), millionthsPerUnit)
  }

  /** Returns this factor × permille ÷ 1000. */
  weighted(permille: number): Ratio {
    assert(
      Number.isInteger(permille) && permille >= 0,
      'ratio: the weight is a whole number of thousandths',
    )
    return new Ratio(this.numerator * permille, this.divisor * 1000)
  }
}

/** Returns amount × ratio, rounded up to the next micro; the amount is not negative. */
export function ratioUp(amount: number, ratio: Ratio): number {
  const product = amount * ratio.numerator
  // A quotient of integers below 2^53 that is not an integer does not round to one.
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / ratio.divisor)
  return mulDivUp(amount, ratio.numerator, ratio.divisor)
}

/**
 * Returns ratio × price × contracts, rounded up to the next micro: the requirement of short contracts. The result is at
 * most 2^53 - 1, and ratio × price counts as at most that.
 */
export function notionalUp(priceMicros: number, sizeLots: number, ratio: Ratio): number {
  if (!(priceMicros > 0) || sizeLots === 0) return 0
  notional[notionalPriceAt] = priceMicros
  notional[notionalLotsAt] = sizeLots
  workOutNotional(ratio)
  return notional[notionalResultAt]
}

/** `notionalUp` with operands and result in `notional`, so that no argument or result is a double. */
export function workOutNotional(ratio: Ratio): void {
  const sizeLots = notional[notionalLotsAt]
  const perContract = notional[notionalPriceAt] * ratio.numerator
  if (perContract > Number.MAX_SAFE_INTEGER || perContract * sizeLots > valueProductMax) {
    notional[notionalResultAt] = wideNotionalUp(notional[notionalPriceAt], sizeLots, ratio)
    return
  }
  // Rounding up to whole micros of the numerator first does not change the rounded-up quotient.
  notional[perContractAt] = perContract
  notional[notionalResultAt] = 0
  addValueUp(notional, notionalResultAt, notional, perContractAt, notional, notionalLotsAt)
  notional[notionalResultAt] = Math.ceil(notional[notionalResultAt] / ratio.divisor)
}

// Computes in steps: whole micros per contract, the remainder of the ratio, and the remainders of both at the lots per
// contract. A rounded-up quotient may be computed in parts if only the last part is not an integer.
function wideNotionalUp(priceMicros: number, sizeLots: number, ratio: Ratio): number {
  const perContract = mulDivDown(priceMicros, ratio.numerator, ratio.divisor)
  const leftLots = mulDivUp(mulDivRemainder(), sizeLots, ratio.divisor)
  const micros = mulDivDown(perContract, sizeLots, lotsPerContract)
  const more = Math.ceil((mulDivRemainder() + leftLots) / lotsPerContract)
  return Math.min(Number.MAX_SAFE_INTEGER, micros + more)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
