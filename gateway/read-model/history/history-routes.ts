import { symbolCharsMax, theoSymbolsMax } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import type { Trade } from '../../../schemas/interface/market.js'
import type { OrderFilter, Parameters, ValuesOf } from '../../../schemas/interface/parameter.js'
import { rfqPath, tradePath } from '../../../schemas/interface/paths.js'
import type { ReadRow } from '../../../schemas/interface/read.js'
import { type HistoryReadKey, historyReads } from '../../../schemas/interface/reads.js'
import { Result } from '../../../schemas/results.js'
import {
  type Answer,
  bareAnswer,
  cursorAnswer,
  dataAnswer,
  listAnswer,
  type Page,
  rowAnswer,
} from '../../wire/answers.js'
import type { QueryReader } from '../../wire/query-reader.js'
import { route, routeBy } from '../../wire/route.js'
import { printable } from '../../wire/shown-text.js'
import { transfersOf, withdrawalsOf } from './directive-query.js'
import { fillQuery, liquidationQuery, orderQuery, payoutQuery, tradeQuery } from './history-rows.js'
import { fills, orders, tradeOfFill, trades, workingStatuses } from './history-tables.js'
import { fillIdsBetween, fillSources, pageOf, shownOfIds } from './id-queries.js'
import { idsOf, type ListKey, listedSources } from './id-sources.js'
import { notFound } from './not-found.js'
import { latestByClientId, orderSources } from './order-sources.js'
import { pointsOf } from './profit-points.js'
import { bindingAnswer, ownCodeAnswer, referredAnswer } from './referral-query.js'
import { rfqsOf } from './rfq-query.js'
import {
  type HistoryRoute,
  type HistorySource,
  instrumentIds,
  integerText,
  isAmong,
  isOneOf,
  pageAnswer,
  requireInstrument,
  shown,
  whereGiven,
} from './select.js'
import { rowsOfIds } from './stored-rows.js'
import { seriesOf, symbolOf } from './theo-query.js'

type ListEndpoint = Exclude<
  HistoryReadKey,
  'GET /trades/' | 'GET /rfq/' | 'GET /referrals/code/' | 'GET /v1/directives/'
>
type ReadOf<Key extends HistoryReadKey> = ValuesOf<(typeof historyReads)[Key]['query']>

/** Statuses by filter. `open` is every working order, filled in part or not. A rejected order has no row. */
const statusFilters: Readonly<Record<OrderFilter, readonly OrderStatus[]>> = {
  ACKED: [OrderStatus.Acked],
  OPEN: workingStatuses,
  PARTIALLY_FILLED: [OrderStatus.PartiallyFilled],
  FILLED: [OrderStatus.Filled],
  CANCELED: [OrderStatus.Canceled],
  CANCELLED: [OrderStatus.Canceled],
  REJECTED: [OrderStatus.Rejected],
}

/** Checks that go beyond the rules of single parameters. */
const checks: {
  readonly [Key in ListEndpoint]?: (read: ReadOf<Key>, query: QueryReader) => void
} = {
  'GET /orders/status': ({ order_id }, query) => {
    if (order_id === '') query.refuse(Result.InvalidParameter, 'order_id must not be empty')
  },
  'GET /settlement-payouts': ({ symbol }, query) => requireInstrument(query, 'symbol', symbol),
  'GET /profile/trades': ({ symbol }, query) => requireInstrument(query, 'symbol', symbol),
  'GET /trades': ({ after_trade_id, option_id }, query) => {
    requireInstrument(query, 'option_id', option_id)
    query.optionalWallet('account')
    const others = ['offset', 'option_id', 'symbol', 'underlying', 'account']
    if (after_trade_id !== null && others.some((name) => query.has(name))) {
      const message = 'after_trade_id cannot be combined with offset or a filter'
      query.refuse(Result.InvalidParameter, message)
    }
  },
  'GET /historical-theos': ({ instrument_name }, query) => {
    if (isName(instrument_name)) return
    const message = `instrument_name must be 1 to ${symbolCharsMax} characters`
    query.refuse(Result.InvalidParameter, message)
  },
  'GET /historical-theos/batch': ({ instrument_names }, query) => {
    const names = instrument_names.split(',')
    if (names.length <= theoSymbolsMax && names.every(isName)) return
    const message =
      `instrument_names must be 1 to ${theoSymbolsMax} symbols of 1 to ${symbolCharsMax} characters, separated by ` +
      `commas`
    query.refuse(Result.InvalidParameter, message)
  },
}

