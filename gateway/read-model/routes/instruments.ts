import { formatMicros, lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { InstrumentState, Right, rightNames, TradingMode } from '../../../schemas/domain.js'
import type { Instrument, InstrumentSpec } from '../../../schemas/interface/market.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { encodeJson, encodeRows, RawJson } from '../../wire/json-text.js'
import { route } from '../../wire/route.js'
import { wireIdOf } from '../../wire/wire-ids.js'
import {
  isActive,
  isBookOpen,
  kindOf,
  type ListingFilter,
  listedInstruments,
  underlyingNameOf,
} from '../texts/market-text.js'
import { type ReadRoute, type RouteContext, rpcAnswerOf } from '../texts/route-context.js'

const tickUsd = 0.000001
const stepFirst = { above_price: 0.1, tick_size: 0.00001 }
const stepsCount = 10 // up to the largest price, 1e9

/** Tick sizes by price, which express the rule of five significant figures. */
const tickSizeSteps = Array.from({ length: stepsCount }, (_, step) => ({
  above_price: Number((stepFirst.above_price * 10 ** step).toPrecision(1)),
  tick_size: Number((stepFirst.tick_size * 10 ** step).toPrecision(1)),
}))

/**
 * Answers GET /instruments. `expired=true` lists expired instruments instead of active ones; a perp never expires.
 * Option-only fields are 0 or empty for a perp, because clients expect a number or text.
 */
export const instrumentsRoute: ReadRoute = route(
  viewReads['GET /instruments'],
  ({ expired, ...filter }, context) => {
    const key = `instruments ${filter.kind} ${expired} ${filter.currency ?? ''}`
    const { listingVersion } = context.views.market
    const rows = context.cache.get(key, listingVersion, () => rowsOf(context, filter, expired))
    return rpcAnswerOf(context, rows)
  },
)

function rowsOf(context: RouteContext, filter: ListingFilter, expired: boolean) {
  const { market } = context.views
  const ids = listedInstruments(market, filter).filter((id) => isActive(market, id) !== expired)
  return encodeRows(ids, (id) => instrumentRow(context, id))
}

function instrumentRow(context: RouteContext, id: number): Instrument {
  const { market } = context.views
  const { instruments } = market
  const underlying = underlyingNameOf(market, id)
  const minTradeAmount = lotsToNumber(context.config.minTradeLots)
  const tradingMode = instruments.tradingMode[id]
  const right = instruments.right[id] as Right
  const isPerp = right === Right.None
  const { fees } = context.config.engine
  return {
    instrument_name: market.symbols[id]!,
    instrument_id: wireIdOf(id),
    kind: kindOf(market, id),
    instrument_type: 'linear',
    option_type: isPerp ? '' : rightNames[right],
    price_index: `${underlying.toLowerCase()}_usd`,
    settlement_period: isPerp ? 'perpetual' : 'day',
    settlement_currency: 'USDC',
    base_currency: underlying,
    counter_currency: 'USD',
    quote_currency: 'USD',
    expiration_timestamp: isPerp ? 0 : instruments.expiryMillis[id],
    creation_timestamp: instruments.listedMillis[id],
    option_token_address: null,
    rfq: (tradingMode & TradingMode.Rfq) !== 0,
    orderbook: (tradingMode & TradingMode.Orderbook) !== 0,
    is_active: isActive(market, id),
    strike: isPerp ? 0 : microsToNumber(instruments.strikeMicros[id]),
    contract_size: 1,
    tick_size: tickUsd,
    tick_size_steps: tickSizeSteps,
    min_trade_amount: minTradeAmount,
    maker_commission: isPerp ? fees.perpMakerRate : fees.makerRate,
    taker_commission: isPerp ? fees.perpTakerRate : fees.takerRate,
    block_trade_commission: 0,
    block_trade_min_trade_amount: minTradeAmount,
    block_trade_tick_size: tickUsd,
  }
}

const priceDecimals = 6
const sizeDecimals = 8
const stateNames: Readonly<Record<number, InstrumentSpec['state']>> = {
  [InstrumentState.Active]: 'OPEN',
  [InstrumentState.ExpiredPendingPrice]: 'SETTLEMENT',
  [InstrumentState.Settled]: 'DELIVERED',
}

/**
 * Answers GET /instrument-specs: every option and perp that is not deleted. A perp has strike and expiry 0, which
 * clients expect to be numbers; its other option-only fields are null.
 */
export const instrumentSpecsRoute: ReadRoute = route(
  viewReads['GET /instrument-specs'],
  ({ currency }, context) => {
    const { market } = context.views
    const rows = context.cache.get(`specs ${currency ?? ''}`, market.listingVersion, () => {
      const ids = listedInstruments(market, { currency, kind: null })
      const specs = encodeJson(ids.map((id) => specOf(context, id)))
      return new RawJson<readonly InstrumentSpec[]>(specs)
    })
    return rpcAnswerOf(context, rows)
  },
)

/** Row before encoding. Nanoseconds are text, because a double cannot hold them exactly. */
type WrittenSpec = {
  readonly [Name in keyof InstrumentSpec]: Name extends `${string}_ns`
    ? RawJson<number> | number
    : InstrumentSpec[Name]
}
type Terms = Pick<
  WrittenSpec,
  | 'instrument_kind'
  | 'option_kind'
  | 'strike'
  | 'expiry_ns'
  | 'settlement_hour_utc'
  | 'settlement_time_utc'
  | 'maker_fee_bps'
  | 'taker_fee_bps'
  | 'initial_margin_fraction'
  | 'maintenance_margin_fraction'
>

function specOf(context: RouteContext, id: number): WrittenSpec {
  const { market } = context.views
  const { instruments } = market
  const underlying = underlyingNameOf(market, id)
  return {
    instrument_id: market.symbols[id]!,
    instrument_numeric_id: wireIdOf(id),
    exchange_symbol: market.symbols[id]!,
    sym: `${underlying}-USD`,
    exchange: 'STRIKEBOOK',
    delivery: 'CASH',
    settle_asset: 'USDC',
    base_asset: underlying,
    quote_asset: 'USD',
    contract_size: 1,
    min_trade_size: lotsToNumber(context.config.minTradeLots),
    tick_size: tickUsd,
    price_decimals: priceDecimals,
    size_decimals: sizeDecimals,
    min_price_increment_bands: tickSizeSteps,
    state: stateNames[instruments.state[id]!]!,
    is_tradable: isBookOpen(market, id),
    listed_time_ns: nanosOf(instruments.listedMillis[id]),
    event_ts_ns: nanosOf(market.stateMillis[id]!),
    position_limit: null,
    option_token_address: null,
    settlement_oracle: null,
    condition_id: null,
    underlying_resolution_source: null,
    ...(instruments.isPerp(id) ? perpTerms(context) : optionTerms(context, id)),
  }
}

/** The margin fraction of an option is the minimum of an uncovered short; no fraction expresses the scenario margin. */
function optionTerms({ views, config }: RouteContext, id: number): Terms {
  const { right, strikeMicros, expiryMillis } = views.market.instruments
  const { risk, fees } = config.engine
  const expiryTime = new Date(expiryMillis[id]).toISOString().slice(11, 16)
  return {
    instrument_kind: 'OPTION',
    option_kind: right[id] === Right.Call ? 'C' : 'P',
    strike: formatMicros(strikeMicros[id]),
    expiry_ns: nanosOf(expiryMillis[id]),
    settlement_hour_utc: Number(expiryTime.slice(0, 2)),
    settlement_time_utc: expiryTime,
    maker_fee_bps: bpsOf(fees.makerRate),
    taker_fee_bps: bpsOf(fees.takerRate),
    initial_margin_fraction: risk.shortMinimumIm,
    maintenance_margin_fraction: risk.shortMinimumMm,
  }
}

function perpTerms({ config }: RouteContext): Terms {
  const { risk, fees } = config.engine
  return {
    instrument_kind: 'PERP',
    option_kind: null,
    strike: '0',
    expiry_ns: 0,
    settlement_hour_utc: null,
    settlement_time_utc: null,
    maker_fee_bps: bpsOf(fees.perpMakerRate),
    taker_fee_bps: bpsOf(fees.perpTakerRate),
    initial_margin_fraction: risk.perpInitialFraction,
    maintenance_margin_fraction: risk.perpMaintenanceFraction,
  }
}

/** Converts a rate, a multiple of 1e-6, to basis points. */
function bpsOf(rate: number): number {
  return Math.round(rate * 1e6) / 100
}

/** Converts to nanoseconds, an integer above 2^53 that a double cannot hold exactly. */
function nanosOf(millis: number): RawJson<number> {
  return new RawJson((BigInt(Math.round(millis)) * 1_000_000n).toString())
}
