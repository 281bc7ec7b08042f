import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { type Answer, Envelope, refusedAnswer, rowAnswer } from '../../wire/answers.js'
import { historyEndpoints, tradePath } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { trades } from './history-tables.js'
import {
  firstShown,
  type HistoryRoute,
  type HistorySource,
  integerText,
  ofInstrument,
  pageAnswer,
  query,
  refuseNoInstrument,
  type WithInstrument,
  whereGiven,
} from './select.js'

// An index that no trade has: -1 is that of a trade whose underlying was not known yet.
const noUnderlying = -2

const tradeQuery = query(trades, ['symbol'], tradeRow)
// A wallet's fills name its trades once each: self-trades do not exist. So its index serves here
// too.
const accountTradeQuery = {
  ...tradeQuery,
  from: `fills join ${tradeQuery.from} and trades.trade_id = fills.trade_id`,
  order: 'fills.fill_id desc',
}

/** GET /trades: newest first, or ascending behind an id. */
export const tradesRoute: HistoryRoute = route(
  historyEndpoints['GET /trades'],
  (read, source) => {
    const { after_trade_id: afterTradeId, option_id, underlying, account, ...page } = read
    if (afterTradeId !== null) {
      const ascending = { ...tradeQuery, order: 'trades.trade_id' }
      const after = ['trades.trade_id > ?', afterTradeId] as const
      return pageAnswer(source, ascending, [after], { limit: page.limit, offset: 0 })
    }
    const index = underlying === null ? null : underlyingIndexOf(underlying, source)
    const conditions = [
      ...whereGiven('fills.wallet = ?', account?.toLowerCase() ?? null),
      ...ofInstrument('trades.instrument', option_id, source),
      ...whereGiven('trades.underlying_index = ?', index),
    ]
    return pageAnswer(source, account === null ? tradeQuery : accountTradeQuery, conditions, page)
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

/** GET /trades/:id. */
export function tradeRoute(path: string): HistoryRoute {
  const id = path.slice(tradePath.length)
  return route(historyEndpoints[`GET ${tradePath}`], (_, source: HistorySource) => {
    const found = integerText.test(id)
      ? firstShown(source, tradeQuery, ['trades.trade_id = ?', Number(id)])
      : undefined
    return found === undefined ? notFound(`no trade ${id}`) : rowAnswer(found, source.seq)
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

function tradeRow(trade: WithInstrument<typeof trades, 'symbol'>) {
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
