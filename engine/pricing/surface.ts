import { assert } from '../../schemas/assert.js'
import { SurfaceKind } from '../../schemas/record-values.js'
import { ln } from './exact.js'
import { yearsToExpiry } from './years.js'

/** Texts for refused surface inputs, by the guard's name. */
export const surfaceGuardTexts = {
  not_finite: 'values must be finite numbers',
  b_negative: 'svi.b must be at least 0',
  rho_out_of_range: 'svi.rho must be above -1 and below 1',
  s_not_positive: 'svi.s must be greater than 0',
  negative_variance: 'svi a + b·s·√(1 - rho²), the minimum variance, must be at least 0',
  wing_too_steep: 'svi b·(1 + |rho|), the slope of the wings, must be at most 2',
  points_empty: 'points must not be empty',
  strike_not_positive: 'strikes must be greater than 0',
  strikes_repeat: 'strikes must be distinct',
  iv_out_of_range: 'iv must be greater than 0 and at most 20',
} as const
export type SurfaceGuard = keyof typeof surfaceGuardTexts

const sviValuesCount = 5
const surfaceIvMax = 20

/** Indexes of the parameters in `Surface.values` of kind Svi. */
const svi = { a: 0, b: 1, rho: 2, m: 3, s: 4 } as const

/**
 * Volatility of one expiry as received. Immutable: a new input is a new object. Strikes are USD as doubles and
 * volatilities fractions, as in the VolSurface command.
 *
 * The five constructor arguments are its whole state: a surface rebuilt from them gives the same bits.
 */
export class Surface {
  readonly kind: SurfaceKind
  readonly expiryMillis: number
  readonly takenAtMillis: number
  /** Index at the time of the input (S_ref); NaN if there was none. */
  readonly referenceIndexMicros: number
  /** Svi: a, b, rho, m, s. Points: pairs of strike and iv, by rising strike. */
  readonly values: Float64Array
  /** T_ref: years to the expiry at the time of the input. */
  readonly referenceYears: number

  /** @param values points in any order; copied. They must have passed `checkSurface`. */
  constructor(
    kind: SurfaceKind,
    expiryMillis: number,
    takenAtMillis: number,
    referenceIndexMicros: number,
    values: Float64Array,
  ) {
    assert(checkSurface(kind, values) === null, 'surface: the values passed checkSurface')
    assert(expiryMillis > 0 && Number.isFinite(takenAtMillis), 'surface: expiry and time are valid')
    this.kind = kind
    this.expiryMillis = expiryMillis
    this.takenAtMillis = takenAtMillis
    this.referenceIndexMicros = referenceIndexMicros
    this.values = kind === SurfaceKind.Points ? pairsByStrike(values) : values.slice()
    this.referenceYears = yearsToExpiry(expiryMillis, takenAtMillis)
  }
}

/** Returns true if two surfaces have the same input, and therefore give the same bits. */
export function isSameSurface(one: Surface, other: Surface): boolean {
  return (
    one.kind === other.kind &&
    one.expiryMillis === other.expiryMillis &&
    one.takenAtMillis === other.takenAtMillis &&
    Object.is(one.referenceIndexMicros, other.referenceIndexMicros) &&
    one.values.length === other.values.length &&
    one.values.every((value, index) => value === other.values[index])
  )
}

/**
 * Checks a surface input.
 *
 * @param values Svi: a, b, rho, m, s; Points: pairs of strike (USD) and iv (fraction).
 * @returns null if it is valid, else the first guard that refuses it (400 `invalid_field`).
 */
export function checkSurface(kind: SurfaceKind, values: Float64Array): SurfaceGuard | null {
  if (!values.every(Number.isFinite)) return 'not_finite'
  return kind === SurfaceKind.Svi ? checkSvi(values) : checkPoints(values)
}

/**
 * Returns the volatility at a strike, within the surface's own expiry.
 *
 * @param strike USD.
 * @param forward current forward of the expiry, USD; only SVI depends on it.
 * @returns a fraction; NaN for SVI that was taken at or after its expiry (T_ref = 0).
 */
