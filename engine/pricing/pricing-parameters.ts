import type { RiskParameters } from './scenarios.js'

/** What a stale surface is good for: nothing, or its values at the same moneyness. */
export const StaleSurface = { Refuse: 0, StickyMoneyness: 1 } as const
export type StaleSurface = (typeof StaleSurface)[keyof typeof StaleSurface]
export const staleSurfaceNames = ['refuse', 'sticky_moneyness'] as const

/** Configuration keys `pricing.*` and the window they need. */
export interface PricingParameters {
  /** Fraction per year, compounded continuously. */
  readonly rate: number
  /** 0: no limit, here and in `surfaceMaxAgeMillis`. */
  readonly indexMaxAgeMillis: number
  readonly surfaceMaxAgeMillis: number
  readonly staleSurface: StaleSurface
  readonly settlementBlend: boolean
  readonly settlementWindowSeconds: number
}

/** What a re-mark is configured by. */
export interface MarksOptions {
  readonly pricing: PricingParameters
  readonly risk: RiskParameters
  /** Whether risk arrays of the portfolio scenarios are wanted; without, there are 0 per row. */
  readonly portfolio: boolean
}

export const pricingParametersDefault: PricingParameters = {
  rate: 0,
  indexMaxAgeMillis: 60_000,
  surfaceMaxAgeMillis: 300_000,
  staleSurface: StaleSurface.Refuse,
  settlementBlend: false,
  settlementWindowSeconds: 1800,
}

/** Whether an input taken at a time is too old to be used. */
export function isStale(takenAtMillis: number, nowMillis: number, maxAgeMillis: number): boolean {
  return maxAgeMillis > 0 && nowMillis - takenAtMillis > maxAgeMillis
}
