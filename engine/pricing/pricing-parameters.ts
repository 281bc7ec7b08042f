import {
  choice,
  defaultsOf,
  type EngineValues,
  integer,
  number,
  onOff,
  spanMillis,
  under,
} from '../../schemas/parameter.js'
import type { RiskParameters } from './scenarios.js'

/** Use of a stale surface: none, or its values at the same moneyness. */
export const StaleSurface = { Refuse: 0, StickyMoneyness: 1 } as const
const staleSurfaceNames = ['refuse', 'sticky_moneyness'] as const

export const pricingTable = {
  ...under('pricing', {
    rate: number(0, [-1, 1, 'a year'], 'interest rate, compounded continuously'),
    indexMaxAgeMillis: integer(60_000, spanMillis, 'age of a usable index; 0: no limit'),
    surfaceMaxAgeMillis: integer(300_000, spanMillis, 'age of a usable surface; 0: no limit'),
    staleSurface: choice('refuse', staleSurfaceNames, 'use of an old surface'),
    settlementBlend: onOff(false, 'marks that know the settlement window'),
  }),
  ...under(
    'settlement',
    { windowSeconds: integer(1800, [1, 86_400, 's'], 'averaging window before expiry') },
    'settlement',
  ),
}

export type PricingParameters = EngineValues<typeof pricingTable>
export const pricingParametersDefault = defaultsOf(pricingTable)

/** Configuration of a re-mark. */
export interface MarksOptions {
  readonly pricing: PricingParameters
  readonly risk: RiskParameters
  /** True to compute risk arrays of the portfolio scenarios; otherwise rows have 0 of them. */
  readonly portfolio: boolean
}

/** Returns true if an input taken at a time is too old. */
export function isStale(takenAtMillis: number, nowMillis: number, maxAgeMillis: number): boolean {
  return maxAgeMillis > 0 && nowMillis - takenAtMillis > maxAgeMillis
}
