import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import { listAnswer } from '../../wire/answers.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { fills } from './history-tables.js'
import { type HistoryRoute, newestFirst, withInstrument } from './select.js'
import { type Row, selected } from './table.js'

interface FillRecord extends Row<typeof fills> {
  readonly symbol: string
}

const fillQuery = `select ${selected(fills, 'f')}, i.symbol from fills f ${withInstrument} = f.instrument`

/** GET /fills. */
export const fillsRoute: HistoryRoute = route(
  historyEndpoints['GET /fills'],
  ({ wallet, ...page }, source) => {
    const ofWallet = ['f.wallet = ?', wallet] as const
    const rows = newestFirst<FillRecord>(source, fillQuery, [ofWallet], 'f.fill_id', page)
    return listAnswer(rows.map(fillRow), page, source.seq)
  },
)

/** A row of GET /fills. */
export type FillRow = ReturnType<typeof fillRow>

function fillRow(fill: FillRecord) {
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
