import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { isUnderlying } from '../../../schemas/symbol.js'
import { tradePath } from '../../endpoints/read-endpoints.js'
import { type Answer, Envelope, listAnswer, refusedAnswer, rowAnswer } from '../../wire/answers.js'
import type { JsonOf } from '../../wire/json-text.js'
import { route } from '../../wire/route.js'
import type { TradeRow } from '../../wire/wire-types.js'
import { trades } from './history-tables.js'
import {
  type Condition,
  type HistoryRoute,
  type HistorySource,
  integerText,
  isOneOf,
  namedInstruments,
  newestFirst,
  pageOf,
  withInstrument,
} from './select.js'
import { type Row, selected } from './table.js'

interface TradeRecord extends Row<typeof trades> {
  readonly symbol: string
}

// An index that no trade has: -1 is that of a trade whose underlying was not known yet.
const noUnderlying = -2
const limitMax = 500
const limitDefault = 100

const columns = `select ${selected(trades, 't')}, i.symbol`
const tradeQuery = `${columns} from trades t ${withInstrument} = t.instrument`
// A wallet's fills name its trades once each: self-trades do not exist. So its index serves here
// too.
const accountTradeQuery =
  `${columns} from fills f join trades t on t.trade_id = f.trade_id ` +
  `${withInstrument} = t.instrument`

/** GET /trades: newest first, or ascending behind an id. */
export const tradesRoute: HistoryRoute = route(
  Envelope.Success,
  (query, source) => {
    const afterTradeId = query.integer(['after_trade_id'], 0, Number.MAX_SAFE_INTEGER, null)
    const page = pageOf(query, limitMax, limitDefault)
    const option = query.text('option_id', 'symbol')
    const underlying = query.text('underlying')
    if (underlying !== null && !isUnderlying(underlying)) {
      query.refuse(Result.InvalidParameter, 'underlying is no name')
    }
    const instruments = namedInstruments(query, source, 'option_id', option)
    const account = query.optionalWallet('account')
    const others = ['offset', 'option_id', 'symbol', 'underlying', 'account']
    if (afterTradeId !== null && others.some((name) => query.has(name))) {
      const message = 'after_trade_id cannot be combined with offset or a filter'
      query.refuse(Result.InvalidParameter, message)
    }
    return { afterTradeId, page, instruments, underlying, account }
  },
  ({ afterTradeId, page, instruments, underlying, account }, source) => {
    if (afterTradeId !== null) return tradesAfter(afterTradeId, page.limit, source)
    const conditions: Condition[] = []
    if (account !== null) conditions.push(['f.wallet = ?', account])
    if (instruments !== null) conditions.push(isOneOf('t.instrument', instruments))
    if (underlying !== null) {
      conditions.push(['t.underlying_index = ?', underlyingIndexOf(underlying, source)])
    }
    const [from, column] =
      account === null ? [tradeQuery, 't.trade_id'] : [accountTradeQuery, 'f.fill_id']
    const rows = newestFirst<TradeRecord>(source, from, conditions, column, page)
    return listAnswer(rows.map(tradeRow), page, source.seq)
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
  return route(
    Envelope.Success,
    () => {},
    (_, { seq, select }) => {
      const found = integerText.test(id)
        ? select<TradeRecord>(`${tradeQuery} where t.trade_id = ?`, [Number(id)])[0]
        : undefined
      return found === undefined ? notFound(`no trade ${id}`) : rowAnswer(tradeRow(found), seq)
    },
  )
}

export function notFound(message: string): Answer {
  return refusedAnswer(Envelope.Success, { result: Result.NotFound, message })
}

function underlyingIndexOf(name: string, { select }: HistorySource): number {
  const sql = 'select underlying_index as number from instruments where underlying = ? limit 1'
  return select<{ number: number }>(sql, [name])[0]?.number ?? noUnderlying
}

function tradeRow(trade: TradeRecord): JsonOf<TradeRow> {
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
