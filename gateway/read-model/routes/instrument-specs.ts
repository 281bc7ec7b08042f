import { formatMicros, lotsToNumber } from '../../../schemas/decimal.js'
import { InstrumentState, Right } from '../../../schemas/domain.js'
import { encodeJson, type JsonValue, RawJson } from '../../wire/json-text.js'
import { readModelEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { wireIdOf } from '../../wire/wire-ids.js'
import { isBookOpen, listedInstruments, underlyingNameOf } from '../texts/market-text.js'
import { type ReadRoute, type RouteContext, rpcAnswerOf } from '../texts/route-context.js'
import { tickSizeSteps, tickUsd } from './instruments.js'

const priceDecimals = 6
const sizeDecimals = 8
const stateNames: Readonly<Record<number, string>> = {
  [InstrumentState.Active]: 'OPEN',
  [InstrumentState.ExpiredPendingPrice]: 'SETTLEMENT',
  [InstrumentState.Settled]: 'DELIVERED',
}

/**
 * GET /instrument-specs: every option and perp that was not deleted. A perp has strike and
 * expiry 0, which clients read as numbers; what else only an option has is null.
 */
export const instrumentSpecsRoute: ReadRoute = route(
  readModelEndpoints['GET /instrument-specs'],
  ({ currency }, context) => {
    const { market } = context.views
    const rows = context.cache.get(`specs ${currency ?? ''}`, market.listingVersion, () => {
      const ids = listedInstruments(market, { currency, kind: null })
      return new RawJson(encodeJson(ids.map((id) => specOf(context, id))))
    })
    return rpcAnswerOf(context, rows)
  },
)

function specOf(context: RouteContext, id: number): JsonValue {
  const { market } = context.views
  const { instruments } = market
  const underlying = underlyingNameOf(market, id)
  return {
    instrument_id: market.symbols[id],
    instrument_numeric_id: wireIdOf(id),
    exchange_symbol: market.symbols[id],
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
    state: stateNames[instruments.state[id]],
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

/** The margin of an option is the least of an uncovered short: beyond it no fraction says what scenarios take. */
function optionTerms({ views, config }: RouteContext, id: number) {
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

function perpTerms({ config }: RouteContext) {
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

/** A rate, which is a multiple of 1e-6, in basis points. */
function bpsOf(rate: number): number {
  return Math.round(rate * 1e6) / 100
}

/** An integer above 2^53, which no double holds exactly. */
function nanosOf(millis: number): RawJson {
  return new RawJson((BigInt(Math.round(millis)) * 1_000_000n).toString())
}
