import { lotsPerContract } from '../../schemas/bounds.js'

// Products of two integers are exact to 106 bits: a double-length product after Veltkamp and Dekker
// ("A floating-point technique for extending the available precision", 1971). The quotient is
// estimated in one division and corrected by the exact remainder.

const splitter = 2 ** 27 + 1
const exactMax = 2 ** 52
const resultMax = Number.MAX_SAFE_INTEGER

/** Remainder of the latest `divide`, in [0, divisor). */
let rest = 0

/**
 * a × b ÷ divisor, rounded half-even.
 *
 * @param a integer, magnitude below 2^53, like `b`.
 * @param divisor integer above 0, below 2^51.
 * @returns an integer, never -0; a quotient beyond ±(2^53 - 1) becomes that bound.
 * @see risk-and-pricing.md, section 0
 */
export function mulDivHalfEven(a: number, b: number, divisor: number): number {
  const quotient = divide(a, b, divisor)
  const twice = 2 * rest
  return twice > divisor || (twice === divisor && quotient % 2 !== 0) ? quotient + 1 : quotient
}

/** `mulDivHalfEven`, but rounded up, toward plus infinity: requirements and reserves. */
export function mulDivUp(a: number, b: number, divisor: number): number {
  const quotient = divide(a, b, divisor)
  return rest > 0 ? quotient + 1 : quotient
}

/** `mulDivHalfEven`, but rounded down, toward minus infinity; `mulDivRest` is what it left. */
export function mulDivDown(a: number, b: number, divisor: number): number {
  return divide(a, b, divisor)
}

/** Remainder of the latest call of this file's divisions, in [0, divisor). */
export function mulDivRest(): number {
  return rest
}

/** Premium in micros: price × size, rounded half-even, the same amount for both sides of a fill. */
export function premiumMicros(priceMicros: number, sizeLots: number): number {
  return mulDivHalfEven(priceMicros, sizeLots, lotsPerContract)
}

/** Value in micros of a signed size at a signed amount per contract, rounded half-even. */
export function valueMicros(amountMicros: number, sizeLots: number): number {
  return mulDivHalfEven(amountMicros, sizeLots, lotsPerContract)
}

/** Premium to set aside for a working buy: price × size, up to the next micro. */
export function premiumReserveMicros(priceMicros: number, sizeLots: number): number {
  return mulDivUp(priceMicros, sizeLots, lotsPerContract)
}

/**
 * What a sell gives away against the mark, up to the next micro; 0 without a mark (section 5.2).
 */
export function slippageReserveMicros(
  markMicros: number,
  priceMicros: number,
  sizeLots: number,
): number {
  if (!(markMicros > priceMicros)) return 0
  return mulDivUp(markMicros - priceMicros, sizeLots, lotsPerContract)
}

// Floor of the quotient; the remainder goes to `rest`.
function divide(a: number, b: number, divisor: number): number {
  const product = a * b
  let quotient = Math.floor(product / divisor)
  if (product <= exactMax && product >= -exactMax) {
    rest = product - quotient * divisor
  } else {
    if (!(quotient < resultMax && quotient > -resultMax)) return saturated(quotient)
    const back = quotient * divisor
    const productTail = tail(a, b, product)
    rest = product - back + (productTail - tail(quotient, divisor, back))
  }
  while (rest < 0) {
    quotient--
    rest += divisor
  }
  while (rest >= divisor) {
    quotient++
    rest -= divisor
  }
  return quotient + 0 // + 0 turns -0 into 0
}

// a × b - product, exact.
function tail(a: number, b: number, product: number): number {
  const scaledA = splitter * a
  const highA = scaledA - (scaledA - a)
  const lowA = a - highA
  const scaledB = splitter * b
  const highB = scaledB - (scaledB - b)
  const lowB = b - highB
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB
}

// Out of the range of money: the bound keeps a requirement above every possible equity.
function saturated(quotient: number): number {
  rest = 0
  return quotient > 0 ? resultMax : -resultMax
}
