import { settlementEstimateOf } from '../../../engine/pricing/mark-inputs.js'
import { lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { HaltMode, InstrumentState, TradingMode } from '../../../schemas/domain.js'
import type { MarketViews } from '../views/market-views.js'
import type { RouteContext } from './route-context.js'

/** Wire names of the bits of a trading mode. */
export const tradingModeNames = ['', 'orderbook', 'rfq', 'orderbook|rfq'] as const

/** Kinds in queries; the exchange's futures are its perps. */
type Kind = 'option' | 'future'

/** Filter of listings. An unknown name matches nothing. */
export interface ListingFilter {
  readonly currency: string | null
  /** Null: any kind. */
  readonly kind: Kind | null
}

/** Returns the ids that match a filter, by underlying and in order of listing, without deleted ones. */
export function listedInstruments(market: MarketViews, filter: ListingFilter): number[] {
  const { instruments } = market
  const ids: number[] = []
  for (const [underlying, name] of instruments.underlyingNames.entries()) {
    if (filter.currency !== null && filter.currency !== name) continue
    const all = [...instruments.ofUnderlying[underlying]!]
    all.push(...instruments.settledOfUnderlying[underlying]!)
    const wanted = all.filter((id) => filter.kind === null || filter.kind === kindOf(market, id))
    ids.push(...wanted.sort((one, other) => one - other))
  }
  return ids
}

export function kindOf({ instruments }: MarketViews, instrument: number): Kind {
  return instruments.isPerp(instrument) ? 'future' : 'option'
}

export function underlyingNameOf(market: MarketViews, instrument: number): string {
  return market.instruments.underlyingNames[market.instruments.underlying[instrument]]!
}

export function isActive(market: MarketViews, instrument: number): boolean {
  return market.instruments.state[instrument] === InstrumentState.Active
}

/** True if an order could rest on the book now. */
export function isBookOpen(market: MarketViews, instrument: number): boolean {
  const { instruments, haltModes } = market
  if (!isActive(market, instrument)) return false
  if ((instruments.tradingMode[instrument] & TradingMode.Orderbook) === 0) return false
  return haltModes[instruments.underlying[instrument]] === HaltMode.Open
}

/** Returns the index in micros; NaN if it is unknown or too old. */
export function usableIndexMicros(context: RouteContext, underlying: number): number {
  const { marks } = context.views.market
  return marks.indexIsMissing(underlying, context.nowMillis)
    ? Number.NaN
    : marks.indexMicros[underlying]
}

/**
 * Returns the estimated settlement price of an instrument's expiry: the settlement price, otherwise the mean of its
 * samples so far, otherwise the index; USD, 0 if none is known. For a perp, which never settles, the index.
 */
export function estimatedDeliveryUsd(context: RouteContext, instrument: number): number {
  const { market } = context.views
  const settled = usdOrNull(market.settlementMicrosOf(instrument))
  // Samples are removed once a price is set, while the index continues.
  if (settled !== null) return settled
  const { instruments, marks } = market
  const underlying = instruments.underlying[instrument]
  const expiryMillis = instruments.expiryMillis[instrument]
  const estimate = settlementEstimateOf(marks.inputsOf(underlying), expiryMillis)
  const indexMicros = usableIndexMicros(context, underlying)
  return usdOrZero(Number.isNaN(estimate) ? indexMicros : Math.round(estimate))
}

/** Returns the mark of an instrument in micros; NaN if it has none. */
export function markMicrosOf(market: MarketViews, instrument: number): number {
  const column = market.marks.markMicros
  return instrument < column.length ? column[instrument] : Number.NaN
}

/** Converts micros to a JSON number; NaN to null. */
export function usdOrNull(micros: number): number | null {
  return Number.isNaN(micros) ? null : microsToNumber(micros)
}

/** Converts micros to a JSON number; NaN to 0, for fields that the specification does not allow to be null. */
export function usdOrZero(micros: number): number {
  return usdOrNull(micros) ?? 0
}

/** Returns the greeks of one contract; undefined without a mark. */
export function greeksOf(market: MarketViews, instrument: number) {
  const { marks } = market
  if (Number.isNaN(markMicrosOf(market, instrument))) return undefined
  return {
    delta: marks.delta[instrument],
    gamma: marks.gamma[instrument],
    vega: marks.vegaPerPoint[instrument],
    theta: marks.thetaPerDay[instrument],
    rho: marks.rhoPerPoint[instrument],
  }
}

/** Returns the trading of the last day. The change is in per cent from first to last price; null without a trade. */
export function dayText({ views, nowMillis }: RouteContext, instrument: number) {
  const statistics = views.statistics.of(instrument)
  const { highMicros, lowMicros, openMicros, volumeLots, notionalMicros } =
    statistics.day(nowMillis)
  const change = ((statistics.lastMicros - openMicros) / openMicros) * 100
  return {
    high: usdOrNull(highMicros),
    low: usdOrNull(lowMicros),
    price_change: Number.isNaN(openMicros) ? null : change,
    volume: lotsToNumber(volumeLots),
    volume_usd: microsToNumber(notionalMicros),
  }
}

export function openInterestOf(market: MarketViews, instrument: number): number {
  return lotsToNumber(market.openInterestLots[instrument] ?? 0)
}
