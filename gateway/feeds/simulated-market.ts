import { SurfaceKind } from '../../schemas/record-values.js'

/** Underlying of the simulated market. */
export interface SimulatedUnderlying {
  readonly name: string
  readonly startMicros: number
  /** Annual at-the-money volatility, for the index and for the surface. */
  readonly iv: number
  /** Slope of the smile per standard deviation; negative if downside strikes are more expensive. */
  readonly skew: number
  /** Form of its surfaces. The market uses both forms. */
  readonly surface: SurfaceKind
}

export const simulatedUnderlyings: readonly SimulatedUnderlying[] = [
  {
    name: 'BTC',
    startMicros: 100_000_000_000,
    iv: 0.55,
    skew: -0.04,
    surface: SurfaceKind.Svi,
  },
  {
    name: 'ETH',
    startMicros: 3_500_000_000,
    iv: 0.7,
    skew: -0.03,
    surface: SurfaceKind.Svi,
  },
  {
    name: 'SP500',
    startMicros: 6_000_000_000,
    iv: 0.16,
    skew: -0.12,
    surface: SurfaceKind.Points,
  },
  {
    name: 'NVDA',
    startMicros: 150_000_000,
    iv: 0.45,
    skew: -0.06,
    surface: SurfaceKind.Points,
  },
]

const yearMillis = 31_536_000_000
/** Price step of an index. */
const stepMicros = 10_000
// Bounds the move of the index after a pause of the process.
const stepMillisMax = 10_000
const deviationsOfPoints = [-3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3]
const smileCurvature = 0.03
const ivMin = 0.02
const strikeFigures = 6

/**
 * Returns the next index: a geometric random walk without drift, rounded to the price step and at least one step.
 * @param normal standard normal number.
 */
export function nextIndexMicros(
  underlying: SimulatedUnderlying,
  indexMicros: number,
  elapsedMillis: number,
  normal: number,
): number {
  const years = Math.min(elapsedMillis, stepMillisMax) / yearMillis
  const moved = indexMicros * (1 + underlying.iv * Math.sqrt(years) * normal)
  return Math.max(1, Math.round(moved / stepMicros)) * stepMicros
}

/**
 * Returns the surface of one expiry as values of the VolSurface command: SVI parameters in total variance, or points.
 * @param atmIv current at-the-money volatility.
 */
export function surfaceValues(
  underlying: SimulatedUnderlying,
  indexMicros: number,
  atmIv: number,
  millisToExpiry: number,
): Float64Array {
  const deviation = atmIv * Math.sqrt(Math.max(millisToExpiry, 60_000) / yearMillis)
  if (underlying.surface === SurfaceKind.Points) {
    return pointsOf(underlying, indexMicros / 1e6, atmIv, deviation)
  }
  const b = 0.3 * deviation
  const rho = Math.max(-0.9, underlying.skew * 10)
  const m = 0
  const s = deviation
  // At the money w = a + b·s·√1 must be deviation².
  const a = deviation * deviation - b * s
  return Float64Array.of(a, b, rho, m, s)
}

function pointsOf(
  underlying: SimulatedUnderlying,
  index: number,
  atmIv: number,
  deviation: number,
): Float64Array {
  return Float64Array.from(
    deviationsOfPoints.flatMap((z) => {
      const strike = Number((index * Math.exp(z * deviation)).toPrecision(strikeFigures))
      const iv = atmIv * (1 + underlying.skew * z + smileCurvature * z * z)
      return [strike, Math.max(ivMin, Number(iv.toFixed(strikeFigures)))]
    }),
  )
}
