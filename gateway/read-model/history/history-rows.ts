import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { OrderFlag, orderStatusNames, sideNames, tifNames } from '../../../schemas/domain.js'
import type { SettlementPayout } from '../../../schemas/interface/account.js'
import type { Trade } from '../../../schemas/interface/market.js'
import type { Fill, Order } from '../../../schemas/interface/orders.js'
import type { Liquidation } from '../../../schemas/interface/risk.js'
import {
  LiquidationMode,
  liquidationModeNames,
  liquidationStateNames,
} from '../../../schemas/record-values.js'
import { type Result, resultRows, resultText } from '../../../schemas/results.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import type { OrderStatusName } from '../../../schemas/wire-types.js'
import { auctionIdText, auctionRequestId } from '../../wire/auction-ids.js'
import { fillSourceOf, orderIdOfFill } from '../../wire/combo-fill.js'
import { tifFields } from '../../wire/tif-fields.js'
import { liquidationSummary } from '../texts/liquidation-text.js'
import { averagePrice, settledCosts, settledText } from '../texts/payout-text.js'
import { fills, liquidations, orders, payouts, trades } from './history-tables.js'
import { query, type WithInstrument } from './select.js'
import type { Row } from './table.js'

// Rows of history answers: their columns and field names.

type OrderRecord = WithInstrument<typeof orders, 'symbol' | 'underlying'>

export const orderQuery = query(orders, ['symbol', 'underlying'], orderRow)
export const fillQuery = query(fills, ['symbol'], fillRow)
export const tradeQuery = query(trades, ['symbol'], tradeRow)
export const payoutQuery = query(payouts, ['symbol', 'expiryMillis'], payoutRow)
export const liquidationQuery = query(liquidations, [], liquidationRow)

function orderRow(order: OrderRecord): Order {
  const filledLots = order.filledLots
  return {
    order_id: order.orderId,
    wallet_address: order.wallet,
    symbol: order.symbol,
    side: sideNames[order.side],
    price: formatMicros(order.priceMicros),
    size: formatLots(order.sizeLots),
    ...tifFields(tifNames[order.tif]!),
    status: orderStatusNames[order.status].toLowerCase() as Lowercase<OrderStatusName>,
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

function reasonOf(order: OrderRecord): string | null {
  const { symbol, underlying } = order
  const ids = { client_id: order.clientId, order_id: String(order.orderId) }
  if (order.result >= 0) return null
  const text = resultText(order.result as Result, { symbol, underlying, ...ids })
  return text === '' ? null : text
}

function fillRow(fill: WithInstrument<typeof fills, 'symbol'>): Fill {
  return {
    fill_id: fill.fillId,
    trade_id: fill.tradeId,
    order_id: orderIdOfFill(fill),
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
    fill_source: fillSourceOf(comboOfRow(fill)),
  }
}

function comboOfRow({ rfqId, quoteId }: Row<typeof fills>) {
  return rfqId === null || quoteId === null ? null : { rfqId, quoteId }
}

function tradeRow(trade: WithInstrument<typeof trades, 'symbol'>): Trade {
  return {
    trade_id: trade.tradeId,
    symbol: trade.symbol,
    price: formatMicros(trade.priceMicros),
    size: formatLots(trade.sizeLots),
    taker_side: sideNames[trade.takerSide],
    // With signed reads, wallets other than the requester are null.
    maker_address: trade.maker as string | null,
    taker_address: trade.taker as string | null,
    maker_fee: formatMicros(trade.makerFeeMicros),
    taker_fee: formatMicros(trade.takerFeeMicros),
    timestamp: trade.millis,
    created_at: new Date(trade.millis).toISOString(),
  }
}

/** Returns the row of a payout, which is credited before it is published. */
function payoutRow(
  payout: WithInstrument<typeof payouts, 'symbol' | 'expiryMillis'>,
): SettlementPayout {
  return {
    id: payout.payoutId,
    wallet: payout.wallet,
    symbol: payout.symbol,
    expiry_ts: payout.expiryMillis / 1000, // Unix seconds
    ...settledText(payout),
    ledger_applied: true,
    is_seen: payout.isSeen !== 0,
    created_at: payout.millis,
    ...settledCosts(payout),
  }
}

function liquidationRow(facts: Row<typeof liquidations>): Liquidation {
  const isAuction = facts.mode === LiquidationMode.Full || facts.beforeMode === LiquidationMode.Full
  const auction = isAuction ? facts.auction : 0
  return {
    id: facts.seq,
    wallet: facts.wallet,
    previous_state: liquidationStateNames[facts.beforeState]!,
    new_state: liquidationStateNames[facts.state]!,
    ...liquidationSummary(facts, facts.equityMicros, facts.mmMicros),
    auction_id: auctionIdText(auction),
    request_id: auctionRequestId(auction),
    tx_hash: null,
    margin_needed: isAuction ? formatMicros(facts.neededMicros) : null,
    winner_address: isAuction ? facts.winner : null,
    bonus: isAuction && facts.winner !== null ? formatMicros(facts.bonusMicros) : null,
    details: {
      previous_liquidation_mode: liquidationModeNames[facts.beforeMode] ?? null,
      insurance_paid: formatMicros(facts.insuranceMicros),
      deleveraged: formatMicros(facts.deleveragedMicros),
      shared: formatMicros(facts.sharedMicros),
      uncovered: formatMicros(facts.uncoveredMicros),
      fees_paid: formatMicros(facts.feeMicros),
    },
    timestamp: facts.millis,
  }
}
