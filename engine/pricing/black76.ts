import { Right } from '../../schemas/domain.js'
import { exp, ln } from './exact.js'
import { gaussian, normalCdf, normalPdf, scaledMills } from './normal.js'

/** Price and greeks of one contract, USD: delta and gamma per 1 USD of index, vega per 0.01 of volatility, theta per day. */
export class Greeks {
  price = 0
  /** Per 1 USD of index. */
  delta = 0
  /** Per USD². */
  gamma = 0
  /** USD per 0.01 of volatility. */
  vegaPerPoint = 0
  /** USD per day. */
  thetaPerDay = 0
  /** USD per 0.01 of the rate. */
  rhoPerPoint = 0
}

/** Inputs of a price; spot, forward and strike in USD, above 0. */
export interface OptionInputs {
  readonly right: Right
  readonly spot: number
  /** Default: spot·e^(rate·years). */
  readonly forward?: number | null
  readonly strike: number
  /** Fraction per √year. */
  readonly iv: number
  /** Years of 365 days. */
  readonly years: number
  /** Fraction per year, compounded continuously. */
  readonly rate: number
}

const daysPerYear = 365
const logarithmMax = 1e4 // above |ln| of any quotient of positive doubles

/**
 * Returns the Black-76 price in USD per contract. The caller passes the logarithm and the square root, because many
 * prices share them.
 *
 * The out-of-the-money side is priced, and the other side follows by parity. Both sides therefore keep their relative
 * accuracy, and call - put = discount·(forward - strike) up to the last rounding.
 *
 * @param strike USD, above 0, like the forward.
 * @param logMoneyness ln(strike / forward); its sign is taken from strike and forward.
 * @param deviation σ√T; 0 gives the discounted payoff at the forward.
 */
export function optionPrice(
  right: Right,
  forward: number,
  strike: number,
  logMoneyness: number,
  deviation: number,
  discount: number,
): number {
  const lower = Math.min(forward, strike)
  const value = lower * outOfTheMoneyShare(Math.abs(logMoneyness), deviation)
  const intrinsic = right === Right.Call ? forward - strike : strike - forward
  return discount * (intrinsic > 0 ? value + intrinsic : value)
}

/**
 * Returns the undiscounted out-of-the-money price divided by the lower of forward and strike, in [0, 1].
 *
 * With u = -distance / v it is N(u + v/2) - e^distance·N(u - v/2). Because n(u + v/2) = e^distance·n(u - v/2), both
 * terms share one exponential.
 *
 * @param distance |ln(strike / forward)|.
 * @param deviation v = σ√T.
 */
export function outOfTheMoneyShare(distance: number, deviation: number): number {
  if (!(deviation > 0)) return deviation === 0 ? 0 : Number.NaN
  const centre = -distance / deviation
  const half = 0.5 * deviation
  const d = centre + half
  const share = gaussian(d)
  if (d > 0) return 1 - share * (scaledMills(d) + scaledMills(half - centre))
  const value = share * (scaledMills(-d) - scaledMills(half - centre))
  return Math.max(value, 0)
}

/** Returns 1 - `outOfTheMoneyShare`, without cancellation where the share is close to 1. */
export function outOfTheMoneyComplement(distance: number, deviation: number): number {
  const centre = -distance / deviation
  const half = 0.5 * deviation
  const d = centre + half
  if (d > 0) return gaussian(d) * (scaledMills(d) + scaledMills(half - centre))
  return 1 - outOfTheMoneyShare(distance, deviation)
}

/** `OptionInputs` with derived values. */
export interface PricingTerms extends OptionInputs {
  readonly forward: number
  /** b = ln(forward / spot) / years; the rate when forward = spot·e^(rate·years). */
  readonly carry: number
  readonly discount: number
}

/**
 * Writes price and greeks of one contract.
 *
 * @param out owned by the caller; all fields are written.
 */
export function priceAndGreeks(terms: PricingTerms, out: Greeks): void {
  const { carry, discount, forward, iv, rate, right, spot, strike, years } = terms
  const root = Math.sqrt(years)
  const deviation = iv * root
  const logMoneyness = ln(strike / forward)
  const sign = right === Right.Call ? 1 : -1
  out.price = optionPrice(right, forward, strike, logMoneyness, deviation, discount)
  if (deviation === 0) {
    out.delta = sign * (forward - strike) > 0 ? sign : 0
    out.gamma = out.vegaPerPoint = out.thetaPerDay = out.rhoPerPoint = 0
    return
  }
  // A deviation of a few subnormals would make the quotient infinite and the greeks NaN.
  const centre = Math.max(-logarithmMax, Math.min(logarithmMax, -logMoneyness / deviation))
  const d1 = centre + 0.5 * deviation
  const d2 = centre - 0.5 * deviation
  const density = normalPdf(d1)
  const forwardPart = discount * forward * normalCdf(sign * d1)
  const strikePart = discount * strike * normalCdf(sign * d2)
  const slope = forward / spot
  out.delta = (sign * forwardPart) / spot
  out.gamma = ((discount * density) / (forward * deviation)) * slope * slope
  out.vegaPerPoint = (discount * forward * density * root) / 100
  const decay = (discount * forward * density * iv) / (2 * root)
  const drift = sign * ((carry - rate) * forwardPart + rate * strikePart)
  out.thetaPerDay = (-decay - drift) / daysPerYear
  out.rhoPerPoint = (sign * strikePart * years) / 100
}

/** `priceAndGreeks` for callers outside a re-mark: computes forward, carry and discount. */
export function greeksOf(inputs: OptionInputs): Greeks {
  const { spot, years, rate } = inputs
  const forward = inputs.forward ?? spot * exp(rate * years)
  const implied = inputs.forward == null || years === 0
  const carry = implied ? rate : ln(forward / spot) / years
  const out = new Greeks()
  priceAndGreeks({ ...inputs, forward, carry, discount: exp(-rate * years) }, out)
  return out
}

/** Returns the USD change of a contract for a 1 % move of the index (`delta_1pct_usd`). */
export function deltaOnePercentUsd(delta: number, spot: number): number {
  return delta * spot * 0.01
}

/** Returns the change of `delta_1pct_usd` for a 1 % move of the index (`gamma_1pct_usd`). */
export function gammaOnePercentUsd(gamma: number, spot: number): number {
  return gamma * (0.01 * spot) * (0.01 * spot)
}
