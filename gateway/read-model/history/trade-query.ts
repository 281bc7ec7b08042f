import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { type Answer, Envelope, listAnswer, refusedAnswer, rowAnswer } from '../../wire/answers.js'
import { historyEndpoints, tradePath } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { trades } from './history-tables.js'
import {
  type Condition,
  type HistoryRoute,
  type HistorySource,
  integerText,
  newestFirst,
  ofInstrument,
  refuseNoInstrument,
  withInstrument,
} from './select.js'
import { type Row, selected } from './table.js'

interface TradeRecord extends Row<typeof trades> {
  readonly symbol: string
}

// An index that no trade has: -1 is that of a trade whose underlying was not known yet.
const noUnderlying = -2

const columns = `select ${selected(trades, 't')}, i.symbol`
const tradeQuery = `${columns} from trades t ${withInstrument} = t.instrument`
// A wallet's fills name its trades once each: self-trades do not exist. So its index serves here
// too.
const accountTradeQuery =
  `${columns} from fills f join trades t on t.trade_id = f.trade_id ` +
  `${withInstrument} = t.instrument`

/** GET /trades: newest first, or ascending behind an id. */
export const tradesRoute: HistoryRoute = route(
  historyEndpoints['GET /trades'],
  (read, source) => {
    const { after_trade_id: afterTradeId, option_id, underlying, account, ...page } = read
    if (afterTradeId !== null) return tradesAfter(afterTradeId, page.limit, source)
    const conditions: Condition[] = []
    if (account !== null) conditions.push(['f.wallet = ?', account.toLowerCase()])
    conditions.push(...ofInstrument('t.instrument', option_id, source))
    if (underlying !== null) {
      conditions.push(['t.underlying_index = ?', underlyingIndexOf(underlying, source)])
    }
    const [from, column] =
      account === null ? [tradeQuery, 't.trade_id'] : [accountTradeQuery, 'f.fill_id']
    const rows = newestFirst<TradeRecord>(source, from, conditions, column, page)
    return listAnswer(rows.map(tradeRow), page, source.seq)
  },
  ({ after_trade_id, option_id }, query) => {
    refuseNoInstrument(query, 'option_id', option_id)
    query.optionalWallet('account')
    const others = ['offset', 'option_id', 'symbol', 'underlying', 'account']
    if (after_trade_id !== null && others.some((name) => query.has(name))) {
      const message = 'after_trade_id cannot be combined with offset or a filter'
      query.refuse(Result.InvalidParameter, message)
    }
  },
)

function tradesAfter(tradeId: number, limit: number, { seq, select }: HistorySource): Answer {
  const sql = `${tradeQuery} where t.trade_id > ? order by t.trade_id limit ?`
  const rows = select<TradeRecord>(sql, [tradeId, limit])
  return listAnswer(rows.map(tradeRow), { limit, offset: 0 }, seq)
}

/** GET /trades/:id. */
export function tradeRoute(path: string): HistoryRoute {
  const id = path.slice(tradePath.length)
  return route(historyEndpoints[`GET ${tradePath}`], (_, { seq, select }: HistorySource) => {
    const found = integerText.test(id)
      ? select<TradeRecord>(`${tradeQuery} where t.trade_id = ?`, [Number(id)])[0]
      : undefined
    return found === undefined ? notFound(`no trade ${id}`) : rowAnswer(tradeRow(found), seq)
  })
}

export function notFound(message: string): Answer {
  return refusedAnswer(Envelope.Success, { result: Result.NotFound, message })
}

function underlyingIndexOf(name: string, { select }: HistorySource): number {
  const sql = 'select underlying_index as number from instruments where underlying = ? limit 1'
  return select<{ number: number }>(sql, [name])[0]?.number ?? noUnderlying
}

/** A row of GET /trades. */
export type TradeRow = ReturnType<typeof tradeRow>

function tradeRow(trade: TradeRecord) {
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
