import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { addValueUp, mulDivDown, mulDivRemainder, mulDivUp, valueProductMax } from './money.js'

/** Configured factors have at most 6 decimals: as millionths, or reduced fractions, their products are exact. */
export const millionthsPerUnit = 1_000_000

/** A configured factor or rate as whole millionths, 0 never as -0. */
export function millionthsOf(factor: number): number {
  return Math.round(factor * millionthsPerUnit) + 0
}

/** Operands and result of `workOutNotional`. */
export const notional = new Float64Array(4)
export const notionalPriceAt = 0
export const notionalLotsAt = 1
export const notionalResultAt = 2
const perContractAt = 3

/** A factor above or equal to 0 as a reduced fraction of integers. */
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

  /** This factor × permille ÷ 1000. */
  weighted(permille: number): Ratio {
    assert(
      Number.isInteger(permille) && permille >= 0,
      'ratio: the weight is a whole number of thousandths',
    )
    return new Ratio(this.numerator * permille, this.divisor * 1000)
  }
}

/** amount × ratio, up to the next micro; the amount is 0 or above. */
export function ratioUp(amount: number, ratio: Ratio): number {
  const product = amount * ratio.numerator
  // A quotient of integers below 2^53 that is no integer does not round to one.
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / ratio.divisor)
  return mulDivUp(amount, ratio.numerator, ratio.divisor)
}

/**
 * ratio × price × contracts, up to the next micro: requirements per short contract. It never
 * exceeds 2^53 - 1, and ratio × price counts as at most that.
 */
export function notionalUp(priceMicros: number, sizeLots: number, ratio: Ratio): number {
  if (!(priceMicros > 0) || sizeLots === 0) return 0
  notional[notionalPriceAt] = priceMicros
  notional[notionalLotsAt] = sizeLots
  workOutNotional(ratio)
  return notional[notionalResultAt]
}

/** The same for what stands in `notional`, into it: without a double among arguments or results. */
export function workOutNotional(ratio: Ratio): void {
  const sizeLots = notional[notionalLotsAt]
  const perContract = notional[notionalPriceAt] * ratio.numerator
  if (perContract > Number.MAX_SAFE_INTEGER || perContract * sizeLots > valueProductMax) {
    notional[notionalResultAt] = wideNotionalUp(notional[notionalPriceAt], sizeLots, ratio)
    return
  }
  // Rounding up first to whole micros of the numerator changes no quotient that is rounded up.
  notional[perContractAt] = perContract
  notional[notionalResultAt] = 0
  addValueUp(notional, notionalResultAt, notional, perContractAt, notional, notionalLotsAt)
  notional[notionalResultAt] = Math.ceil(notional[notionalResultAt] / ratio.divisor)
}

// Step by step: whole micros per contract, what the ratio left of one, and what lots per contract
// leave of both. A quotient rounded up may be taken in parts of which only the last is no integer.
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
