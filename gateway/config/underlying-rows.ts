import { microsPerUsd, priceMicrosMax } from '../../schemas/bounds.js'
import { isUnderlying } from '../../schemas/symbol.js'

/** Configuration of one underlying. */
export interface UnderlyingConfig {
  /** Time of day of expiry, `HH:MM` in UTC. */
  readonly expiryTimeUtc: string
  /** Highest index in USD; default: a multiple of the index at the first listing. */
  readonly maxIndex?: number
}

/** Allowed values of `underlyings`, in words. */
export const underlyingsAllowed =
  'tables [underlyings.<UNDERLYING>] with expiryTimeUtc from 00:00 to 23:59, maxIndex above 0 to 1000000000'

/** Time of day of expiries for an underlying that is not configured. */
export const expiryTimeUtcDefault = '08:00'

/** Underlyings whose options expire at another time of day. */
export const underlyingsDefault: Readonly<Record<string, UnderlyingConfig>> = {
  SP500: { expiryTimeUtc: '20:00' },
  NVDA: { expiryTimeUtc: '20:00' },
}

const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/

/** Merges the `underlyings` table of the file into the defaults; null if a name or value is not allowed. */
export function takeUnderlyings(value: unknown): Readonly<Record<string, UnderlyingConfig>> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const underlyings: Record<string, UnderlyingConfig> = { ...underlyingsDefault }
  for (const [name, row] of Object.entries(value)) {
    if (!isUnderlying(name) || typeof row !== 'object' || row === null) return null
    const { expiryTimeUtc, maxIndex, ...others } = row as Readonly<Record<string, unknown>>
    const time = expiryTimeUtc ?? underlyings[name]?.expiryTimeUtc ?? expiryTimeUtcDefault
    if (typeof time !== 'string' || !timePattern.test(time)) return null
    if (maxIndex !== undefined && !isMaxIndex(maxIndex)) return null
    if (Object.keys(others).length > 0) return null
    underlyings[name] = { expiryTimeUtc: time, ...(maxIndex === undefined ? {} : { maxIndex }) }
  }
  return underlyings
}

/** Returns the configured highest indexes, micros. */
export function maxIndexMicrosOf(
  underlyings: Readonly<Record<string, UnderlyingConfig>>,
): Readonly<Record<string, number>> {
  const rows = Object.entries(underlyings).filter(([, { maxIndex }]) => maxIndex !== undefined)
  return Object.fromEntries(rows.map(([name, { maxIndex }]) => [name, microsOf(maxIndex ?? 0)]))
}

function isMaxIndex(value: unknown): value is number {
  return typeof value === 'number' && microsOf(value) >= 1 && microsOf(value) <= priceMicrosMax
}

function microsOf(usd: number): number {
  return Math.round(usd * microsPerUsd)
}

/** Returns the milliseconds from midnight UTC to the expiry of an underlying's options. */
export function expiryMillisOfDay(
  underlyings: Readonly<Record<string, UnderlyingConfig>>,
  underlying: string,
): number {
  const text = underlyings[underlying]?.expiryTimeUtc ?? expiryTimeUtcDefault
  const [hours, minutes] = text.split(':').map(Number)
  return (hours! * 60 + minutes!) * 60_000
}
