import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { fills } from './history-tables.js'
import { type HistoryRoute, pageAnswer, query, type WithInstrument } from './select.js'

const fillQuery = query(fills, ['symbol'], fillRow)

/** GET /fills. */
export const fillsRoute: HistoryRoute = route(
  historyEndpoints['GET /fills'],
  ({ wallet, ...page }, source) =>
    pageAnswer(source, fillQuery, [['fills.wallet = ?', wallet]], page),
)

/** A row of GET /fills. */
export type FillRow = ReturnType<typeof fillRow>

function fillRow(fill: WithInstrument<typeof fills, 'symbol'>) {
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
