import { underlyingBytesMax } from './bounds.js'
import { decimalFaultText, formatMicros, parseStrikeMicros } from './decimal.js'
import { instrumentTypeNames, Right } from './domain.js'

/** Parts of a symbol; date and strike of a perp are 0. */
export interface InstrumentSymbol {
  readonly underlying: string
  /** Calendar date as the integer YYYYMMDD. */
  readonly expiryDate: number
  readonly strikeMicros: number
  readonly right: Right
}

const months = [
  ...['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN'],
  ...['JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
]
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const longDateLength = 8 // YYYYMMDD
const shortDateLength = 7 // DDMMMYY
const shortDateCentury = 2000
// An expiry travels as unsigned 32-bit Unix seconds, which end in 2106.
const yearMin = 1970
const yearMax = 2105
const perpSuffix = '-PERP'

/**
 * Parses an option symbol, in either date form.
 * @returns the parts, or a sentence for `Failed to parse symbol: <detail>`.
 */
export function parseOptionSymbol(text: string): InstrumentSymbol | string {
  const underlyingEnd = text.indexOf('-')
  const dateEnd = text.indexOf('-', underlyingEnd + 1)
  const strikeEnd = text.indexOf('-', dateEnd + 1)
  if (underlyingEnd < 0 || dateEnd <= underlyingEnd || strikeEnd <= dateEnd) {
    const isPerp = parsePerpSymbol(text) !== null
    return `expected UNDERLYING-YYYYMMDD-STRIKE-(C|P)${isPerp ? '; a perp has an endpoint of its own, /perp-order' : ''}`
  }
  const underlying = text.slice(0, underlyingEnd)
  if (!isUnderlying(underlying))
    return `underlying must be 1 to ${underlyingBytesMax} of A-Z 0-9 . _`
  const expiryDate = parseDate(text, underlyingEnd + 1, dateEnd)
  if (expiryDate < 0) return 'expiry must be a calendar date, YYYYMMDD or DDMMMYY'
  const strikeMicros = parseStrikeMicros(text.slice(dateEnd + 1, strikeEnd))
  if (strikeMicros < 0) return `strike ${decimalFaultText(strikeMicros, parseStrikeMicros)}`
  if (text.length !== strikeEnd + 2) return 'right must be C or P'
  const rightText = text[strikeEnd + 1]
  if (rightText !== 'C' && rightText !== 'P') return 'right must be C or P'
  return { underlying, expiryDate, strikeMicros, right: rightText === 'C' ? Right.Call : Right.Put }
}

/** Parses an option symbol, or `UNDERLYING-PERP` to the parts of a perp. */
export function parseSymbol(text: string): InstrumentSymbol | string {
  const underlying = parsePerpSymbol(text)
  return underlying === null ? parseOptionSymbol(text) : perpOf(underlying)
}

/**
 * Returns the canonical text of a symbol: YYYYMMDD date, strike without trailing zeros; for a perp `UNDERLYING-PERP`.
 */
export function formatSymbol({ underlying, ...terms }: InstrumentSymbol): string {
  if (terms.right === Right.None) return underlying + perpSuffix
  const strike = formatMicros(terms.strikeMicros)
  return `${underlying}-${terms.expiryDate}-${strike}-${terms.right === Right.Call ? 'C' : 'P'}`
}

/** Returns the perp of an underlying. */
export function perpOf(underlying: string): InstrumentSymbol {
  return { underlying, expiryDate: 0, strikeMicros: 0, right: Right.None }
}

/** Returns the underlying of a perp symbol `UNDERLYING-PERP`; null for any other text. */
export function parsePerpSymbol(text: string): string | null {
  if (!text.endsWith(perpSuffix)) return null
  const underlying = text.slice(0, -perpSuffix.length)
  return isUnderlying(underlying) ? underlying : null
}

/** Returns `instrument_type` on the wire of a canonical symbol. That of an option ends with its right. */
export function instrumentTypeOf(symbol: string): (typeof instrumentTypeNames)[number] {
  return instrumentTypeNames[symbol.endsWith(perpSuffix) ? 1 : 0]
}

/** Returns the canonical text of an option or perp symbol; null for any other text. */
export function canonicalSymbol(text: string): string | null {
  const symbol = parseSymbol(text)
  return typeof symbol === 'string' ? null : formatSymbol(symbol)
}

/** Returns true if the text is the name of an underlying: `[A-Z0-9._]{1,16}`. */
export function isUnderlying(text: string): boolean {
  if (text.length === 0 || text.length > underlyingBytesMax) return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isDigit = code >= 0x30 && code <= 0x39
    const isCapital = code >= 0x41 && code <= 0x5a
    if (!isDigit && !isCapital && code !== 0x2e && code !== 0x5f) return false
  }
  return true
}

/** Parses a calendar date in either form to the number YYYYMMDD; -1 for anything else. */
export function parseDate(text: string, start: number, end: number): number {
  let year = -1
  let month = -1
  let day = -1
  if (end - start === longDateLength) {
    year = parseDigits(text, start, start + 4)
    month = parseDigits(text, start + 4, start + 6)
    day = parseDigits(text, start + 6, end)
  } else if (end - start === shortDateLength) {
    const yearOfCentury = parseDigits(text, start + 5, end)
    day = parseDigits(text, start, start + 2)
    month = months.indexOf(text.slice(start + 2, start + 5)) + 1
    year = yearOfCentury < 0 ? -1 : shortDateCentury + yearOfCentury
  }
  if (year < yearMin || year > yearMax || month < 1 || month > 12) return -1
  if (day < 1 || day > daysIn(year, month)) return -1
  return year * 10_000 + month * 100 + day
}

function parseDigits(text: string, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : daysOfMonth[month - 1]!
}
