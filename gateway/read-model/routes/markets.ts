import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import {
  InstrumentState,
  instrumentStateNames,
  type OptionRight,
  rightNames,
} from '../../../schemas/domain.js'
import type { Market, MarketOption } from '../../../schemas/interface/market.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { formatNumber } from '../../../schemas/number-text.js'
import { rowAnswer } from '../../wire/answers.js'
import { encodeRows } from '../../wire/json-text.js'
import { route } from '../../wire/route.js'
import { wireIdOf } from '../../wire/wire-ids.js'
import { atmVolatility } from '../texts/implied-volatilities.js'
import { tradingModeNames, underlyingNameOf, usableIndexMicros } from '../texts/market-text.js'
import type { ReadRoute, RouteContext } from '../texts/route-context.js'
import { hourOf } from '../views/trade-statistics.js'

/** Options of one underlying and expiry. */
interface ListedMarket {
  readonly underlying: number
  readonly expiryMillis: number
  /** Instruments by strike, calls first. */
  readonly ids: readonly number[]
}

/**
 * Answers GET /markets: one row per underlying and expiry, without settled ones. A perp has no expiry, and is not part
 * of any total.
 */
export const marketsRoute: ReadRoute = route(
  viewReads['GET /markets'],
  ({ include_instruments: wanted }, context) => {
    const { market, seq } = context.views
    // The key contains the hour, because the day of the volumes moves with it.
    const key = `markets ${wanted} ${hourOf(context.nowMillis)}`
    const rows = context.cache.get(key, market.version, () => marketRows(context, wanted))
    return rowAnswer(rows, seq)
  },
)

function marketRows(context: RouteContext, wanted: boolean) {
  const { instruments } = context.views.market
  const markets: ListedMarket[] = []
  for (const [underlying, all] of instruments.ofUnderlying.entries()) {
    const ids = all.filter(
      (id) => instruments.state[id] !== InstrumentState.Settled && !instruments.isPerp(id),
    )
    for (const expiryMillis of expiriesOf(context, ids)) {
      const ofExpiry = ids.filter((id) => instruments.expiryMillis[id] === expiryMillis)
      ofExpiry.sort((one, other) => compareStrikes(context, one, other))
      markets.push({ underlying, expiryMillis, ids: ofExpiry })
    }
  }
  return encodeRows(markets, (market) => marketRow(context, market, wanted))
}

function marketRow(
  context: RouteContext,
  { underlying, expiryMillis, ids }: ListedMarket,
  wanted: boolean,
): Market {
  const { market, statistics } = context.views
  const indexMicros = usableIndexMicros(context, underlying)
  const atmVol = atmVolatility(context, underlying, expiryMillis)
  const dayBefore = statistics.indexOf(underlying).dayBefore(context.nowMillis)
  let volumeMicros = 0
  let openLots = 0
  for (const id of ids) {
    volumeMicros += statistics.of(id).day(context.nowMillis).notionalMicros
    openLots += market.openInterestLots[id] ?? 0
  }
  return {
    underlying: market.instruments.underlyingNames[underlying]!,
    expiry: Math.floor(expiryMillis / 1000),
    index_price: Number.isNaN(indexMicros) ? '0' : formatMicros(indexMicros),
    atm_vol: atmVol === null ? null : formatNumber(atmVol),
    instruments: wanted ? ids.map((id) => optionRow(context, id)) : undefined,
    total_volume_24h: formatMicros(volumeMicros),
    total_open_interest: formatLots(openLots),
    prev_day_px: microsOrNull(dayBefore),
    prev_day_price: microsOrNull(dayBefore),
  }
}

function optionRow(context: RouteContext, id: number): MarketOption {
  const { market, statistics } = context.views
  const { instruments, marks } = market
  const ofInstrument = statistics.of(id)
  const iv = id < marks.iv.length ? marks.iv[id] : Number.NaN
  return {
    instrument_id: wireIdOf(id),
    id: market.symbols[id]!,
    underlying: underlyingNameOf(market, id),
    strike: formatMicros(instruments.strikeMicros[id]),
    expiry: Math.floor(instruments.expiryMillis[id] / 1000),
    option_type: rightNames[instruments.right[id] as OptionRight],
    option_token_address: null,
    mark_iv: Number.isNaN(iv) ? null : formatNumber(iv),
    volume_24h: formatMicros(ofInstrument.day(context.nowMillis).notionalMicros),
    open_interest: formatLots(market.openInterestLots[id] ?? 0),
    prev_day_px: microsOrNull(ofInstrument.marks.dayBefore(context.nowMillis)),
    updated_at: new Date(market.changedMillis[instruments.underlying[id]]).toISOString(),
    status: instrumentStateNames[instruments.state[id]]!,
    trading_mode: tradingModeNames[instruments.tradingMode[id]]!,
  }
}

function expiriesOf(context: RouteContext, ids: readonly number[]): number[] {
  const { expiryMillis } = context.views.market.instruments
  return [...new Set(ids.map((id) => expiryMillis[id]))].sort((one, other) => one - other)
}

function compareStrikes(context: RouteContext, one: number, other: number): number {
  const { strikeMicros, right } = context.views.market.instruments
  return strikeMicros[one] - strikeMicros[other] || right[one] - right[other]
}

function microsOrNull(micros: number): string | null {
  return Number.isNaN(micros) ? null : formatMicros(micros)
}
