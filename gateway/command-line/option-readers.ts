import { InvalidArgumentError } from 'commander'
import { parseAddress } from '../../schemas/wallet.js'

// Parsers of options and arguments. Commander reports their errors with the name of the option.

/** Returns a parser of a number above a limit. */
export function above(limit: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > limit && Number.isFinite(value)) return value
    throw new InvalidArgumentError(`Allowed: a number above ${limit}`)
  }
}

/** Returns a parser of a whole number within bounds. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const allowed =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Allowed: an integer ${allowed}`)
  }
}

/** Parses an address, and returns it in lower case. */
export function addressOf(text: string): string {
  if (parseAddress(text) !== null) return text.toLowerCase()
  throw new InvalidArgumentError('Allowed: an address: 0x followed by 40 hexadecimal digits')
}

const timeForms =
  '2026-11-23, 2026-11-23T08:00, 2026-11-23T08:00:00.000Z, with an offset as +01:00, or 13 digits of ' +
  'Unix milliseconds'
/** Forms of a time, for the end of a help text. */
export const timesHelp = `\nForms of <time>, UTC without an offset:\n  ${timeForms}`

const dayAndTime =
  /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

/**
 * Parses a time into Unix milliseconds. A text without an offset is UTC, regardless of the time zone of the machine.
 */
export function millisOf(text: string): number {
  if (/^\d{13}$/.test(text)) return Number(text)
  const [, day, time, offset] = dayAndTime.exec(text) ?? []
  const isForm = day !== undefined && (time !== undefined || offset === undefined)
  if (isForm && isCalendarDay(day)) return Date.parse(`${day}${time ?? 'T00:00'}${offset ?? 'Z'}`)
  throw new InvalidArgumentError(`Allowed: a time in UTC: ${timeForms}`)
}

/** Returns false for days such as 30 February, which `Date` reads as 2 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`)
  return Number.isFinite(date.getTime()) && date.toISOString().startsWith(day)
}

/** Parses a share such as `15%` or `0.15`. 100 % and above are an error. */
export function shareOf(text: string): number {
  const isPercent = text.endsWith('%')
  const digits = isPercent ? text.slice(0, -1) : text
  const share = Number(digits) / (isPercent ? 100 : 1)
  if (/^\d+(\.\d+)?$/.test(digits) && share < 1) return share
  throw new InvalidArgumentError('Allowed: a share from 0 to less than 1 (100%), as 15% or 0.15')
}

/** Returns a parser of an option that may be repeated. */
export function collected<T>(read: (text: string) => T) {
  return (text: string, earlier: readonly T[]): readonly T[] => [...earlier, read(text)]
}
