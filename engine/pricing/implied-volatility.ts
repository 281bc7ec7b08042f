import { Right } from '../../schemas/domain.js'
import { outOfTheMoneyComplement, outOfTheMoneyShare } from './black76.js'
import { differenceTail, ln, productTail } from './exact.js'
import { normalPdf } from './normal.js'

const impliedVolatilityMin = 1e-4
const impliedVolatilityMax = 20
/** Extension of the bounds, so that the rounding of a price never decides at them. */
const boundSlack = 1e-9
/** Rounding errors of a forward, a discount and a price computed from them, as a share of the price's upper bound. */
const roundingShare = 1e-15
const stepMin = 1e-12
const roundsMax = 100

/**
 * Returns the volatility at which the Black-76 price is `price`, with |error| < 1e-9 where vega_1pt > 1e-8·forward. The
 * time value is computed in double length: deep in the money it is the small difference of large numbers, whose last
 * bits determine the volatility.
 *
 * @param price USD per contract, discounted.
 * @returns NaN, never 0, if no volatility exists: at or below intrinsic, at or above the forward (call) or the strike
 * (put), without time left, or outside [1e-4, 20] by more than 1e-9.
 */
export function impliedVolatility(
  right: Right,
  forward: number,
  strike: number,
  years: number,
  price: number,
  discount: number,
): number {
  const bound = right === Right.Call ? forward : strike
  const other = right === Right.Call ? strike : forward
  const undiscounted = price / discount
  const product = undiscounted * discount
  const lost = (price - product - productTail(undiscounted, discount, product)) / discount
  const intrinsic = bound - other
  const timeValue =
    intrinsic > 0
      ? undiscounted - intrinsic + (lost - differenceTail(bound, other, intrinsic))
      : undiscounted
  const headroom = bound - undiscounted - lost
  // Without a rate nothing was rounded before. With one, amounts below the rounding error count as zero.
  const leastHeadroom = discount === 1 ? 0 : roundingShare * bound
  const leastValue = intrinsic > 0 ? leastHeadroom : 0
  if (!(timeValue > leastValue && headroom > leastHeadroom && years > 0)) return Number.NaN
  const lower = Math.min(forward, strike)
  const distance = Math.abs(ln(strike / forward))
  const root = Math.sqrt(years)
  const iv = solveDeviation(distance, timeValue / lower, headroom / lower, root) / root
  return clamp(iv, impliedVolatilityMin, impliedVolatilityMax)
}

/**
 * Solves for v = σ√T on the logarithm of the time value or, in the upper half, of its distance to the upper bound. Both
 * are close to linear where the price itself is flat. Takes third-order steps (Halley) inside a bracket that every
 * round narrows.
 *
 * @param share time value divided by the lower of forward and strike.
 * @param complement 1 - share, passed separately because the subtraction would cancel.
 */
function solveDeviation(distance: number, share: number, complement: number, root: number): number {
  const upperHalf = share > 0.5
  const target = upperHalf ? complement : share
  const sign = upperHalf ? -1 : 1
  let low = impliedVolatilityMin * root
  let high = impliedVolatilityMax * root
  const slack = boundSlack * root
  if (sign * (valueAt(distance, low - slack, upperHalf) - target) > 0) return Number.NaN
  if (sign * (valueAt(distance, high + slack, upperHalf) - target) < 0) return Number.NaN
  // At the money the price is linear in v. Away from it, it is steepest at v = √(2·distance).
  let v = clamp(Math.max(Math.sqrt(2 * distance), 2.5 * share), low, high)
  for (let round = 0; round < roundsMax; round++) {
    const value = valueAt(distance, v, upperHalf)
    if (sign * (value - target) < 0) low = v
    else high = v
    let next = v + halleyStep(distance, v, value, target, sign)
    if (!(next >= low && next <= high)) next = Math.sqrt(low * high)
    const moved = Math.abs(next - v)
    v = next
    if (moved < stepMin * root || high - low < stepMin * root) break
  }
  return v
}

function valueAt(distance: number, deviation: number, upperHalf: boolean): number {
  return upperHalf
    ? outOfTheMoneyComplement(distance, deviation)
    : outOfTheMoneyShare(distance, deviation)
}

// g = ln(value / target). The share has the derivative n(d1) and the second derivative n(d1)·d1·d2 / v.
function halleyStep(
  distance: number,
  v: number,
  value: number,
  target: number,
  sign: number,
): number {
  const centre = -distance / v
  const d1 = centre + 0.5 * v
  const d2 = centre - 0.5 * v
  const slope = (sign * normalPdf(d1)) / value
  const newton = -ln(value / target) / slope
  return newton / (1 + 0.5 * newton * ((d1 * d2) / v - slope))
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
