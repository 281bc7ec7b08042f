const halfSpan = 0x1_0000_0000
const lowerDecimals = 6
const lowerUnit = 10 ** lowerDecimals
const zeroCode = 0x30
/** Number of digits of 2^64-1. */
const digitsMax = 20

/**
 * Parses the JSON value of a nonce to two 32-bit halves: an integer from 0 to 2^53-1, or decimal digits up to 2^64-1.
 * Refuses a larger number, a fraction, a sign (also that of -0), and other types.
 * @param target receives the halves, high first; untouched unless the result is true.
 * @returns false for `invalid_parameter` (HTTP 400).
 */
export function parseNonce(value: unknown, target: Uint32Array): boolean {
  if (typeof value === 'string') return parseNonceText(value, target)
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return false
  if (value < 0 || Object.is(value, -0)) return false
  target[0] = value / halfSpan
  target[1] = value % halfSpan
  return true
}

/** Returns the decimal text of a nonce from two unsigned 32-bit halves. */
export function formatNonce(high: number, low: number): string {
  const value = high * halfSpan + low
  if (value <= Number.MAX_SAFE_INTEGER) return String(value)
  // Division by 1e6 in base 2^32: the first remainder times 2^32 is below 2^53, so everything is exact.
  const carried = (high % lowerUnit) * halfSpan + low
  const lower = carried % lowerUnit
  const upper = Math.floor(high / lowerUnit) * halfSpan + (carried - lower) / lowerUnit
  return `${upper}${String(lower).padStart(lowerDecimals, '0')}`
}

function parseNonceText(text: string, target: Uint32Array): boolean {
  if (text.length === 0 || text.length > digitsMax) return false
  let high = 0
  let low = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - zeroCode
    if (digit < 0 || digit > 9) return false
    const lowNext = low * 10 + digit
    low = lowNext % halfSpan
    high = high * 10 + (lowNext - low) / halfSpan
    if (high >= halfSpan) return false
  }
  target[0] = high
  target[1] = low
  return true
}
