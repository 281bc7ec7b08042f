import type { Orderbook } from '../../client/generated/interface.js'
import { leftText, percentText, unknown } from './numbers.js'
import { underlyingOf } from './symbol-text.js'

/** Row of the list of perps. */
export interface PerpQuote {
  readonly symbol: string
  readonly underlying: string
  /** Best bid; null: none. */
  readonly bid: number | null
  readonly ask: number | null
  readonly mark: number | null
  readonly index: number | null
  /** Rate of the last paid hour, as a share of the index, from longs to shorts; null: none was paid yet. */
  readonly fundingRate: number | null
  readonly fundedMillis: number | null
  readonly openInterest: number
  readonly volume: number
  readonly volumeUsd: number
  readonly high: number | null
  readonly low: number | null
  /** Change of the price as a fraction. */
  readonly change: number | null
}

export const fundingMillis = 3_600_000
const hoursOfYear = 365 * 24

/** @param answer answer of GET /orderbook, in which 0 means unknown. */
export function perpQuoteOf(answer: Orderbook): PerpQuote {
  const { stats, funding_rate: rate, funding_timestamp: fundedMillis } = answer
  return {
    symbol: answer.instrument_name!,
    underlying: underlyingOf(answer.instrument_name!),
    bid: answer.best_bid_price || null,
    ask: answer.best_ask_price || null,
    mark: answer.mark_price || null,
    index: answer.index_price || null,
    fundingRate: rate ?? null,
    fundedMillis: fundedMillis ?? null,
    openInterest: answer.open_interest,
    volume: stats.volume,
    volumeUsd: stats.volume_usd,
    high: stats.high,
    low: stats.low,
    change: stats.price_change === null ? null : stats.price_change / 100,
  }
}

/** Formats a funding rate with its sign. Longs pay if it is positive, shorts if it is negative. */
export function rateText(rate: number | null): string {
  const text = percentText(rate, 4)
  return rate !== null && rate > 0 ? `+${text}` : text
}

/** Formats an hourly funding rate as the rate of a year, without compounding. */
export function yearlyText(rate: number | null): string {
  return rate === null ? unknown : percentText(rate * hoursOfYear, 1)
}

/** Formats the time until the next funding. */
export function untilFunding(nowMillis: number): string {
  return leftText(Math.ceil((nowMillis + 1) / fundingMillis) * fundingMillis, nowMillis)
}

/** Returns the deviation of the book's middle from the index as a fraction; null if one is unknown. */
export function basisOf({ bid, ask, index }: PerpQuote): number | null {
  if (bid === null || ask === null || index === null) return null
  return (bid + ask) / 2 / index - 1
}
