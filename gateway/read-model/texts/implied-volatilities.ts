import { ExpiryPricing, prepareExpiry } from '../../../engine/pricing/expiry-pricing.js'
import { impliedVolatility } from '../../../engine/pricing/implied-volatility.js'
import { settlementEstimateOf } from '../../../engine/pricing/mark-inputs.js'
import { microsPerUsd } from '../../../schemas/bounds.js'
import type { Right } from '../../../schemas/domain.js'
import { usableIndexMicros } from './market-text.js'
import type { RouteContext } from './route-context.js'

/**
 * Returns forward, discount and volatilities of one expiry, from the latest inputs.
 * @param atMillis Time from which the time to expiry counts.
 */
export function expiryPricingOf(
  context: RouteContext,
  underlying: number,
  expiryMillis: number,
  atMillis = context.nowMillis,
): ExpiryPricing {
  const { marks } = context.views.market
  const inputs = marks.inputsOf(underlying)
  const { pricing } = context.config.engine
  const out = new ExpiryPricing([], [])
  const known = {
    expiryMillis,
    nowMillis: atMillis,
    indexMicros: usableIndexMicros(context, underlying),
    settlementEstimateMicros: settlementEstimateOf(inputs, expiryMillis),
    surfaces: inputs.surfaces,
  }
  prepareExpiry(out, known, pricing)
  return out
}

/** Returns the volatility at the forward, a fraction; null if it is unknown. */
export function atmVolatility(context: RouteContext, underlying: number, expiryMillis: number) {
  const { atmDeviation, rootYears } = expiryPricingOf(context, underlying, expiryMillis)
  const iv = atmDeviation / rootYears
  return Number.isFinite(iv) ? iv : null
}

/** Returns the implied volatility of a price, a fraction; undefined without a price or a solution. */
export function volatilityOf(
  context: RouteContext,
  expiry: ExpiryPricing,
  instrument: number,
  priceMicros: number,
): number | undefined {
  if (!(priceMicros > 0)) return undefined
  const { instruments } = context.views.market
  const iv = impliedVolatility(
    instruments.right[instrument] as Right,
    expiry.forward,
    instruments.strikeMicros[instrument] / microsPerUsd,
    expiry.years,
    priceMicros / microsPerUsd,
    expiry.discount,
  )
  return Number.isNaN(iv) ? undefined : iv
}
