import {
  defaultsOf,
  type EngineValues,
  integer,
  millionths,
  number,
  onOff,
  under,
} from '../../../schemas/parameter.js'
import { millionthsOf } from '../../risk/ratio.js'

// Samples and periods begin at whole multiples of their length since 1970. The book's price is the middle of two mean
// prices: those of buying and of selling the impact notional.
export const fundingTable = under('perp.funding', {
  enabled: onOff(false, 'payments between longs and shorts of perps'),
  capRate: millionths(
    0.0005,
    [0, 0.1, 'share'],
    'maximum rate per period, as a share of the index',
  ),
  sampleSeconds: integer(60, [1, 3600, 's'], 'interval between samples of the book'),
  periodSeconds: integer(3600, [1, 86_400, 's'], 'interval between payments'),
  // Less than 0.5 ms of work.
  paymentsPerBatch: integer(128, [1, 10_000], 'wallets that one engine step pays'),
  impactNotional: number(10_000, [1, 1e9, 'USD'], 'traded in thought for a book’s price'),
})

export type FundingParameters = EngineValues<typeof fundingTable>
export const fundingParametersDefault = defaultsOf(fundingTable)

/** Premiums and rates are integers of this share of the index. */
export const nanosPerUnit = 1_000_000_000

/** Returns the limit of a period's rate, 1e-9. */
export function capNanosOf({ capRate }: FundingParameters): number {
  return millionthsOf(capRate) * 1000
}