export function surfaceIv(surface: Surface, strike: number, forward: number): number {
  if (surface.kind === SurfaceKind.Points) return pointsIv(surface.values, strike)
  if (!(surface.referenceYears > 0)) return Number.NaN
  return Math.sqrt(sviVariance(surface.values, ln(strike / forward)) / surface.referenceYears)
}

/**
 * `surfaceIv` of a stale surface under `sticky_moneyness`: strike K is read at K·S_ref/S. SVI is already a function of
 * moneyness: with the reference forward, the same shift cancels out.
 *
 * @param indexMicros current index.
 */
export function surfaceIvSticky(
  surface: Surface,
  strike: number,
  forward: number,
  indexMicros: number,
): number {
  if (surface.kind === SurfaceKind.Svi) return surfaceIv(surface, strike, forward)
  return pointsIv(surface.values, strike * (surface.referenceIndexMicros / indexMicros))
}

/** Returns the SVI total variance w(k) at the fit, k = ln(strike / forward). */
function sviVariance(values: Float64Array, k: number): number {
  const x = k - values[svi.m]
  const s = values[svi.s]
  const variance = values[svi.a] + values[svi.b] * (values[svi.rho] * x + Math.sqrt(x * x + s * s))
  // The guard keeps the minimum at or above 0; its rounding may not.
  return Math.max(variance, 0)
}

function pointsIv(values: Float64Array, strike: number): number {
  const last = values.length - 2
  if (Number.isNaN(strike)) return Number.NaN
  if (strike <= values[0]) return values[1]
  if (strike >= values[last]) return values[last + 1]
  let low = 0
  let high = last >> 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (values[2 * middle] <= strike) low = middle
    else high = middle
  }
  return betweenPoints(values, 2 * low, strike)
}

function betweenPoints(values: Float64Array, at: number, strike: number): number {
  const iv = values[at + 1]
  if (strike === values[at]) return iv
  const share = ln(strike / values[at]) / ln(values[at + 2] / values[at])
  const variance = iv * iv
  return Math.sqrt(variance + (values[at + 3] * values[at + 3] - variance) * share)
}

function checkSvi(values: Float64Array): SurfaceGuard | null {
  assert(values.length === sviValuesCount, 'surface: svi has five values')
  const b = values[svi.b]
  const rho = values[svi.rho]
  const s = values[svi.s]
  if (b < 0) return 'b_negative'
  if (Math.abs(rho) >= 1) return 'rho_out_of_range'
  if (s <= 0) return 's_not_positive'
  if (values[svi.a] + b * s * Math.sqrt(1 - rho * rho) < 0) return 'negative_variance'
  if (b * (1 + Math.abs(rho)) > 2) return 'wing_too_steep'
  return null
}

function checkPoints(values: Float64Array): SurfaceGuard | null {
  assert(values.length % 2 === 0, 'surface: points are pairs')
  if (values.length === 0) return 'points_empty'
  for (let at = 0; at < values.length; at += 2) {
    if (!(values[at] > 0)) return 'strike_not_positive'
    if (!(values[at + 1] > 0 && values[at + 1] <= surfaceIvMax)) return 'iv_out_of_range'
  }
  const sorted = pairsByStrike(values)
  for (let at = 2; at < sorted.length; at += 2) {
    if (sorted[at] === sorted[at - 2]) return 'strikes_repeat'
  }
  return null
}

function pairsByStrike(values: Float64Array): Float64Array {
  const count = values.length / 2
  const order = Array.from({ length: count }, (_, index) => index)
  order.sort((one, other) => values[2 * one] - values[2 * other])
  const sorted = new Float64Array(values.length)
  for (let index = 0; index < count; index++) {
    sorted[2 * index] = values[2 * order[index]]
    sorted[2 * index + 1] = values[2 * order[index] + 1]
  }
  return sorted
}
