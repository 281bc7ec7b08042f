import {
  deliveryStatusNames,
  directiveActionNames,
  domainStatusNames,
  optionTifNames,
  orderStatusNames,
  selfTradeModeNames,
  sideNames,
  tierNames,
} from '../../../schemas/domain.js'
import { rateCategoryNames } from '../../limits/rate-windows.js'
import { theoIntervalMillis } from '../../wire/parameters.js'
import { transferStatuses, transferTypes } from '../../wire/read-endpoints.js'
import { reasonCode } from '../shapes/errors.js'
import {
  address,
  component,
  count,
  decimal,
  digest,
  exactly,
  flag,
  integer,
  iso,
  list,
  mapOf,
  millis,
  nonce,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  orderOfFill,
  seconds,
  seq,
  text,
  uuid,
} from '../shapes/shape.js'
import { bare, cursorRows, data, row, rows } from './envelopes.js'
import { instrumentType, marginMode, maybeDecimal } from './risk-answers.js'
import { whyAnswer } from './why-answer.js'

// Answers about one wallet: its orders and fills, its money and its settings.

const maybeCount = nullable(count)

/** The tif of an order; one that only adds liquidity has another field. */
export const tifFields = {
  'tif?': oneOf(optionTifNames),
  'add_liquidity_only?': exactly(true),
}

export const fillSource = component(
  'FillSource',
  object({
    type: oneOf(['orderbook', 'rfq']),
    'rfq_id?': uuid,
    'quote_id?': uuid,
  }),
)

const order = component(
  'Order',
  object({
    order_id: count,
    wallet_address: address,
    symbol: text,
    side: oneOf(sideNames),
    price: decimal,
    size: decimal,
    ...tifFields,
    status: oneOf(orderStatusNames.map((name) => name.toLowerCase())),
    created_at: millis,
    updated_at: iso,
    filled_size: decimal,
    client_id: nullable(text),
    reduce_only: flag,
    mmp_enabled: flag,
    instrument_type: instrumentType,
    reason: nullable(text),
    reason_code: nullable(reasonCode),
    avg_fill_price: maybeDecimal,
  }),
)

const fill = component(
  'Fill',
  object({
    fill_id: count,
    trade_id: count,
    order_id: orderOfFill,
    wallet_address: address,
    symbol: text,
    side: oneOf(sideNames),
    price: decimal,
    size: decimal,
    fee: decimal,
    is_taker: flag,
    timestamp: millis,
    created_at: iso,
    builder_code_address: nullable(address),
    builder_code_fee: maybeDecimal,
    realized_pnl: decimal,
    explorer_url: nothing,
    instrument_type: instrumentType,
    fill_source: fillSource,
  }),
)

/** Payout of an expiry. */
export const settled = {
  position_size: decimal,
  settlement_price: decimal,
  settlement_value: decimal,
  settlement_entry_price: decimal,
  cost_basis: decimal,
  net_pnl: decimal,
}
export const settledCosts = { underlying_price: decimal, fee: decimal, borne: decimal }

const payout = component(
  'SettlementPayout',
  object({
    id: count,
    wallet: address,
    symbol: text,
    expiry_ts: seconds,
    ...settled,
    ledger_applied: flag,
    is_seen: flag,
    created_at: millis,
    ...settledCosts,
  }),
)

/** A wallet's tier, and its limits; -1 is unlimited. */
export const userTier = component(
  'UserTier',
  object({
    wallet_address: address,
    tier: oneOf(tierNames),
    limits: object({
      max_open_orders: integer,
      max_open_positions: integer,
      orders_per_minute: integer,
      cancels_per_minute: integer,
      api_requests_per_minute: integer,
    }),
  }),
)

export const mmpConfig = component(
  'MmpConfig',
  object({
    wallet_address: address,
    currency: text,
    interval_ms: count,
    frozen_time_ms: count,
    qty_limit: maybeDecimal,
    delta_limit: maybeDecimal,
    vega_limit: maybeDecimal,
    enabled: flag,
    nonce,
    frozen: flag,
    frozen_until_ms: nullable(millis),
    window: object({ qty: decimal, delta: decimal, vega: decimal }),
  }),
)

export const selfTradeMode = object({ wallet: address, mode: oneOf(selfTradeModeNames) })

const historicalPnl = data(
  object({
    wallet_address: address,
    interval: oneOf(Object.keys(theoIntervalMillis)),
    points: list(
      object({
        timestamp: millis,
        equity: decimal,
        net_deposits: decimal,
        'attribution?': mapOf(list(number)),
      }),
    ),
  }),
)

