import { parseSignedMicros, parseSizeLots } from '../../../schemas/decimal.js'
import type { RfqLegTerms, SideName } from '../../../schemas/wire-types.js'
import { underlyingOf } from './symbol-text.js'

const legsMax = 10

/** Adds a leg to a combo. Adding the same option again flips its side. */
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

/** Returns why a combo cannot be requested; null if it can. */
export function comboFault(legs: readonly RfqLegTerms[], limit: string): string | null {
  if (legs.length === 0) return 'Add an option from the chain as a leg'
  if (legs.length > legsMax) return `At most ${legsMax} legs are allowed`
  const underlyings = new Set(legs.map(({ instrument }) => underlyingOf(instrument)))
  if (underlyings.size > 1) return 'All legs must have the same underlying'
  if (!legs.every(({ size }) => parseSizeLots(size) > 0))
    return 'Each size must be a number above 0'
  if (limit !== '' && !Number.isFinite(parseSignedMicros(limit)))
    return 'The limit must be a number'
  return null
}

/** Describes a net premium for the requester, who pays if it is negative. */
export function premiumWords(netPremium: string): string {
  const amount = Math.abs(Number(netPremium)).toLocaleString('en-US', { maximumFractionDigits: 2 })
  return Number(netPremium) < 0 ? `pay ${amount}` : `receive ${amount}`
}
