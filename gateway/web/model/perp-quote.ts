import type { Orderbook } from '../../client/generated/interface.js'
import { leftText, percentText, unknown } from './numbers.js'
import { underlyingOf } from './symbol-text.js'

/** A perp as its list shows it. */
export interface PerpQuote {
  readonly symbol: string
  readonly underlying: string
  /** null: nobody quotes it. */
  readonly bid: number | null
  readonly ask: number | null
  readonly mark: number | null
  readonly index: number | null
  /** A share of the index, of the latest hour that was paid, which longs pay to shorts; null: none was yet. */
  readonly fundingRate: number | null
  readonly fundedMillis: number | null
  readonly openInterest: number
  readonly volume: number
  readonly volumeUsd: number
  readonly high: number | null
  readonly low: number | null
  /** A fraction. */
  readonly change: number | null
}

export const fundingMillis = 3_600_000
const hoursOfYear = 365 * 24

/** @param told of GET /orderbook, which has 0 for what is unknown. */
export function perpQuoteOf(told: Orderbook): PerpQuote {
  const { stats, funding_rate: rate, funding_timestamp: fundedMillis } = told
  return {
    symbol: told.instrument_name!,
    underlying: underlyingOf(told.instrument_name!),
    bid: told.best_bid_price || null,
    ask: told.best_ask_price || null,
    mark: told.mark_price || null,
    index: told.index_price || null,
    fundingRate: rate ?? null,
    fundedMillis: fundedMillis ?? null,
    openInterest: told.open_interest,
    volume: stats.volume,
    volumeUsd: stats.volume_usd,
    high: stats.high,
    low: stats.low,
    change: stats.price_change === null ? null : stats.price_change / 100,
  }
}

/** A rate of funding with its sign: above 0 longs pay, below 0 shorts do. */
export function rateText(rate: number | null): string {
  const text = percentText(rate, 4)
  return rate !== null && rate > 0 ? `+${text}` : text
}

/** The same hour after hour for a year. */
export function yearlyText(rate: number | null): string {
  return rate === null ? unknown : percentText(rate * hoursOfYear, 1)
}

/** How long it is until the next hour is paid. */
export function untilFunding(nowMillis: number): string {
  return leftText(Math.ceil((nowMillis + 1) / fundingMillis) * fundingMillis, nowMillis)
}

/** How far the middle of the book is off the index, as a fraction. */
export function basisOf({ bid, ask, index }: PerpQuote): number | null {
  if (bid === null || ask === null || index === null) return null
  return (bid + ask) / 2 / index - 1
}
