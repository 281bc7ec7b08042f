import { formatMicros, lotsToNumber } from '../../../schemas/decimal.js'
import { InstrumentState, Right } from '../../../schemas/domain.js'
import { type Answer, Envelope, refusedAnswer } from '../answers.js'
import { encodeJson, type JsonValue, RawJson } from '../json-text.js'
import { isBookOpen, listedInstruments, underlyingNameOf } from '../market-text.js'
import type { QueryReader } from '../query-reader.js'
import { type RouteContext, rpcAnswerOf } from '../route-context.js'
import { tickSizeSteps, tickUsd } from './instruments.js'

const priceDecimals = 6
const sizeDecimals = 8
const stateNames: Readonly<Record<number, string>> = {
  [InstrumentState.Active]: 'OPEN',
  [InstrumentState.ExpiredPendingPrice]: 'SETTLEMENT',
  [InstrumentState.Settled]: 'DELIVERED',
}

/** GET /instrument-specs (rest-and-signing.md 8.4): every instrument that was not deleted. */
export function instrumentSpecsRoute(query: QueryReader, context: RouteContext): Answer {
  const currency = query.text('currency')
  if (query.refusal !== null) return refusedAnswer(Envelope.Bare, query.refusal)
  const { market } = context.views
  const rows = context.cache.get(`specs ${currency ?? ''}`, market.listingVersion, () => {
    const ids = listedInstruments(market, { currency, kind: 'option' })
    return new RawJson(encodeJson(ids.map((id) => specOf(context, id))))
  })
  return rpcAnswerOf(context, rows)
}

function specOf(context: RouteContext, id: number): JsonValue {
  const { market } = context.views
  const { instruments } = market
  const underlying = underlyingNameOf(market, id)
  const { risk, fees } = context.config.engine
  const { shortMinimumIm, shortMinimumMm } = risk
  const expiryMillis = instruments.expiryMillis[id]
  const expiryTime = new Date(expiryMillis).toISOString().slice(11, 16)
  return {
    instrument_id: market.symbols[id],
    instrument_numeric_id: id,
    exchange_symbol: market.symbols[id],
    sym: `${underlying}-USD`,
    exchange: 'STRIKEBOOK',
    instrument_kind: 'OPTION',
    option_kind: instruments.right[id] === Right.Call ? 'C' : 'P',
    delivery: 'CASH',
    settle_asset: 'USDC',
    base_asset: underlying,
    quote_asset: 'USD',
    strike: formatMicros(instruments.strikeMicros[id]),
    expiry_ns: nanosOf(expiryMillis),
    settlement_hour_utc: Number(expiryTime.slice(0, 2)),
    settlement_time_utc: expiryTime,
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
    maker_fee_bps: bpsOf(fees.makerRate),
    taker_fee_bps: bpsOf(fees.takerRate),
    initial_margin_fraction: shortMinimumIm,
    maintenance_margin_fraction: shortMinimumMm,
    position_limit: null,
    option_token_address: null,
    settlement_oracle: null,
    condition_id: null,
    underlying_resolution_source: null,
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
