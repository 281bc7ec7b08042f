import { mulDivHalfEven } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatMicros } from '../../../schemas/decimal.js'

/** What one contract has cost of so many lots. */
export function averagePrice(micros: number, lots: number): string {
  return formatMicros(mulDivHalfEven(micros, lotsPerContract, lots))
}
