import { mulDivHalfEven } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { OrderFlag, orderStatusNames, sideNames, Tif, tifNames } from '../../../schemas/domain.js'
import { type Result, resultRows, resultText } from '../../../schemas/results.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import type { JsonValue } from '../json-text.js'
import type { fills, orders, payouts, trades } from './history-tables.js'
import type { Row } from './table.js'

// Every row carries its instrument's symbol.
type WithSymbol = { readonly symbol: string }
export type OrderRecord = Row<typeof orders> & WithSymbol & { readonly underlying: string }
export type FillRecord = Row<typeof fills> & WithSymbol
export type TradeRecord = Row<typeof trades> & WithSymbol
export type PayoutRecord = Row<typeof payouts> & WithSymbol & { readonly expiryMillis: number }

/** Order row of GET /orders. */
export function orderRow(order: OrderRecord): JsonValue {
  const filledLots = order.filledLots
  return {
    order_id: order.orderId,
    wallet_address: order.wallet,
    symbol: order.symbol,
    side: sideNames[order.side],
    price: formatMicros(order.priceMicros),
    size: formatLots(order.sizeLots),
    ...tifTexts(order.tif),
    status: orderStatusNames[order.status].toLowerCase(),
    created_at: order.createdMillis,
    updated_at: new Date(order.updatedMillis).toISOString(),
    filled_size: formatLots(order.filledLots),
    client_id: order.clientId === '' ? null : order.clientId,
    reduce_only: (order.flags & OrderFlag.ReduceOnly) !== 0,
    mmp_enabled: (order.flags & OrderFlag.MmpEnabled) !== 0,
    instrument_type: instrumentTypeOf(order.symbol),
    reason: reasonOf(order),
    reason_code: resultRows[order.result as Result].code,
    avg_fill_price: filledLots === 0 ? null : averagePrice(order.filledMicros, filledLots),
  }
}

/** Fill row of GET /fills. */
export function fillRow(fill: FillRecord): JsonValue {
  return {
    fill_id: fill.fillId,
    trade_id: fill.tradeId,
    order_id: fill.orderId,
    wallet_address: fill.wallet,
    symbol: fill.symbol,
    side: sideNames[fill.side],
    price: formatMicros(fill.priceMicros),
    size: formatLots(fill.sizeLots),
    fee: formatMicros(fill.feeMicros),
    is_taker: fill.isTaker !== 0,
    timestamp: fill.millis,
    created_at: new Date(fill.millis).toISOString(),
    builder_code_address: fill.builder,
    builder_code_fee: fill.builder === null ? null : formatMicros(fill.builderFeeMicros),
    realized_pnl: formatMicros(fill.realizedMicros),
    explorer_url: null,
    instrument_type: instrumentTypeOf(fill.symbol),
  }
}

/** Trade row of GET /trades. */
export function tradeRow(trade: TradeRecord): JsonValue {
  return {
    trade_id: trade.tradeId,
    symbol: trade.symbol,
    price: formatMicros(trade.priceMicros),
    size: formatLots(trade.sizeLots),
    taker_side: sideNames[trade.takerSide],
    maker_address: trade.maker,
    taker_address: trade.taker,
    maker_fee: formatMicros(trade.makerFeeMicros),
    taker_fee: formatMicros(trade.takerFeeMicros),
    timestamp: trade.millis,
    created_at: new Date(trade.millis).toISOString(),
  }
}

/** Payout row of GET /settlement-payouts; every payout is in the cash when it is told. */
export function payoutRow(payout: PayoutRecord): JsonValue {
  const { costMicros, positionLots: lots, valueMicros } = payout
  return {
    id: payout.payoutId,
    wallet: payout.wallet,
    symbol: payout.symbol,
    expiry_ts: payout.expiryMillis / 1000,
    position_size: formatLots(lots),
    settlement_price: formatMicros(payout.payoffMicros),
    settlement_value: formatMicros(valueMicros),
    settlement_entry_price: averagePrice(Math.abs(costMicros), Math.abs(lots)),
    cost_basis: formatMicros(costMicros),
    net_pnl: formatMicros(valueMicros - costMicros),
    ledger_applied: true,
    is_seen: payout.isSeen !== 0,
    created_at: payout.millis,
    underlying_price: formatMicros(payout.priceMicros),
    fee: formatMicros(payout.feeMicros),
    borne: formatMicros(payout.borneMicros),
  }
}

/** An order that only adds liquidity has no `tif` that public clients know. */
function tifTexts(tif: number): Readonly<Record<string, JsonValue>> {
  return tif === Tif.Alo ? { add_liquidity_only: true } : { tif: tifNames[tif]! }
}

function reasonOf(order: OrderRecord): string | null {
  const { symbol, underlying } = order
  const ids = { client_id: order.clientId, order_id: String(order.orderId) }
  if (order.result >= 0) return null
  const text = resultText(order.result as Result, { symbol, underlying, ...ids })
  return text === '' ? null : text
}

function averagePrice(filledMicros: number, filledLots: number): string {
  return formatMicros(mulDivHalfEven(filledMicros, lotsPerContract, filledLots))
}
