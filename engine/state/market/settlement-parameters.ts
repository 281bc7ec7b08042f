import {
  choice,
  defaultsOf,
  type EngineValues,
  fraction,
  integer,
  millionths,
  named,
  number,
  spanMillis,
  under,
} from '../../../schemas/parameter.js'
import { millionthsOf, millionthsPerUnit } from '../../risk/ratio.js'

/** Computation of a price from the samples of a window. */
export const Estimator = { Twap: 0, TrimmedMedianOfMeans: 1 } as const
const estimatorNames = ['twap', 'trimmed_median_of_means'] as const

export const settlementTable = {
  ...under('settlement', {
    estimator: choice('twap', estimatorNames, 'method that computes the price from the samples'),
    maxCarryMillis: integer(60_000, spanMillis, 'age of a usable observation; 0: no limit'),
    minValidShare: number(0.9, fraction, 'share of the samples that a price needs'),
    trimShare: number(0.05, [0, 0.45, 'share'], 'share of the samples dropped at each end'),
  }),
  ...under('fees', {
    feeRate: named('settlement', number(0, [0, 0.1, 'share'], 'settlement fee per price')),
    feeCap: named(
      'settlementCap',
      millionths(0.125, fraction, 'most of it, as a share of the payoff'),
    ),
  }),
  ...under('settlement', {
    // Far below 1 ms of work. All positions of one wallet are paid together, whatever their number.
    payoutsPerBatch: integer(128, [1, 100_000], 'positions that one engine step pays'),
  }),
}

export type SettlementParameters = EngineValues<typeof settlementTable>
export const settlementParametersDefault = defaultsOf(settlementTable)

/** Returns true if enough samples are valid for a price; at least one must be. */
export function isEnough(
  validCount: number,
  windowSeconds: number,
  minValidShare: number,
): boolean {
  return (
    validCount > 0 && validCount * millionthsPerUnit >= millionthsOf(minValidShare) * windowSeconds
  )
}

/** Returns the number of samples to drop at each end: the share of a count, rounded down. */
export function trimCount(count: number, trimShare: number): number {
  return Math.floor((millionthsOf(trimShare) * count) / millionthsPerUnit)
}
