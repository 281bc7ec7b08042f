import { settlementPayoutsPerBatch } from '../../schemas/bounds.js'
import { millionthsOf, millionthsPerUnit } from '../risk/ratio.js'

/** How the samples of a window become a price. */
export const Estimator = { Twap: 0, TrimmedMedianOfMeans: 1 } as const
export type Estimator = (typeof Estimator)[keyof typeof Estimator]
export const estimatorNames = ['twap', 'trimmed_median_of_means'] as const

/** Configuration keys `settlement.*`, but for the window, which pricing needs too, and those of `fees.*`. */
export interface SettlementParameters {
  readonly estimator: Estimator
  /** Age from which an observation is no sample any more; 0: no limit. */
  readonly maxCarryMillis: number
  /** Share of the window's samples that must be valid, a multiple of 1e-6. */
  readonly minValidShare: number
  /** Share of the samples that `TrimmedMedianOfMeans` drops at each end, a multiple of 1e-6. */
  readonly trimShare: number
  /** Share of the settlement price, a multiple of 1e-6. */
  readonly feeRate: number
  /** Most of a fee, as a share of the payoff, a multiple of 1e-6. */
  readonly feeCap: number
  /** Positions that one batch pays out, but for those of one wallet, which are paid together; at least 1. */
  readonly payoutsPerBatch: number
}

export const settlementParametersDefault: SettlementParameters = {
  estimator: Estimator.Twap,
  maxCarryMillis: 60_000,
  minValidShare: 0.9,
  trimShare: 0.05,
  feeRate: 0,
  feeCap: 0.125,
  payoutsPerBatch: settlementPayoutsPerBatch,
}

/** Whether enough samples are valid for a price; none never are. */
export function isEnough(
  validCount: number,
  windowSeconds: number,
  minValidShare: number,
): boolean {
  return (
    validCount > 0 && validCount * millionthsPerUnit >= millionthsOf(minValidShare) * windowSeconds
  )
}

/** Samples to drop at each end: the share of a count, rounded down. */
export function trimCount(count: number, trimShare: number): number {
  return Math.floor((millionthsOf(trimShare) * count) / millionthsPerUnit)
}
