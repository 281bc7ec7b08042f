import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { addValueUp, mulDivUp, valueProductMax } from './money.js'

// Configured factors have at most 6 decimals; as reduced fractions their products are exact.
const decimalsScale = 1_000_000

/** Operands and result of `workOutNotional`. */
export const notional = new Float64Array(4)
export const priceAt = 0
export const lotsAt = 1
export const resultAt = 2
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
    return new Ratio(Math.round(factor * decimalsScale), decimalsScale)
  }

  /** This factor × permille ÷ 1000. */
  weighted(permille: number): Ratio {
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

/** ratio × price × contracts, up to the next micro: requirements per short contract. */
export function notionalUp(priceMicros: number, sizeLots: number, ratio: Ratio): number {
  if (!(priceMicros > 0) || sizeLots === 0) return 0
  notional[priceAt] = priceMicros
  notional[lotsAt] = sizeLots
  workOutNotional(ratio)
  return notional[resultAt]
}

/** The same for what stands in `notional`, into it: without a double among arguments or results. */
export function workOutNotional(ratio: Ratio): void {
  const sizeLots = notional[lotsAt]
  const perContract = notional[priceAt] * ratio.numerator
  if (perContract * sizeLots > valueProductMax) {
    notional[resultAt] = wideNotionalUp(notional[priceAt], sizeLots, ratio)
    return
  }
  // Rounding up first to whole micros of the numerator changes no quotient that is rounded up.
  notional[perContractAt] = perContract
  notional[resultAt] = 0
  addValueUp(notional, resultAt, notional, perContractAt, notional, lotsAt, 1)
  notional[resultAt] = Math.ceil(notional[resultAt] / ratio.divisor)
}

function wideNotionalUp(priceMicros: number, sizeLots: number, ratio: Ratio): number {
  const perContract = priceMicros * ratio.numerator
  if (perContract <= Number.MAX_SAFE_INTEGER) {
    return mulDivUp(perContract, sizeLots, ratio.divisor * lotsPerContract)
  }
  return mulDivUp(ratioUp(priceMicros, ratio), sizeLots, lotsPerContract)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
