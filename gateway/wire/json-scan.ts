// Scanner for JSON in bytes, in place. Functions take and return positions, or `malformed` if the text is not JSON.
// Skipped values allocate nothing.

export const malformed = -1

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const minus = 0x2d
const point = 0x2e
/** Maximum nesting of objects and lists, including those around the value. */
export const depthMax = 64
const literals = ['true', 'false', 'null'].map((text) => Buffer.from(text))
const simpleEscapes = new Set(Buffer.from('"\\/bfnrt'))

export const JsonByte = {
  ...{ quote, backslash, comma, colon, openBrace, closeBrace, openBracket, closeBracket },
} as const

export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
    at++
  }
}

/**
 * Returns the position after a string.
 * @param from Its opening quotation mark.
 */
export function skipString(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== quote) return malformed
  const at = stringStop(bytes, from + 1)
  return bytes[at] === quote ? at + 1 : malformed
}

/** Returns the position of a string's closing quotation mark, or of the first invalid byte. */
export function stringStop(bytes: Uint8Array, from: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote || byte < 0x20) return at
    if (byte !== backslash) continue
    if (bytes[at + 1] === 0x75) {
      for (let digit = 2; digit <= 5; digit++) if (!isHex(bytes[at + digit])) return at
      at += 5
    } else if (simpleEscapes.has(bytes[at + 1]!)) at++
    else return at
  }
  return at
}

/** Returns the position after any value. @param depth Number of objects and lists around it. */
export function skipValue(bytes: Uint8Array, from: number, depth = 0): number {
  const byte = bytes[from]
  if (byte === quote) return skipString(bytes, from)
  if (byte === openBrace || byte === openBracket) return skipMembers(bytes, from, depth)
  if (byte === minus || isDigit(byte)) return skipNumber(bytes, from)
  const literal = literals.find((text) => text.every((letter, i) => bytes[from + i] === letter))
  return literal === undefined ? malformed : from + literal.length
}

/** Returns the position after an object or list. */
function skipMembers(bytes: Uint8Array, from: number, depth: number): number {
  if (depth === depthMax) return malformed
  const isObject = bytes[from] === openBrace
  const end = isObject ? closeBrace : closeBracket
  let at = skipBlanks(bytes, from + 1)
  if (bytes[at] === end) return at + 1
  for (;;) {
    if (isObject) {
      at = skipName(bytes, at)
      if (at === malformed) return malformed
    }
    at = skipValue(bytes, at, depth + 1)
    if (at === malformed) return malformed
    at = skipBlanks(bytes, at)
    if (bytes[at] === end) return at + 1
    if (bytes[at] !== comma) return malformed
    at = skipBlanks(bytes, at + 1)
  }
}

/** Skips the name of a member. Returns the position of its value. */
export function skipName(bytes: Uint8Array, from: number): number {
  const end = skipString(bytes, from)
  if (end === malformed) return malformed
  const at = skipBlanks(bytes, end)
  return bytes[at] === colon ? skipBlanks(bytes, at + 1) : malformed
}

function skipNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === minus ? from + 1 : from
  const hasZero = bytes[at] === 0x30
  const whole = at
  while (isDigit(bytes[at])) at++
  if (at === whole || (hasZero && at > whole + 1)) return malformed
  if (bytes[at] === point) {
    const fraction = ++at
    while (isDigit(bytes[at])) at++
    if (at === fraction) return malformed
  }
  if (bytes[at] !== 0x65 && bytes[at] !== 0x45) return at
  at++
  if (bytes[at] === 0x2b || bytes[at] === minus) at++
  const exponent = at
  while (isDigit(bytes[at])) at++
  return at === exponent ? malformed : at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}
