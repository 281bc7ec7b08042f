import { moneyMicrosMax } from '../../schemas/bounds.js'
import { compareDecimals, scaledDown, scaledUp } from '../wire/exact-decimal.js'
import { askSide, bidSide, quotes } from './best-quotes.js'
import type { QuoteRow } from './quote-rows.js'

/** Numbers of a row for comparison with orders. 0: no quote on that side. */
export interface RowNumbers {
  /** Rounded down to whole micros. */
  readonly bidMicros: number
  /** Rounded up to whole micros. */
  readonly askMicros: number
  /** Whole lots. */
  readonly bidLots: number
  readonly askLots: number
}

const microsDecimals = 6
const lotsDecimals = 8
const nothing: RowNumbers = { bidMicros: 0, askMicros: 0, bidLots: 0, askLots: 0 }

/** Returns the numbers of a row, cached until its texts change. A crossed row has none. */
export function numbersOf(row: QuoteRow): RowNumbers {
  row.numbers ??= readNumbers(row)
  return row.numbers
}

function readNumbers(row: QuoteRow): RowNumbers {
  const isBid = quotes(row, bidSide)
  const isAsk = quotes(row, askSide)
  if (isBid && isAsk && compareDecimals(row.bidPrice, row.askPrice) >= 0) return nothing
  const bidLots = isBid ? lotsOf(row.maxBidSize) : 0
  const askLots = isAsk ? lotsOf(row.maxAskSize) : 0
  return {
    bidMicros: bidLots === 0 ? 0 : exactOrNone(scaledDown(row.bidPrice, microsDecimals)),
    askMicros: askLots === 0 ? 0 : exactOrNone(scaledUp(row.askPrice, microsDecimals)),
    bidLots,
    askLots,
  }
}

/** Drops a price beyond the range of orders. */
function exactOrNone(micros: number): number {
  return micros > moneyMicrosMax ? 0 : micros
}

/** Limits a size to the range of orders. */
function lotsOf(size: string): number {
  return Math.min(scaledDown(size, lotsDecimals), moneyMicrosMax)
}
