import type { Perp } from '../client/answer-types.js'
import type { OptionSummary } from '../client/generated/interface.js'
import { decimalText, type PlannedQuote, quoteSize, roundFigures } from './quote-plan.js'

/** A perp, and the index that its mark is. */
export interface PerpMarket extends Perp {
  /** USD. */
  readonly indexPrice: number
}

/** Half of the spread of each level, as shares of the index. The wider, the seldomer it is renewed. */
const halfSpreadShares = [0.0005, 0.001, 0.002]
const priceFigures = 5 // a power of ten, which is where rounding up ends at most, has one
const leanSharePerUsd = 4e-9 // 4 basis points for 100,000 USD held

/** Quotes on one perp. */
export const perpLevels = halfSpreadShares.length

/** The perps whose underlying has an index, which the rows of its options tell. */
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
 * Levels around a price that leans against the position: below the index by what is held, above it by what is
 * short, so that the side which brings the position back is the better one.
 * @param position contracts, signed.
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
