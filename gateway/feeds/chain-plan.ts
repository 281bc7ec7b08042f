import { microsPerUsd } from '../../schemas/bounds.js'
import { Right } from '../../schemas/domain.js'
import type { InstrumentSymbol } from '../../schemas/symbol.js'

/** Days to the four expiries of a chain: two days, a week, a month, a quarter. */
export const tenorDays = [2, 7, 30, 91] as const

/** Expiry of the chain. */
export interface PlannedExpiry {
  /** YYYYMMDD, in UTC. */
  readonly date: number
  readonly expiryMillis: number
}

/** Listed expiry, with the time of its listing. */
export interface ListedExpiry extends PlannedExpiry {
  readonly listedMillis: number
}

export const strikesPerExpiry = 13
const dayMillis = 86_400_000
const yearMillis = 365 * dayMillis
const niceSteps = [1, 2, 2.5, 5, 10]
// So six strikes on either side cover a little over two standard deviations.
const stepPerDeviation = 0.35
const lowestStrikeShare = 0.1

/**
 * Returns the expiries that a chain lacks. Each tenor has one live expiry, and gets a new one when that has expired. A
 * listed expiry belongs to the tenor that was nearest when it was listed.
 * @param millisOfDay time of day of the underlying's expiries.
 */
export function missingExpiries(
  listed: readonly ListedExpiry[],
  nowMillis: number,
  millisOfDay: number,
): readonly PlannedExpiry[] {
  const live = listed.filter((expiry) => expiry.expiryMillis > nowMillis)
  const dates = new Set(live.map((expiry) => expiry.date))
  const tenorsLive = new Set(
    live.map(({ expiryMillis, listedMillis }) => nearestTenor(expiryMillis - listedMillis)),
  )
  const missing: PlannedExpiry[] = []
  for (const days of tenorDays) {
    if (tenorsLive.has(days)) continue
    let day = Math.floor(nowMillis / dayMillis) + days
    while (dates.has(dateOfDay(day))) day++
    dates.add(dateOfDay(day))
    missing.push({ date: dateOfDay(day), expiryMillis: day * dayMillis + millisOfDay })
  }
  return missing
}

/**
 * Returns the calls and puts of an expiry, at 13 round strikes around the index.
 * @param indexMicros current index.
 * @param iv at-the-money volatility, as a fraction.
 */
export function plannedOptions(
  underlying: string,
  expiry: PlannedExpiry,
  indexMicros: number,
  iv: number,
  nowMillis: number,
): readonly InstrumentSymbol[] {
  return plannedStrikes(indexMicros, iv, expiry.expiryMillis - nowMillis).flatMap((strikeMicros) =>
    [Right.Call, Right.Put].map((right) => ({
      underlying,
      expiryDate: expiry.date,
      strikeMicros,
      right,
    })),
  )
}

/** Returns 13 rising strikes in micros, each a multiple of a round step. */
export function plannedStrikes(
  indexMicros: number,
  iv: number,
  millisToExpiry: number,
): readonly number[] {
  const index = indexMicros / microsPerUsd
  const deviation = index * iv * Math.sqrt(millisToExpiry / yearMillis)
  const side = (strikesPerExpiry - 1) / 2
  const step = niceStep(
    Math.min(deviation * stepPerDeviation, (index * (1 - lowestStrikeShare)) / (side + 1)),
  )
  const middle = Math.round(index / step)
  return Array.from({ length: strikesPerExpiry }, (_, i) =>
    Math.round((middle - side + i) * step * microsPerUsd),
  )
}

/** Returns the largest of 1, 2, 2.5 or 5 times a power of ten that does not exceed `wanted`; at least 0.01. */
export function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 0.01)) + 1e-9)
  const nice = niceSteps.filter((step) => step * power <= wanted * (1 + 1e-9)).at(-1) ?? 1
  return nice * power
}

function nearestTenor(millis: number): number {
  const days = Math.max(millis / dayMillis, 0.01)
  const distance = (tenor: number) => Math.abs(Math.log(days / tenor))
  return tenorDays.reduce<number>(
    (best, tenor) => (distance(tenor) < distance(best) ? tenor : best),
    tenorDays[0],
  )
}

function dateOfDay(day: number): number {
  const date = new Date(day * dayMillis)
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
}
