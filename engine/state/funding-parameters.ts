import { fundingPaymentsPerBatch } from '../../schemas/bounds.js'
import { millionthsOf } from '../risk/ratio.js'

/** Configuration keys `perp.funding.*`. */
export interface FundingParameters {
  readonly enabled: boolean
  /** Most that a period costs, as a share of the index, a multiple of 1e-6. */
  readonly capRate: number
  /** Between samples, and between payments; both begin at whole multiples of themselves since 1970. */
  readonly sampleSeconds: number
  readonly periodSeconds: number
  /** Wallets that one batch pays or takes from; at least 1. */
  readonly paymentsPerBatch: number
  /** What is bought and sold in thought, USD: the middle of the two mean prices is the book's price. */
  readonly impactNotional: number
}

export const fundingParametersDefault: FundingParameters = {
  enabled: false,
  capRate: 0.0005,
  sampleSeconds: 60,
  periodSeconds: 3600,
  paymentsPerBatch: fundingPaymentsPerBatch,
  impactNotional: 10_000,
}

/** Premiums and rates are integers of this share of the index. */
export const nanosPerUnit = 1_000_000_000

/** The bound of a period's rate, 1e-9. */
export function capNanosOf({ capRate }: FundingParameters): number {
  return millionthsOf(capRate) * 1000
}
