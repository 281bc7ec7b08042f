import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { mulDivUp } from './money.js'

// Configured factors have at most 6 decimals; as reduced fractions their products are exact.
const decimalsScale = 1_000_000

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

/** amount × ratio, up to the next micro. */
export function ratioUp(amount: number, ratio: Ratio): number {
  return mulDivUp(amount, ratio.numerator, ratio.divisor)
}

/** ratio × price × contracts, up to the next micro: requirements per short contract. */
export function notionalUp(priceMicros: number, sizeLots: number, ratio: Ratio): number {
  if (!(priceMicros > 0) || sizeLots === 0) return 0
  const perContract = priceMicros * ratio.numerator
  if (perContract <= Number.MAX_SAFE_INTEGER) {
    return mulDivUp(perContract, sizeLots, ratio.divisor * lotsPerContract)
  }
  return mulDivUp(ratioUp(priceMicros, ratio), sizeLots, lotsPerContract)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
