import { decimalCharsMax } from '../../schemas/bounds.js'

// Unsigned decimal texts: digits with an optional point and more digits. Compared and added digit by digit, because no
// number type holds them all.

const decimalPattern = /^\d+(?:\.\d+)?$/
const nonZero = /[1-9]/
const zeroCode = 0x30
const leadingZeros = /^0+(?=\d)/
const trailingZeros = /0+$/
const productDecimals = 6 + 8
/** The sum of two numbers with this many digits is exact. */
const chunkDigits = 15
const chunkUnit = 10 ** chunkDigits

/** Returns why a text is not a non-negative decimal, to follow the field's name; null if it is one. */
export function decimalFaultOf(text: string): string | null {
  if (text.length > decimalCharsMax) {
    return `has ${text.length} characters; at most ${decimalCharsMax} are allowed`
  }
  if (decimalPattern.test(text)) return null
  const isNegative = text.startsWith('-') && decimalPattern.test(text.slice(1))
  return isNegative ? 'must not be negative' : 'must be a decimal number, such as 12.5'
}

export function isZeroDecimal(text: string): boolean {
  return !nonZero.test(text)
}

/**
 * @returns Below 0, 0 or above 0, as for `Array.sort`.
 */
export function compareDecimals(one: string, other: string): number {
  const onePoint = pointOf(one)
  const otherPoint = pointOf(other)
  let oneAt = firstFigure(one, onePoint)
  let otherAt = firstFigure(other, otherPoint)
  const longer = onePoint - oneAt - (otherPoint - otherAt)
  if (longer !== 0) return longer
  for (; oneAt < onePoint; oneAt++, otherAt++) {
    const difference = one.charCodeAt(oneAt) - other.charCodeAt(otherAt)
    if (difference !== 0) return difference
  }
  const end = Math.max(one.length - onePoint, other.length - otherPoint)
  for (let offset = 1; offset < end; offset++) {
    const difference = digitAt(one, onePoint + offset) - digitAt(other, otherPoint + offset)
    if (difference !== 0) return difference
  }
  return 0
}

/** Returns the exact sum, with as many decimals as the longer of the two. */
export function addDecimals(one: string, other: string): string {
  const onePoint = pointOf(one)
  const otherPoint = pointOf(other)
  const decimals = Math.max(one.length - onePoint, other.length - otherPoint, 1) - 1
  const whole = Math.max(onePoint, otherPoint)
  const length = Math.ceil((whole + decimals + 1) / chunkDigits) * chunkDigits
  const oneDigits = digitsOf(one, onePoint, decimals).padStart(length, '0')
  const otherDigits = digitsOf(other, otherPoint, decimals).padStart(length, '0')
  const chunks: string[] = []
  let carry = 0
  for (let at = length - chunkDigits; at >= 0; at -= chunkDigits) {
    const sum = chunkAt(oneDigits, at) + chunkAt(otherDigits, at) + carry
    carry = sum >= chunkUnit ? 1 : 0
    chunks.push(String(sum - carry * chunkUnit).padStart(chunkDigits, '0'))
  }
  const digits = chunks.reverse().join('')
  const point = length - decimals
  const wholeDigits = digits.slice(0, point).replace(leadingZeros, '')
  return decimals === 0 ? wholeDigits : `${wholeDigits}.${digits.slice(point)}`
}

/**
 * Rounds a text down to a number of units of a decimal place.
 * @returns Exact up to 2^53 - 1; for larger values, some number above that.
 */
export function scaledDown(text: string, decimals: number): number {
  const point = pointOf(text)
  let value = 0
  for (let at = 0; at < point; at++) value = value * 10 + digitAt(text, at)
  for (let at = point + 1; at <= point + decimals; at++) value = value * 10 + digitAt(text, at)
  return value
}

/** Rounds a text up to a number of units of a decimal place. */
export function scaledUp(text: string, decimals: number): number {
  const down = scaledDown(text, decimals)
  return isZeroDecimal(text.slice(pointOf(text) + 1 + decimals)) ? down : down + 1
}

/** Returns price times size without rounding, in USD, with up to 14 decimals. */
export function exactProduct(priceMicros: number, sizeLots: number): string {
  return textOfUnits(BigInt(priceMicros) * BigInt(sizeLots), productDecimals)
}

/** Formats a non-negative number of units of a decimal place, canonically. */
export function textOfUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const fraction = digits.slice(-decimals).replace(trailingZeros, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Returns all digits, with `decimals` of them after the position of the point. */
function digitsOf(text: string, point: number, decimals: number): string {
  return text.slice(0, point) + text.slice(point + 1).padEnd(decimals, '0')
}

function chunkAt(digits: string, at: number): number {
  return Number(digits.slice(at, at + chunkDigits))
}

function pointOf(text: string): number {
  const point = text.indexOf('.')
  return point < 0 ? text.length : point
}

/** Returns the start of the whole part, after leading zeros. */
function firstFigure(text: string, point: number): number {
  let at = 0
  while (at < point && text.charCodeAt(at) === zeroCode) at++
  return at
}

/** Returns a digit, or 0 before the first and after the last. */
function digitAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) - zeroCode : 0
}
