import { decimalCharsMax } from '../../schemas/bounds.js'

// Decimal texts without a sign: digits, with a point and more digits or without. They are compared and added digit by
// digit, because no number holds them all.

const decimalPattern = /^\d+(?:\.\d+)?$/
const nonZero = /[1-9]/
const zeroCode = 0x30
const leadingZeros = /^0+(?=\d)/
const trailingZeros = /0+$/
const productDecimals = 6 + 8
/** Sums of two numbers of so many digits are exact. */
const chunkDigits = 15
const chunkUnit = 10 ** chunkDigits

/** Why a text is no decimal from 0, as it follows the name of its field; null: it is one. */
export function decimalFaultOf(text: string): string | null {
  if (text.length > decimalCharsMax) {
    return `has ${text.length} characters; at most ${decimalCharsMax} are allowed`
  }
  if (decimalPattern.test(text)) return null
  const isNegative = text.startsWith('-') && decimalPattern.test(text.slice(1))
  return isNegative ? 'must not be negative' : 'must be digits with an optional fraction'
}

export function isZeroDecimal(text: string): boolean {
  return !nonZero.test(text)
}

/** @returns below 0, 0 or above 0, as for `Array.sort`. */
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
  for (let behind = 1; behind < end; behind++) {
    const difference = digitAt(one, onePoint + behind) - digitAt(other, otherPoint + behind)
    if (difference !== 0) return difference
  }
  return 0
}

/** Exact sum, with as many decimals as the longer of the two. */
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
 * The whole number of units of a decimal place at or below a text's value.
 * @returns exact up to 2^53 - 1; above that, some number above it.
 */
export function scaledDown(text: string, decimals: number): number {
  const point = pointOf(text)
  let value = 0
  for (let at = 0; at < point; at++) value = value * 10 + digitAt(text, at)
  for (let at = point + 1; at <= point + decimals; at++) value = value * 10 + digitAt(text, at)
  return value
}

/** The same at or above it. */
export function scaledUp(text: string, decimals: number): number {
  const down = scaledDown(text, decimals)
  return isZeroDecimal(text.slice(pointOf(text) + 1 + decimals)) ? down : down + 1
}

/** Price times size without rounding, in USD: up to 14 decimals. */
export function exactProduct(priceMicros: number, sizeLots: number): string {
  return textOfUnits(BigInt(priceMicros) * BigInt(sizeLots), productDecimals)
}

/** Canonical text of so many units, from 0, of a decimal place. */
export function textOfUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const fraction = digits.slice(-decimals).replace(trailingZeros, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** All digits, with so many behind where the point was. */
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

/** Where the whole part begins but for its leading zeros. */
function firstFigure(text: string, point: number): number {
  let at = 0
  while (at < point && text.charCodeAt(at) === zeroCode) at++
  return at
}

/** 0 before the first and behind the last digit. */
function digitAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) - zeroCode : 0
}
