import { parseDate } from '../../schemas/symbol.js'

/** Expiry that a filter names: the date of the symbol, or a moment. */
export type ExpiryText = { readonly date: number } | { readonly seconds: number }

export const expiryForms = 'YYYY-MM-DD, YYYYMMDD or Unix seconds of 9 or 10 digits'

const datePattern = /^(\d{4})(-?)(\d{2})\2(\d{2})$/
// Dates have 8 digits, so seconds begin with 9.
const secondsPattern = /^\d{9,10}$/
/** Expiries travel as unsigned 32-bit Unix seconds. */
const secondsMax = 4_294_967_295

/** Reads the expiry of a filter, of HTTP and of the stream. @returns null for a text of another form, or no such date. */
export function parseExpiry(text: string): ExpiryText | null {
  const [, year, , month, day] = datePattern.exec(text) ?? []
  if (year !== undefined) {
    const digits = `${year}${month}${day}`
    const date = parseDate(digits, 0, digits.length)
    return date > 0 ? { date } : null
  }
  const seconds = secondsPattern.test(text) ? Number(text) : Number.NaN
  return seconds <= secondsMax ? { seconds } : null
}
