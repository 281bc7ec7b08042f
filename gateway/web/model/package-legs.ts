import { parseSignedMicros, parseSizeLots } from '../../../schemas/decimal.js'
import type { RfqLegTerms, SideName } from '../../../schemas/wire-types.js'
import { underlyingOf } from './symbol-text.js'

const legsMax = 10

/** A package with one leg more; the same option again is turned to the other side. */
export function withLeg(
  legs: readonly RfqLegTerms[],
  instrument: string,
  side: SideName,
): readonly RfqLegTerms[] {
  const other = legs.filter((leg) => leg.instrument !== instrument)
  const size = legs.find((leg) => leg.instrument === instrument)?.size ?? legs[0]?.size ?? '0.1'
  const added = [...legs]
  const place = legs.findIndex((leg) => leg.instrument === instrument)
  if (place < 0) return [...other, { instrument, side, size }]
  added[place] = { instrument, side, size }
  return added
}

/** Why a package cannot be asked for; null: it can. */
export function packageFault(legs: readonly RfqLegTerms[], limit: string): string | null {
  if (legs.length === 0) return 'Add an option of the chain as a leg'
  if (legs.length > legsMax) return `At most ${legsMax} legs`
  const underlyings = new Set(legs.map(({ instrument }) => underlyingOf(instrument)))
  if (underlyings.size > 1) return 'All legs are of one underlying'
  if (!legs.every(({ size }) => parseSizeLots(size) > 0)) return 'A size is no decimal above 0'
  if (limit !== '' && !Number.isFinite(parseSignedMicros(limit))) return 'The limit is no decimal'
  return null
}

/** What a net premium means for who asked: what is paid is below 0. */
export function premiumWords(netPremium: string): string {
  const amount = Math.abs(Number(netPremium)).toLocaleString('en-US', { maximumFractionDigits: 2 })
  return Number(netPremium) < 0 ? `pay ${amount}` : `receive ${amount}`
}
