// Exponential and logarithm from + - × ÷ alone. IEEE 754 rounds these identically everywhere. The built-in functions
// may differ in the last bit between machines and Node versions, and replay needs the same bits. Series and reductions
// are the textbook ones; the omitted terms are below 0.03 ulp.

// ln 2 in two parts. The high part is a multiple of 2^-40: its product with any exponent is exact.
const ln2High = 0.6931471805592082
const ln2Low = 7.371002565167799e-13
const log2E = Math.LOG2E

const exponentMin = -1074
const powersOfTwo = new Float64Array(1023 - exponentMin + 1)
for (let index = 0, power = Number.MIN_VALUE; index < powersOfTwo.length; index++, power *= 2) {
  powersOfTwo[index] = power
}

const doubleView = new Float64Array(1)
const wordView = new Int32Array(doubleView.buffer)
doubleView[0] = 1
const highWord = wordView[1] === 0 ? 0 : 1

// Veltkamp's factor, which splits a double into two halves of 26 bits.
const splitter = 2 ** 27 + 1

const sqrt2 = Math.SQRT2
const smallestNormal = 2.2250738585072014e-308

/**
 * Returns e^x with an error below 1 ulp and the same bits on every machine.
 *
 * x = k·ln 2 + r with |r| ≤ ln 2 / 2, and e^x = 2^k·e^r by the series of e^r to r^13.
 *
 * @returns Infinity above 709.79, 0 below -745.14, subnormal numbers before that, NaN for NaN.
 */
export function exp(x: number): number {
  if (!(x > -746)) return Math.max(x, 0)
  if (!(x < 710)) return Number.POSITIVE_INFINITY
  const k = Math.floor(x * log2E + 0.5)
  const high = x - k * ln2High
  const low = k * ln2Low
  const r = high - low
  const lost = high - r - low
  const q = r * r
  const even =
    1 / 2 + q * (1 / 24 + q * (1 / 720 + q * (1 / 40320 + q * (1 / 3628800 + q * (1 / 479001600)))))
  const odd =
    1 / 6 +
    q * (1 / 120 + q * (1 / 5040 + q * (1 / 362880 + q * (1 / 39916800 + q * (1 / 6227020800)))))
  const power = 1 + (r + (q * (even + r * odd) + lost))
  if (k > -1022 && k < 1024) return power * powersOfTwo[k - exponentMin]
  return k > 0
    ? power * 2 * powersOfTwo[1023 - exponentMin]
    : power * powersOfTwo[k + 200 - exponentMin] * powersOfTwo[-200 - exponentMin]
}

/**
 * Returns the natural logarithm with an error below 1 ulp and the same bits on every machine.
 *
 * x = 2^k·(1 + f) with 1 + f in [√½, √2), s = f / (2 + f), ln(1 + f) = 2·artanh(s) by its series to s^21. As 2s = f -
 * f²/2 + s·f²/2, the leading term is f itself, which is exact.
 *
 * @returns -Infinity for 0, Infinity for Infinity, NaN for NaN and below 0.
 */
export function ln(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return lnOfSpecial(x)
  let k = 0
  let scaled = x
  if (x < smallestNormal) {
    scaled = x * powersOfTwo[54 - exponentMin]
    k = -54
  }
  doubleView[0] = scaled
  const exponent = (wordView[highWord] >> 20) - 1023
  // For the largest exponent the factor 2^-1023 is subnormal, but it and the product are exact.
  let m = scaled * powersOfTwo[-exponent - exponentMin]
  k += exponent
  if (m > sqrt2) {
    m *= 0.5
    k += 1
  }
  const f = m - 1
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const odd = z * (2 / 3 + w * (2 / 7 + w * (2 / 11 + w * (2 / 15 + w * (2 / 19)))))
  const even = w * (2 / 5 + w * (2 / 9 + w * (2 / 13 + w * (2 / 17 + w * (2 / 21)))))
  const halfSquare = 0.5 * f * f
  const tail = s * (halfSquare + (odd + even))
  if (k === 0) return f - (halfSquare - tail)
  return k * ln2High - (halfSquare - (tail + k * ln2Low) - f)
}

/**
 * Returns a × b - product exactly, where `product` is the rounded a × b.
 *
 * @see T. J. Dekker, "A floating-point technique for extending the available precision", 1971
 */
export function productTail(a: number, b: number, product: number): number {
  const scaledA = splitter * a
  const highA = scaledA - (scaledA - a)
  const lowA = a - highA
  const scaledB = splitter * b
  const highB = scaledB - (scaledB - b)
  const lowB = b - highB
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB
}

/** Returns a - b - difference exactly, where `difference` is the rounded a - b (Knuth's two-sum). */
export function differenceTail(a: number, b: number, difference: number): number {
  const bRounded = a - difference
  const aRounded = difference + bRounded
  return a - aRounded - (b - bRounded)
}

function lnOfSpecial(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY
  return x > 0 ? x : Number.NaN
}
