import {
  instrumentStateNames,
  presetNames,
  rightNames,
  sideNames,
  tierNames,
} from '../../../schemas/domain.js'
import { theoIntervalMillis } from '../../wire/parameters.js'
import {
  address,
  component,
  count,
  decimal,
  exactly,
  flag,
  integer,
  iso,
  list,
  mapOf,
  millis,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  seconds,
  text,
} from '../shapes/shape.js'
import { bare, data, row, rows, rpc } from './envelopes.js'

// Answers about the venue, its instruments and its markets.

const usd = nullable(number)
const positive = { type: 'number', minimum: 0 }
const steps = list(object({ above_price: number, tick_size: number }))

const instrument = component(
  'Instrument',
  object({
    instrument_name: text,
    instrument_id: count,
    kind: oneOf(['option', 'future']),
    instrument_type: exactly('linear'),
    // A perp is of none.
    option_type: { type: 'string', enum: [...rightNames, ''] },
    price_index: text,
    settlement_period: oneOf(['day', 'perpetual']),
    settlement_currency: exactly('USDC'),
    base_currency: text,
    counter_currency: exactly('USD'),
    quote_currency: exactly('USD'),
    expiration_timestamp: millis,
    creation_timestamp: millis,
    option_token_address: nothing,
    rfq: flag,
    orderbook: flag,
    is_active: flag,
    strike: positive,
    contract_size: exactly(1),
    tick_size: positive,
    tick_size_steps: steps,
    min_trade_amount: positive,
    maker_commission: number,
    taker_commission: number,
    block_trade_commission: exactly(0),
    block_trade_min_trade_amount: positive,
    block_trade_tick_size: positive,
  }),
)

const instrumentSpec = component(
  'InstrumentSpec',
  object({
    instrument_id: text,
    instrument_numeric_id: count,
    exchange_symbol: text,
    sym: text,
    exchange: text,
    delivery: exactly('CASH'),
    settle_asset: exactly('USDC'),
    base_asset: text,
    quote_asset: exactly('USD'),
    contract_size: exactly(1),
    min_trade_size: positive,
    tick_size: positive,
    price_decimals: count,
    size_decimals: count,
    min_price_increment_bands: steps,
    state: oneOf(['OPEN', 'SETTLEMENT', 'DELIVERED']),
    is_tradable: flag,
    listed_time_ns: integer,
    event_ts_ns: integer,
    position_limit: nothing,
    option_token_address: nothing,
    settlement_oracle: nothing,
    condition_id: nothing,
    underlying_resolution_source: nothing,
    instrument_kind: oneOf(['OPTION', 'PERP']),
    option_kind: nullable(oneOf(['C', 'P'])),
    strike: decimal,
    expiry_ns: integer,
    settlement_hour_utc: nullable(integer),
    settlement_time_utc: nullable(text),
    maker_fee_bps: number,
    taker_fee_bps: number,
    initial_margin_fraction: number,
    maintenance_margin_fraction: number,
  }),
)

const market = component(
  'Market',
  object({
    underlying: text,
    expiry: seconds,
    index_price: decimal,
    atm_vol: nullable(text),
    'instruments?': list(
      object({
        instrument_id: count,
        id: text,
        underlying: text,
        strike: decimal,
        expiry: seconds,
        option_type: oneOf(rightNames),
        option_token_address: nothing,
        mark_iv: nullable(text),
        volume_24h: decimal,
        open_interest: decimal,
        prev_day_px: nullable(decimal),
        updated_at: iso,
        status: oneOf(instrumentStateNames),
        trading_mode: text,
      }),
    ),
    total_volume_24h: decimal,
    total_open_interest: decimal,
    prev_day_px: nullable(decimal),
    prev_day_price: nullable(decimal),
  }),
)

const greeks = object({ delta: number, gamma: number, vega: number, theta: number, rho: number })
const day = { high: usd, low: usd, price_change: usd, volume: positive, volume_usd: positive }
const levels = list(list(number, { minItems: 2, maxItems: 2 }))

const orderbook = component(
  'Orderbook',
  object({
    instrument_name: text,
    timestamp: millis,
    state: oneOf(['open', 'closed']),
    change_id: count,
    bids: levels,
    asks: levels,
    best_bid_price: positive,
    best_ask_price: positive,
    best_bid_amount: positive,
    best_ask_amount: positive,
    last_price: usd,
    mark_price: positive,
    'theoretical_price?': positive,
    'mark_iv?': positive,
    'bid_iv?': positive,
    'ask_iv?': positive,
    index_price: positive,
    underlying_price: positive,
    underlying_index: text,
    settlement_price: positive,
    min_price: positive,
    max_price: positive,
    open_interest: positive,
    interest_rate: number,
    'funding_rate?': number,
    'funding_timestamp?': millis,
    estimated_delivery_price: positive,
    option_token_address: nothing,
    stats: object(day),
    'greeks?': greeks,
  }),
)

