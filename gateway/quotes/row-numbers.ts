import { moneyMicrosMax } from '../../schemas/bounds.js'
import { compareDecimals, scaledDown, scaledUp } from '../wire/exact-decimal.js'
import { askSide, bidSide, quotes } from './best-quotes.js'
import type { QuoteRow } from './quote-rows.js'

/** What a row shows, as far as an order can be measured by it. 0: nothing on that side. */
export interface RowNumbers {
  /** The whole micro at or below the price. */
  readonly bidMicros: number
  /** The one at or above it. */
  readonly askMicros: number
  /** Whole lots. */
  readonly bidLots: number
  readonly askLots: number
}

const microsDecimals = 6
const lotsDecimals = 8
const nothing: RowNumbers = { bidMicros: 0, askMicros: 0, bidLots: 0, askLots: 0 }

/** Numbers of a row, read once for as long as its texts stand. A crossed row shows nothing. */
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

/** A price beyond all that an order can have is none. */
function exactOrNone(micros: number): number {
  return micros > moneyMicrosMax ? 0 : micros
}

/** A size beyond all that an order can have is as good as any. */
function lotsOf(size: string): number {
  return Math.min(scaledDown(size, lotsDecimals), moneyMicrosMax)
}