const answers: {
  readonly [Key in ListEndpoint]: (read: ReadOf<Key>, source: HistorySource) => Answer
} = {
  'GET /orders': ({ wallet, status, ...page }, source) => {
    const statuses = status === null ? null : statusFilters[status]
    const ids = pageOf(source, orders, orderSources(source.select, wallet, statuses), page)
    return listAnswer(shownOfIds(source, orderQuery, ids), page, source.seq)
  },

  /** Finds an order by exchange id, or else the latest with this client id. */
  'GET /orders/status': ({ wallet, order_id: id }, source) => {
    const { select, seq } = source
    const [known] = integerText.test(id) ? rowsOfIds(select, orders, [Number(id)]) : []
    const found = known?.wallet === wallet ? known : latestByClientId(select, wallet, id)
    const [row] = found === null ? [] : shownOfIds(source, orderQuery, [found.orderId])
    return rowAnswer(row ?? null, seq)
  },

  'GET /fills': ({ wallet, ...page }, source) => {
    const ids = pageOf(source, fills, fillSources(source, wallet), page)
    return listAnswer(shownOfIds(source, fillQuery, ids), page, source.seq)
  },

  'GET /profile/trades': ({ wallet, symbol, from_ts_ms, to_ts_ms, ...page }, source) => {
    const span = fillIdsBetween(source, from_ts_ms, to_ts_ms)
    const keys = symbol === null ? undefined : instrumentKeys(symbol, null, source)
    const sources = fillSources(source, wallet, keys, span)
    const ids = pageOf(source, fills, sources, page, span)
    return listAnswer(shownOfIds(source, fillQuery, ids), page, source.seq)
  },
  'GET /profile/historical-pnl': historicalPnl,
  'GET /historical-pnl': historicalPnl,

  'GET /settlement-payouts': ({ wallet, symbol, ledger_applied: isApplied, ...page }, source) => {
    // Payouts are credited before they are published, so none is unapplied.
    if (!isApplied) return listAnswer([], page, source.seq)
    const ids = instrumentIds(symbol, source)
    const named = ids === null ? [] : [isOneOf('payouts.instrument', ids)]
    return pageAnswer(source, payoutQuery, [['wallet = ?', wallet], ...named], page)
  },

  /** Newest first, or ascending after an id. */
  'GET /trades': (read, source) => {
    const { after_trade_id: afterTradeId, option_id, underlying, account, ...page } = read
    if (afterTradeId !== null) {
      const rows = visibleTo(null, tradesAfter(afterTradeId, page.limit, source), source)
      return listAnswer(rows, { limit: page.limit, offset: 0 }, source.seq)
    }
    const keys = tradeKeys(option_id, underlying, source)
    const requester = account?.toLowerCase() ?? null
    const found =
      requester === null
        ? tradesOf(keys, page, source)
        : tradesOfFills(requester, keys, page, source)
    const rows = visibleTo(requester, shownOfIds(source, tradeQuery, found), source)
    return listAnswer(rows, page, source.seq)
  },

  'GET /historical-theos': ({ instrument_name: name, interval, limit }, { seq, select }) =>
    dataAnswer(seriesOf(name, interval, limit, select), seq),

  /** Series by canonical symbol, so names of one instrument share a series. The limit counts the names given. */
  'GET /historical-theos/batch': (read, { seq, select }) => {
    const { instrument_names: names, interval, limit } = read
    const symbols = [...new Set(names.split(',').map(symbolOf))]
    const series = symbols.map(
      (symbol) => [symbol, seriesOf(symbol, interval, limit, select)] as const,
    )
    return dataAnswer(Object.fromEntries(series), seq)
  },

  /** State changes of all wallets or one, newest first, by cursor. */
  'GET /liquidations': (
    { wallet, status, margin_mode, liquidation_mode, limit, cursor },
    source,
  ) => {
    const conditions = [
      ...whereGiven('wallet = ?', wallet),
      ...whereGiven('state = ?', status),
      ...whereGiven('margin_mode = ?', margin_mode),
      ...whereGiven('mode = ?', liquidation_mode),
      ...whereGiven('seq < ?', cursor),
    ]
    // Reads one more row than requested, to detect a further page.
    const page = { limit: limit + 1, offset: 0 }
    const rows = shown(source, liquidationQuery, conditions, page)
    const next = rows.length > limit ? String(rows[limit - 1]!.id) : null
    return cursorAnswer(rows.slice(0, limit), limit, next, source.seq)
  },

  /** State changes of one wallet, newest first, by offset. */
  'GET /liquidation/history': ({ wallet, ...page }, source) =>
    pageAnswer(source, liquidationQuery, [['wallet = ?', wallet]], page, { error: null }),

  'GET /rfq': ({ wallet, status, ...page }, source) => {
    const conditions = [['wallet = ?', wallet] as const, ...whereGiven('status = ?', status)]
    return bareAnswer({ rfqs: rfqsOf(source, conditions, page, wallet) }, source.seq)
  },

  'GET /referrals/binding': ({ wallet }, source) => bindingAnswer(wallet, source),
  'GET /referrals/code': ({ wallet }, source) => ownCodeAnswer(wallet, source),
  'GET /referrals/referred': ({ wallet, ...page }, source) => referredAnswer(wallet, page, source),
  'GET /v1/withdrawals': ({ wallet, limit }, source) =>
    bareAnswer({ withdrawals: withdrawalsOf(source, wallet, limit) }, source.seq),

  'GET /v1/transfers': (read, source) => {
    const { limit } = read
    // Reads one more row than requested, to detect a further page.
    const rows = transfersOf(source, { ...read, limit: limit + 1 })
    const last = rows.length > limit ? rows[limit - 1]! : null
    const next = last === null ? null : `${last.seq}.${last.row.id}`
    const shownRows = rows.slice(0, limit).map(({ row }) => row)
    return cursorAnswer(shownRows, limit, next, source.seq)
  },
}