/** Indicative quote of one provider. */
export const providerQuote = component(
  'ProviderQuote',
  object({
    wallet: address,
    'bid_price?': decimal,
    'ask_price?': decimal,
    'max_bid_size?': decimal,
    'max_ask_size?': decimal,
    updated_at: millis,
  }),
)

const summary = component(
  'OptionSummary',
  object({
    instrument_id: count,
    instrument_name: text,
    underlying_index: text,
    base_currency: text,
    quote_currency: exactly('USD'),
    option_token_address: nothing,
    expiration_timestamp: millis,
    creation_timestamp: millis,
    last: usd,
    ...day,
    open_interest: positive,
    underlying_price: positive,
    estimated_delivery_price: positive,
    interest_rate: number,
    mark_price: positive,
    theoretical_price: positive,
    mark_iv: positive,
    greeks,
    bid_price: positive,
    ask_price: positive,
    mid_price: positive,
    'best_bid_size?': positive,
    'best_ask_size?': positive,
    'bid_iv?': positive,
    'ask_iv?': positive,
    'indicative_bid_price?': positive,
    'indicative_ask_price?': positive,
    'indicative_bid_size?': positive,
    'indicative_ask_size?': positive,
    'rfq_provider_quotes?': list(providerQuote),
  }),
)

const rates = object({ maker_rate: decimal, taker_rate: decimal })
const schedule = {
  options: object({ maker_rate: decimal, taker_rate: decimal, price_cap: decimal }),
  perps: rates,
  settlement: object({ rate: decimal, payoff_cap: decimal }),
  liquidation: object({ rate: decimal }),
}

const trade = component(
  'Trade',
  object({
    trade_id: count,
    symbol: text,
    price: decimal,
    size: decimal,
    taker_side: oneOf(sideNames),
    maker_address: nullable(address),
    taker_address: nullable(address),
    maker_fee: decimal,
    taker_fee: decimal,
    timestamp: millis,
    created_at: iso,
  }),
)

const series = component(
  'TheoreticalPrices',
  object({
    instrument_name: text,
    interval: oneOf(Object.keys(theoIntervalMillis)),
    points: list(object({ timestamp: millis, theoretical_price: number })),
  }),
)

const parts = list(object({ name: text, ready: flag, 'detail?': text }))
const domain = { name: text, version: text }

/** Answers by method and path. */
export const marketAnswers = {
  'GET /': object({
    name: text,
    about: text,
    preset: oneOf(presetNames),
    version: text,
    status: oneOf(['ok', 'degraded']),
    'degraded?': list(text),
    documents: list(text),
    health: list(text),
    market: list(text),
    signing: object({
      enabled: flag,
      domain: object({ ...domain, chainId: count, verifyingContract: address }),
      perp_source: text,
    }),
    funds: object({ from: oneOf(['faucet', 'operator']), how: text }),
    streams: object({ clients: text, quote_providers: text }),
  }),
  'GET /exchange-info': bare({
    exchange_address: address,
    chain_id: count,
    signing_domain: object(domain),
    hl_builder_address: nothing,
    deposit_router_address: nothing,
    portfolio_margin_deposits_enabled: flag,
    preset: oneOf(presetNames),
    perp_source: text,
    private_reads: oneOf(['open', 'signed']),
    perps: list(object({ asset: count, underlying: text, symbol: text })),
    push_public_key: nullable(text),
    max_bulk_items: count,
    max_rfq_legs: count,
  }),
  'GET /health': object({ status: exactly('ok') }),
  'GET /version': object({
    version: text,
    commit: nullable(text),
    ref: nullable(text),
    build_time: nullable(text),
    signing_chain_id: count,
  }),
  'GET /ready': object({ status: exactly('ready'), components: parts, 'degraded?': list(text) }),
  'GET /instruments': rpc(list(instrument)),
  'GET /instrument-specs': rpc(list(instrumentSpec)),
  'GET /markets': row(list(market)),
  'GET /orderbook': rpc(nullable(orderbook), {
    'error?': object({ code: exactly(13020), message: exactly('not_found') }),
  }),
  'GET /options-summary': rpc(list(summary)),
  'GET /fees': bare({
    enabled: flag,
    ...schedule,
    builder: object({ share: decimal }),
    'applied?': object({ wallet: address, tier: oneOf(tierNames), ...schedule }),
  }),
  'GET /trades': rows(trade),
  'GET /trades/': row(trade),
  'GET /historical-theos': data(series),
  'GET /historical-theos/batch': data(mapOf(series)),
}

/** GET /ready while it is not. */
export const notReady = object({
  status: exactly('not_ready'),
  message: text,
  components: parts,
})