const profile = object({
  wallet: address,
  account_wallet: address,
  username: { ...text, deprecated: true, description: 'Ask GET /username' },
  account_first_seen_ts_ms: nullable(millis),
  account_age_days: maybeCount,
  margin: object({
    in_use: decimal,
    available: decimal,
    total: decimal,
    deposits: decimal,
    withdraws: decimal,
  }),
  pnl: object({ unrealized: decimal, pnl_24h: decimal, lifetime_realized: decimal }),
})

const rateWindow = object({
  category: oneOf(rateCategoryNames),
  limit: integer,
  remaining: integer,
  reset: seconds,
})
/** Rate-limit windows of a wallet; -1 is unlimited. */
export const rateLimits = {
  wallet: address,
  tier: oneOf(tierNames),
  windows: list(rateWindow),
  reads: rateWindow,
}

const orderOutcome = object({
  status: oneOf(orderStatusNames),
  order_id: maybeCount,
  symbol: text,
  side: oneOf(sideNames),
  price: decimal,
  size: decimal,
  filled_size: decimal,
  client_id: nullable(text),
  reason: nullable(text),
  reason_code: nullable(reasonCode),
  mmp_triggered: flag,
})
const otherOutcome = object({
  'canceled?': count,
  'fires_at?': nullable(millis),
  'balance_after?': decimal,
  'previous_mode?': marginMode,
  'status?': text,
  'fill_id?': text,
})

const withdrawal = {
  directive_id: uuid,
  action_key: oneOf(directiveActionNames),
  domain_status: oneOf(domainStatusNames),
  delivery_status: oneOf(deliveryStatusNames),
  tx_hash: nullable(text),
  created_at: iso,
}
const directive = component('Directive', object(withdrawal))

const transfer = object({
  id: text,
  transaction_type: oneOf(transferTypes),
  subtype: text,
  asset_type: exactly('token'),
  asset_symbol: exactly('USDC'),
  amount: decimal,
  status: oneOf(transferStatuses),
  domain_status: nullable(oneOf(domainStatusNames)),
  delivery_status: nullable(oneOf(deliveryStatusNames)),
  tx_hash: nullable(text),
  tx_hash_type: text,
  created_at: iso,
})

export const referralCode = { code: text, owner_wallet: address, created_at: iso }

/** Answers by method and path. */
export const accountAnswers = {
  'GET /authorized-agents': bare({
    agents: list(address),
    api_wallets: list(object({ name: text, address })),
  }),
  'GET /user-tier': data(userTier),
  'GET /username': bare({ wallet_address: address, username: text }),
  'GET /profile': data(profile),
  'GET /profile/realized-pnl': data(
    list(object({ symbol: text, realized_pnl: decimal, event_count: count })),
  ),
  'GET /self-trade-prevention': data(selfTradeMode),
  'GET /mmp-config': data(list(mmpConfig)),
  'GET /orders': rows(order),
  'GET /orders/status': row(nullable(order)),
  'GET /fills': rows(fill),
  'GET /profile/trades': rows(fill),
  'GET /profile/historical-pnl': historicalPnl,
  'GET /historical-pnl': historicalPnl,
  'GET /settlement-payouts': rows(payout),
  'GET /referrals/binding': bare({ referred_wallet: address, referrer_wallet: nullable(address) }),
  'GET /referrals/code': nullable(bare(referralCode)),
  'GET /referrals/code/': bare(referralCode),
  'GET /referrals/referred': bare({
    referrer_wallet: address,
    data: list(object({ referred_wallet: address, volume_usd: decimal })),
    pagination: object({ limit: count, offset: count, count }),
  }),
  'GET /v1/withdrawals': bare({ withdrawals: list(directive) }),
  'GET /v1/directives/': bare(withdrawal),
  'GET /v1/transfers': cursorRows(transfer),
  'GET /rate-limits': data(object(rateLimits)),
  'GET /orders/why': whyAnswer,
  'GET /actions/outcome': data(
    object({
      wallet: address,
      digest,
      status: oneOf(['accepted', 'in_flight', 'unknown']),
      action: nullable(text),
      nonce: nullable(nonce),
      timestamp: nullable(millis),
      seq: nullable(seq),
      outcome: nullable({ anyOf: [orderOutcome, otherOutcome] }),
      kept: object({ count, max: count, oldest_ms: nullable(millis), is_complete: flag }),
    }),
  ),
}
