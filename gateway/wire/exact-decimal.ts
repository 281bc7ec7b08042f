// Decimal texts without a sign, of any length: digits, with a point and more digits or without. They are compared and
// added digit by digit, because no number holds them all.

const decimalPattern = /^\d+(?:\.\d+)?$/
const nonZero = /[1-9]/
const zeroCode = 0x30

/** Why a text is no decimal from 0, as it follows the name of its field; null: it is one. */
export function decimalFaultOf(text: string): string | null {
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
  const digits: number[] = []
  let carry = 0
  for (let place = decimals; place > -whole; place--) {
    // Places behind the point count from 1, those before it down from 0.
    const behind = place > 0 ? place : place - 1
    const sum = digitAt(one, onePoint + behind) + digitAt(other, otherPoint + behind) + carry
    carry = sum > 9 ? 1 : 0
    digits.push(sum - 10 * carry)
    if (place === 1) digits.push(-1)
  }
  if (carry > 0) digits.push(carry)
  return digits
    .reverse()
    .map((digit) => (digit < 0 ? '.' : digit))
    .join('')
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
