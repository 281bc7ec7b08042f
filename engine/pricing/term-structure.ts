import { microsPerUsd } from '../../schemas/bounds.js'
import { exp } from './exact.js'
import { isStale, type PricingParameters, StaleSurface } from './pricing-parameters.js'
import { type Surface, surfaceIv, surfaceIvSticky } from './surface.js'
import { yearsToExpiry } from './years.js'

/**
 * Surfaces for the volatility of one expiry: its own, or those of its neighbours. `selectSurfaces` sets them once per
 * expiry and re-mark; `expiryIv` reads them once per strike.
 */
export class ExpirySurfaces {
  /** Null if no usable input exists; then every volatility is NaN. */
  near: Surface | null = null
  /** The later neighbour; null if `near` alone decides. */
  far: Surface | null = null
  /** True if strikes are used unchanged, because `near` belongs to the expiry itself. */
  isOwn = false
  indexMicros = Number.NaN
  /** USD, like `farForward`. */
  nearForward = 0
  farForward = 0
  nearYears = 0
  farYears = 0
  years = 0
  nearIsStale = false
  farIsStale = false
}

/**
 * Selects the surfaces of an expiry. An expiry with its own input uses only that one, so a stale input makes it missing
 * instead of interpolated. Expired neighbours do not count.
 *
 * @param surfaces of the underlying, by rising expiry.
 */
export function selectSurfaces(
  out: ExpirySurfaces,
  surfaces: readonly Surface[],
  expiryMillis: number,
  nowMillis: number,
  indexMicros: number,
  parameters: PricingParameters,
): void {
  let near: Surface | null = null
  let far: Surface | null = null
  for (const surface of surfaces) {
    if (surface.expiryMillis <= nowMillis) continue
    if (surface.expiryMillis <= expiryMillis) near = surface
    else if (far === null) far = surface
  }
  out.isOwn = near !== null && near.expiryMillis === expiryMillis
  if (near === null || out.isOwn) {
    out.near = near ?? far
    out.far = null
  } else {
    out.near = near
    out.far = far
  }
  out.indexMicros = indexMicros
  out.years = yearsToExpiry(expiryMillis, nowMillis)
  setNeighbours(out, nowMillis, indexMicros / microsPerUsd, parameters)
  const refuses = parameters.staleSurface === StaleSurface.Refuse
  if (refuses && (out.nearIsStale || out.farIsStale)) out.near = null
}

/**
 * Returns the volatility at a strike. Between two neighbours, the total variance grows linearly in time at equal
 * moneyness and never falls, so no calendar spread has a negative value. Outside them σ is constant.
 *
 * @param moneyness strike / forward of this expiry.
 * @returns a fraction; NaN if missing.
 */
export function expiryIv(of: ExpirySurfaces, strike: number, moneyness: number): number {
  if (of.near === null) return Number.NaN
  const nearStrike = of.isOwn ? strike : of.nearForward * moneyness
  const nearIv = readIv(of, of.near, nearStrike, of.nearForward, of.nearIsStale)
  if (of.far === null) return nearIv
  const farStrike = of.farForward * moneyness
  const farIv = readIv(of, of.far, farStrike, of.farForward, of.farIsStale)
  const nearVariance = nearIv * nearIv * of.nearYears
  const rise = Math.max(0, farIv * farIv * of.farYears - nearVariance)
  const share = (of.years - of.nearYears) / (of.farYears - of.nearYears)
  return Math.sqrt((nearVariance + rise * share) / of.years)
}

function setNeighbours(
  out: ExpirySurfaces,
  nowMillis: number,
  spot: number,
  parameters: PricingParameters,
): void {
  const maxAge = parameters.surfaceMaxAgeMillis
  out.nearIsStale = out.near !== null && isStale(out.near.takenAtMillis, nowMillis, maxAge)
  out.farIsStale = out.far !== null && isStale(out.far.takenAtMillis, nowMillis, maxAge)
  out.nearYears = out.near === null ? 0 : yearsToExpiry(out.near.expiryMillis, nowMillis)
  out.farYears = out.far === null ? 0 : yearsToExpiry(out.far.expiryMillis, nowMillis)
  out.nearForward = spot * exp(parameters.rate * out.nearYears)
  out.farForward = spot * exp(parameters.rate * out.farYears)
}

function readIv(
  of: ExpirySurfaces,
  surface: Surface,
  strike: number,
  forward: number,
  sticky: boolean,
): number {
  return sticky
    ? surfaceIvSticky(surface, strike, forward, of.indexMicros)
    : surfaceIv(surface, strike, forward)
}
