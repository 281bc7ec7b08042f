import type { Perp } from '../client/answer-types.js'
import type { OptionSummary } from '../client/generated/interface.js'
import { decimalText, type PlannedQuote, quoteSize, roundFigures } from './quote-plan.js'

/** Perp with its index, which is also its mark. */
export interface PerpMarket extends Perp {
  /** USD. */
  readonly indexPrice: number
}

/** Half spread of each level, as a share of the index. Wider levels are replaced less often. */
const halfSpreadShares = [0.0005, 0.001, 0.002]
const priceFigures = 5 // the limit: rounding up to a power of ten needs no further figure
const leanSharePerUsd = 4e-9 // 4 basis points for 100,000 USD held

/** Number of quotes on one perp. */
export const perpLevels = halfSpreadShares.length

/** Returns the perps whose underlying has an index, according to the rows of its options. */
export function perpMarkets(
  perps: readonly Perp[],
  rows: readonly OptionSummary[],
): readonly PerpMarket[] {
  const indexes = new Map(rows.map((row) => [row.base_currency, row.underlying_price]))
  return perps
    .map((perp) => ({ ...perp, indexPrice: indexes.get(perp.underlying) ?? 0 }))
    .filter(({ indexPrice }) => indexPrice > 0)
}

/**
 * Returns levels around a price that is below the index for a long position, and above it for a short one. So the side
 * that reduces the position has the better price.
 * @param position signed contracts.
 */
export function planPerp(
  { symbol, asset, indexPrice }: PerpMarket,
  position: number,
): readonly PlannedQuote[] {
  const theo = indexPrice * (1 - position * indexPrice * leanSharePerUsd)
  const size = decimalText(quoteSize(indexPrice))
  return halfSpreadShares.map((share, level) => {
    const halfSpread = indexPrice * share
    const bid = decimalText(roundFigures(theo - halfSpread, Math.floor, priceFigures))
    const ask = decimalText(roundFigures(theo + halfSpread, Math.ceil, priceFigures))
    return { symbol, asset, level, bid, ask, size, theo, halfSpread }
  })
}
