import { mulDivHalfEven } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { OrderFlag, orderStatusNames, sideNames, Tif, tifNames } from '../../../schemas/domain.js'
import { type Result, resultRows, resultText } from '../../../schemas/results.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import type { JsonValue } from '../json-text.js'

/** Columns of the store as the queries select them; every row carries its instrument's symbol. */
export interface OrderRecord {
  readonly order_id: number
  readonly wallet: string
  readonly symbol: string
  readonly underlying: string
  readonly side: number
  readonly tif: number
  readonly flags: number
  readonly status: number
  readonly price_micros: number
  readonly size_lots: number
  readonly filled_lots: number
  readonly filled_micros: number
  readonly client_id: string
  readonly result: number
  readonly created_millis: number
  readonly updated_millis: number
}

export interface FillRecord {
  readonly fill_id: number
  readonly trade_id: number
  readonly order_id: number
  readonly wallet: string
  readonly symbol: string
  readonly side: number
  readonly price_micros: number
  readonly size_lots: number
  readonly fee_micros: number
  readonly realized_micros: number
  readonly is_taker: number
  readonly builder: string | null
  readonly builder_fee_micros: number
  readonly millis: number
}

export interface TradeRecord {
  readonly trade_id: number
  readonly symbol: string
  readonly price_micros: number
  readonly size_lots: number
  readonly taker_side: number
  readonly maker: string
  readonly taker: string
  readonly maker_fee_micros: number
  readonly taker_fee_micros: number
  readonly millis: number
}

export interface PayoutRecord {
  readonly payout_id: number
  readonly wallet: string
  readonly symbol: string
  readonly expiry_millis: number
  readonly position_lots: number
  readonly payoff_micros: number
  readonly value_micros: number
  readonly fee_micros: number
  readonly cost_micros: number
  readonly price_micros: number
  readonly is_seen: number
  readonly millis: number
  readonly borne_micros: number
}

/** Order row of GET /orders. */
export function orderRow(order: OrderRecord): JsonValue {
  const filledLots = order.filled_lots
  return {
    order_id: order.order_id,
    wallet_address: order.wallet,
    symbol: order.symbol,
    side: sideNames[order.side],
    price: formatMicros(order.price_micros),
    size: formatLots(order.size_lots),
    ...tifTexts(order.tif),
    status: orderStatusNames[order.status].toLowerCase(),
    created_at: order.created_millis,
    updated_at: new Date(order.updated_millis).toISOString(),
    filled_size: formatLots(order.filled_lots),
    client_id: order.client_id === '' ? null : order.client_id,
    reduce_only: (order.flags & OrderFlag.ReduceOnly) !== 0,
    mmp_enabled: (order.flags & OrderFlag.MmpEnabled) !== 0,
    instrument_type: instrumentTypeOf(order.symbol),
    reason: reasonOf(order),
    reason_code: resultRows[order.result as Result].code,
    avg_fill_price: filledLots === 0 ? null : averagePrice(order.filled_micros, filledLots),
  }
}

/** Fill row of GET /fills. */
export function fillRow(fill: FillRecord): JsonValue {
  return {
    fill_id: fill.fill_id,
    trade_id: fill.trade_id,
    order_id: fill.order_id,
    wallet_address: fill.wallet,
    symbol: fill.symbol,
    side: sideNames[fill.side],
    price: formatMicros(fill.price_micros),
    size: formatLots(fill.size_lots),
    fee: formatMicros(fill.fee_micros),
    is_taker: fill.is_taker !== 0,
    timestamp: fill.millis,
    created_at: new Date(fill.millis).toISOString(),
    builder_code_address: fill.builder,
    builder_code_fee: fill.builder === null ? null : formatMicros(fill.builder_fee_micros),
    realized_pnl: formatMicros(fill.realized_micros),
    explorer_url: null,
    instrument_type: instrumentTypeOf(fill.symbol),
  }
}

/** Trade row of GET /trades. */
export function tradeRow(trade: TradeRecord): JsonValue {
  return {
    trade_id: trade.trade_id,
    symbol: trade.symbol,
    price: formatMicros(trade.price_micros),
    size: formatLots(trade.size_lots),
    taker_side: sideNames[trade.taker_side],
    maker_address: trade.maker,
    taker_address: trade.taker,
    maker_fee: formatMicros(trade.maker_fee_micros),
    taker_fee: formatMicros(trade.taker_fee_micros),
    timestamp: trade.millis,
    created_at: new Date(trade.millis).toISOString(),
  }
}

/** Payout row of GET /settlement-payouts; every payout is in the cash when it is told. */
export function payoutRow(payout: PayoutRecord): JsonValue {
  const { cost_micros: costMicros, position_lots: lots, value_micros: valueMicros } = payout
  return {
    id: payout.payout_id,
    wallet: payout.wallet,
    symbol: payout.symbol,
    expiry_ts: payout.expiry_millis / 1000,
    position_size: formatLots(lots),
    settlement_price: formatMicros(payout.payoff_micros),
    settlement_value: formatMicros(valueMicros),
    settlement_entry_price: averagePrice(Math.abs(costMicros), Math.abs(lots)),
    cost_basis: formatMicros(costMicros),
    net_pnl: formatMicros(valueMicros - costMicros),
    ledger_applied: true,
    is_seen: payout.is_seen !== 0,
    created_at: payout.millis,
    underlying_price: formatMicros(payout.price_micros),
    fee: formatMicros(payout.fee_micros),
    borne: formatMicros(payout.borne_micros),
  }
}

/** An order that only adds liquidity has no `tif` that public clients know. */
function tifTexts(tif: number): Readonly<Record<string, JsonValue>> {
  return tif === Tif.Alo ? { add_liquidity_only: true } : { tif: tifNames[tif]! }
}

function reasonOf(order: OrderRecord): string | null {
  const { symbol, underlying, client_id } = order
  const values = { symbol, underlying, client_id, order_id: String(order.order_id) }
  if (order.result >= 0) return null
  const text = resultText(order.result as Result, values)
  return text === '' ? null : text
}

function averagePrice(filledMicros: number, filledLots: number): string {
  return formatMicros(mulDivHalfEven(filledMicros, lotsPerContract, filledLots))
}