/** Routes by endpoint. */
export const historyRoutes = Object.fromEntries(
  Object.keys(answers).map((name) => {
    const key = name as ListEndpoint
    const endpoint: ReadRow<Parameters> = historyReads[key]
    // The answer and the check of a key take the values of its own parameters.
    return [key, route(endpoint, answers[key] as never, checks[key] as never)]
  }),
) as Readonly<Record<ListEndpoint, HistoryRoute>>

/** Answers with the number of the given payouts that belong to the wallet. Checks a request that names them. */
export const payoutsOwnedRoute: HistoryRoute = routeBy(
  Envelope.Success,
  (query) => ({ wallet: query.wallet(), ids: query.text('ids') ?? '' }),
  ({ wallet, ids }, { seq, select }) => {
    const [named, ...values] = isOneOf('payout_id', [...new Set(ids.split(',').map(Number))])
    const sql = `select count(*) as count from payouts where wallet = ? and ${named}`
    return rowAnswer(select<{ count: number }>(sql, [wallet, ...values])[0]!.count, seq)
  },
)

/** Answers with the net premium of a quote, which the taker's acceptance signs. */
export const quotePremiumRoute: HistoryRoute = routeBy(
  Envelope.Success,
  (query) => [query.requiredText('quote_id'), query.requiredText('rfq_id')] as const,
  (ids, { seq, select }) => {
    const sql =
      'select net_premium_micros as micros from rfq_quotes where quote_id = ? and rfq_id = ?'
    return rowAnswer(select<{ micros: number }>(sql, ids)[0]?.micros ?? null, seq)
  },
)

/** Answers with one order of any wallet. */
export const orderRowRoute: HistoryRoute = routeBy(
  Envelope.Success,
  (query) => Number(query.requiredText('order_id')),
  (id, source: HistorySource) =>
    rowAnswer(shownOfIds(source, orderQuery, [id])[0] ?? null, source.seq),
)

/** Returns the route GET /trades/:id. */
export function tradeRoute(path: string): HistoryRoute {
  const id = path.slice(tradePath.length)
  return route(historyReads[`GET ${tradePath}`], (_, source: HistorySource) => {
    const rows = integerText.test(id) ? shownOfIds(source, tradeQuery, [Number(id)]) : []
    const [found] = visibleTo(null, rows, source)
    return found === undefined
      ? notFound(`no trade ${printable(id)}`)
      : rowAnswer(found, source.seq)
  })
}

