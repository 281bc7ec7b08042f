import type { ProviderQuote } from '../../schemas/interface/market.js'
import { addDecimals, compareDecimals, isZeroDecimal } from '../wire/exact-decimal.js'
import type { QuoteRow } from './quote-rows.js'

/** Best quote of one side over all rows. */
export interface BestQuote {
  /** Decimal text of the provider. */
  readonly price: string
  /** Total of all rows at that price. */
  readonly size: string
}

export interface QuoteSide {
  readonly price: 'bidPrice' | 'askPrice'
  readonly size: 'maxBidSize' | 'maxAskSize'
  /** 1 if a higher price is better, otherwise -1. */
  readonly sign: 1 | -1
  /** Bit in `QuoteRow.sides`. */
  readonly bit: number
}

const knownSides = 4
export const bidSide: QuoteSide = { price: 'bidPrice', size: 'maxBidSize', sign: 1, bit: 1 }
export const askSide: QuoteSide = { price: 'askPrice', size: 'maxAskSize', sign: -1, bit: 2 }

/** Returns the best quote of a side, exact to the last digit; null if there is none. */
export function bestOf(rows: readonly QuoteRow[], side: QuoteSide): BestQuote | null {
  let price: string | null = null
  let size = ''
  for (const row of rows) {
    if (!quotes(row, side)) continue
    const better = price === null ? 1 : side.sign * compareDecimals(row[side.price], price)
    if (better > 0) {
      price = row[side.price]
      size = row[side.size]
    } else if (better === 0) size = addDecimals(size, row[side.size])
  }
  return price === null ? null : { price, size }
}

/** True if a row quotes a side, that is has a price and a size. */
export function quotes(row: QuoteRow, side: QuoteSide): boolean {
  if (row.sides === 0) row.sides = knownSides | bitOf(row, bidSide) | bitOf(row, askSide)
  return (row.sides & side.bit) !== 0
}

function bitOf(row: QuoteRow, side: QuoteSide): number {
  return isZeroDecimal(row[side.price]) || isZeroDecimal(row[side.size]) ? 0 : side.bit
}

/** Sorts rows by their better side: the best bid and the best ask are among the first two. */
export function rankedRows(rows: readonly QuoteRow[]): readonly QuoteRow[] {
  if (rows.length < 2) return rows
  const bids = ranksOf(rows, bidSide)
  const asks = ranksOf(rows, askSide)
  const ranked = rows.map((row) => {
    const [bid, ask] = [bids.get(row)!, asks.get(row)!]
    return { row, better: Math.min(bid, ask), both: bid + ask }
  })
  ranked.sort((one, other) => one.better - other.better || one.both - other.both)
  return ranked.map(({ row }) => row)
}

/** Returns the rank of each row by its price. Equal prices share a rank, and rows without a price rank last. */
function ranksOf(rows: readonly QuoteRow[], side: QuoteSide): ReadonlyMap<QuoteRow, number> {
  const quoting = rows.filter((row) => quotes(row, side))
  const worse = (one: QuoteRow, other: QuoteRow) =>
    side.sign * compareDecimals(other[side.price], one[side.price])
  quoting.sort(worse)
  const ranks = new Map(rows.map((row) => [row, rows.length]))
  let rank = 0
  for (const [index, row] of quoting.entries()) {
    if (index > 0 && worse(quoting[index - 1]!, row) !== 0) rank = index
    ranks.set(row, rank)
  }
  return ranks
}

/** Returns the latest update time of the rows; 0 without rows. */
export function newestMillis(rows: readonly QuoteRow[]): number {
  let newest = 0
  for (const row of rows) newest = Math.max(newest, row.updatedMillis)
  return newest
}

/** Returns a row of `rfq_provider_quotes`. */
export function providerQuote(row: QuoteRow): ProviderQuote {
  return { ...termsOf(row), updated_at: row.updatedMillis }
}

/** Returns the JSON text of `providerQuote`. */
export function quoteJson(row: QuoteRow): string {
  if (row.json === '') row.json = `${JSON.stringify(termsOf(row)).slice(0, -1)},"updated_at":`
  return `${row.json}${row.updatedMillis}}`
}

function termsOf({
  scope,
  bidPrice,
  askPrice,
  maxBidSize,
  maxAskSize,
}: QuoteRow): Omit<ProviderQuote, 'updated_at'> {
  return {
    wallet: scope.wallet,
    bid_price: bidPrice,
    ask_price: askPrice,
    max_bid_size: maxBidSize,
    max_ask_size: maxAskSize,
  }
}
