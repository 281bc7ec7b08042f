import { assert } from '../../schemas/assert.js'
import { microsPerUsd } from '../../schemas/bounds.js'
import { exp, ln } from './exact.js'
import type { PricingParameters } from './pricing-parameters.js'
import type { Scenario } from './scenarios.js'
import type { Surface } from './surface.js'
import { ExpirySurfaces, expiryIv, selectSurfaces } from './term-structure.js'
import { millisPerYear, yearsToExpiry } from './years.js'

/** One scenario table for one expiry: shocks as columns, and the resulting forwards. */
export class ShockedExpiry {
  readonly count: number
  readonly spotShifts: Float64Array
  readonly volFactors: Float64Array
  readonly skews: Float64Array
  readonly kurtoses: Float64Array
  /** F' in USD per scenario. */
  readonly forwards: Float64Array
  /** ln(F' / F) per scenario. */
  readonly logForwards: Float64Array

  constructor(scenarios: readonly Scenario[]) {
    this.count = scenarios.length
    this.spotShifts = Float64Array.from(scenarios, (row) => row.spotShift)
    this.volFactors = Float64Array.from(scenarios, (row) => 1 + row.volShift)
    this.skews = Float64Array.from(scenarios, (row) => row.skew)
    this.kurtoses = Float64Array.from(scenarios, (row) => row.kurtosis)
    this.forwards = new Float64Array(this.count)
    this.logForwards = new Float64Array(this.count)
  }
}

/** Values that all instruments of one expiry share in a re-mark; written by `prepareExpiry`. */
export class ExpiryPricing {
  expiryMillis = 0
  expired = false
  /** Base of the payoff after expiry, in USD: settlement estimate, else index; NaN if missing. */
  payoffPrice = Number.NaN
  /** USD, like `elasticSpot`. */
  forward = Number.NaN
  /** Forward divided by dF/dS. Equal to the index unless part of the settlement average is already fixed. */
  elasticSpot = Number.NaN
  /** Part of the forward in USD that the settlement samples have fixed and the index no longer moves. */
  fixedPart = 0
  discount = 1
  /** Time in which variance grows. Without the settlement blend, the time to expiry. */
  years = 0
  rootYears = 0
  /** σ_atm·√T. */
  atmDeviation = Number.NaN
  readonly surfaces = new ExpirySurfaces()
  readonly standard: ShockedExpiry
  readonly portfolio: ShockedExpiry

  constructor(standardScenarios: readonly Scenario[], portfolioScenarios: readonly Scenario[]) {
    this.standard = new ShockedExpiry(standardScenarios)
    this.portfolio = new ShockedExpiry(portfolioScenarios)
  }
}

/** Inputs of an expiry's pricing. */
export interface ExpiryInputs {
  readonly expiryMillis: number
  readonly nowMillis: number
  /** NaN if missing; then forward, volatilities and marks are NaN. */
  readonly indexMicros: number
  /** Mean of the settlement samples so far; NaN without samples. */
  readonly settlementEstimateMicros: number
  readonly surfaces: readonly Surface[]
}

/** Computes everything in a re-mark that depends on the expiry alone. */
export function prepareExpiry(
  out: ExpiryPricing,
  inputs: ExpiryInputs,
  parameters: PricingParameters,
): void {
  const { expiryMillis, indexMicros, nowMillis, settlementEstimateMicros, surfaces } = inputs
  const spot = indexMicros / microsPerUsd
  const estimate = settlementEstimateMicros / microsPerUsd
  const years = yearsToExpiry(expiryMillis, nowMillis)
  out.expiryMillis = expiryMillis
  out.expired = expiryMillis <= nowMillis
  out.payoffPrice = Number.isNaN(estimate) ? spot : estimate
  out.discount = exp(-parameters.rate * years)
  out.forward = spot * exp(parameters.rate * years)
  out.elasticSpot = spot
  out.years = years
  out.fixedPart = 0
  if (parameters.settlementBlend && !out.expired) {
    blendSettlement(out, nowMillis, spot, estimate, parameters)
  }
  assert(out.years >= 0 && out.discount > 0, 'pricing: time and discount are in range')
  out.rootYears = Math.sqrt(out.years)
  selectSurfaces(out.surfaces, surfaces, expiryMillis, nowMillis, indexMicros, parameters)
  out.atmDeviation = expiryIv(out.surfaces, out.forward, 1) * out.rootYears
  shockForwards(out.standard, out.forward, out.fixedPart)
  shockForwards(out.portfolio, out.forward, out.fixedPart)
}

// Inside the window, a share e/window of the average is fixed at the estimate. The remainder varies like an average:
// over a period τ its variance is σ²τ/3. Before the window, variance time is the time to the window's start plus a
// third of the window.
function blendSettlement(
  out: ExpiryPricing,
  nowMillis: number,
  spot: number,
  estimate: number,
  parameters: PricingParameters,
): void {
  const windowMillis = parameters.settlementWindowSeconds * 1000
  const leftMillis = out.expiryMillis - nowMillis
  if (leftMillis >= windowMillis) {
    out.years = (leftMillis - windowMillis + windowMillis / 3) / millisPerYear
    return
  }
  const open = leftMillis / windowMillis
  out.fixedPart = (1 - open) * (Number.isNaN(estimate) ? spot : estimate)
  out.forward = out.fixedPart + open * spot
  out.elasticSpot = out.forward / open
  out.years = (open * open * leftMillis) / 3 / millisPerYear
}

function shockForwards(out: ShockedExpiry, forward: number, fixedPart: number): void {
  for (let j = 0; j < out.count; j++) {
    out.forwards[j] = fixedPart + (forward - fixedPart) * (1 + out.spotShifts[j])
    out.logForwards[j] = ln(out.forwards[j] / forward)
  }
}
