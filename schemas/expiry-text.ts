import { parseDate } from './symbol.js'

/** Expiry of a filter: the date of the symbol, or a time. */
export type ExpiryText = { readonly date: number } | { readonly seconds: number }

export const expiryForms = 'YYYY-MM-DD, YYYYMMDD or Unix seconds of 9 or 10 digits'

const datePattern = /^(\d{4})(-?)(\d{2})\2(\d{2})$/
const secondsPattern = /^\d{9,10}$/
/** Minimum Unix seconds of an expiry: texts with fewer digits are dates. */
export const expirySecondsMin = 100_000_000
/** Maximum Unix seconds of an expiry, which records hold as unsigned 32 bits. */
export const expirySecondsMax = 4_294_967_295

/** Parses the expiry of a filter, for HTTP and the stream. @returns null for any other text, or an invalid date. */
export function parseExpiry(text: string): ExpiryText | null {
  const [, year, , month, day] = datePattern.exec(text) ?? []
  if (year !== undefined) {
    const digits = `${year}${month}${day}`
    const date = parseDate(digits, 0, digits.length)
    return date > 0 ? { date } : null
  }
  const seconds = secondsPattern.test(text) ? Number(text) : Number.NaN
  return seconds <= expirySecondsMax ? { seconds } : null
}