/** Returns the route GET /rfq/:id. Ids are no secret, so with signed reads only the taker can read an RFQ by id. */
export function rfqRoute(path: string): HistoryRoute {
  const id = path.slice(rfqPath.length).toLowerCase()
  return route(historyReads[`GET ${rfqPath}`], ({ wallet }, source: HistorySource) => {
    const own = source.hidesWallets ? [['wallet = ?', wallet ?? ''] as const] : []
    const conditions = [['rfq_id = ?', id] as const, ...own]
    const [found] = rfqsOf(source, conditions, { limit: 1, offset: 0 }, wallet)
    if (found === undefined) return notFound('RFQ not found', Envelope.Bare)
    return bareAnswer(found, source.seq)
  })
}

/** With signed reads, hides wallets other than the requester: names would reveal all fills of a wallet. */
function visibleTo(
  requester: string | null,
  rows: readonly Trade[],
  { hidesWallets }: HistorySource,
): readonly Trade[] {
  if (!hidesWallets) return rows
  const named = (wallet: string | null) => (wallet === requester ? wallet : null)
  return rows.map((row) => ({
    ...row,
    maker_address: named(row.maker_address),
    taker_address: named(row.taker_address),
  }))
}

/** Returns the list keys of trades. An empty key selects all. */
function tradeKeys(
  option: string | null,
  underlying: string | null,
  source: HistorySource,
): readonly ListKey[] {
  if (option !== null) return instrumentKeys(option, underlying, source)
  return underlying === null ? [[]] : underlyingKeys(underlying, source)
}

/** Returns the keys of the instruments that a parameter names. */
function instrumentKeys(
  option: string,
  underlying: string | null,
  source: HistorySource,
): readonly ListKey[] {
  const [named, ...values] = isAmong('instrument_id', instrumentIds(option, source) ?? [])
  const sql =
    'select instrument_id as id, underlying_index as number from instruments ' +
    `where ${named} and ? in ('', underlying)`
  const found = source.select<{ id: number; number: number }>(sql, [...values, underlying ?? ''])
  return found.map(({ id, number }) => [number, id])
}

function underlyingKeys(name: string, { select }: HistorySource): readonly ListKey[] {
  const sql = 'select underlying_index as number from instruments where underlying = ? limit 1'
  return select<{ number: number }>(sql, [name]).map(({ number }) => [number])
}

/** Returns the trades after an id, oldest first. */
function tradesAfter(id: number, limit: number, source: HistorySource) {
  const query = { ...tradeQuery, order: tradeQuery.key }
  return shown(source, query, [[`${tradeQuery.key} > ?`, id]], { limit, offset: 0 })
}

/** Returns the trades of a wallet from its list of fills. There are no self-trades, so each trade occurs once. */
function tradesOfFills(
  wallet: string,
  keys: readonly ListKey[],
  page: Page,
  source: HistorySource,
): readonly number[] {
  const ids = pageOf(source, fills, fillSources(source, wallet, keys), page)
  return ids.map(tradeOfFill)
}

/** Returns the ids of trades under some keys, newest first. The key of all trades reads the table directly. */
function tradesOf(keys: readonly ListKey[], page: Page, source: HistorySource): readonly number[] {
  const { select } = source
  if (keys[0]?.length === 0) {
    const sql = 'select trade_id as id from trades order by trade_id desc limit ? offset ?'
    return idsOf(select, sql, [page.limit, page.offset])
  }
  return pageOf(source, trades, listedSources(select, trades, 'trade_ids', keys), page)
}

function historicalPnl(
  { wallet, interval, limit, include_attribution }: ReadOf<'GET /historical-pnl'>,
  source: HistorySource,
): Answer {
  const points = pointsOf(source, { wallet, interval, limit, include_attribution })
  return dataAnswer({ wallet_address: wallet, interval, points }, source.seq)
}

/** Returns true if an answer may repeat the text as the name of an instrument, known or not. */
function isName(text: string): boolean {
  return text.length > 0 && text.length <= symbolCharsMax
}
