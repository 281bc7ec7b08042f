import type Database from 'libsql'
import { OrderStatus } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { canonicalSymbol, isUnderlying } from '../../../schemas/symbol.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { HistoryEndpoint } from '../../endpoints/read-endpoints.js'
import { instrumentOfWireId } from '../../wire-ids.js'
import {
  type Answer,
  Envelope,
  listAnswer,
  offsetMax,
  type Page,
  refusedAnswer,
  rowAnswer,
} from '../answers.js'
import { QueryReader } from '../query-reader.js'
import { payoutsOwnedQuestion } from '../read-protocol.js'
import {
  type FillRecord,
  fillRow,
  type OrderRecord,
  orderRow,
  type PayoutRecord,
  payoutRow,
  type TradeRecord,
  tradeRow,
} from './history-rows.js'
import { type HistoryDatabase, openHistoryReadOnly, progressOf } from './history-schema.js'
import { fills, orders, payouts, trades, workingStatuses } from './history-tables.js'
import { liquidationList, liquidationPage } from './liquidation-query.js'
import { instrumentsOfSymbol, type SelectAll } from './select.js'
import { selected } from './table.js'
import { historicalTheos, historicalTheosBatch } from './theo-query.js'

/** One query, as it crosses to a worker of the pool. */
export interface HistoryRequest {
  readonly path: string
  /** Query text as received, without the question mark. */
  readonly query: string
}

/** `isBehind`: the store has not reached the query's `min_seq` yet, ask again. */
export interface HistoryReply extends Answer {
  readonly isBehind: boolean
}

type Value = string | number

/** @param last of the path, behind its last slash. */
type HistoryRoute = (query: QueryReader, seq: number, last: string) => Answer

/** What narrows /trades, besides the account; null: no filter. */
interface TradeFilters {
  readonly instruments: readonly number[] | null
  readonly underlying: number | null
}

// An index that no trade has: -1 is that of a trade whose underlying was not known yet.
const noUnderlying = -2
const ordersLimitMax = 50
const listLimitMax = 100
const listLimitDefault = 50
const tradesLimitMax = 500
const tradesLimitDefault = 100
const integerText = /^\d{1,16}$/

const withInstrument = 'join instruments i on i.instrument_id'
const orderQuery =
  `select ${selected(orders, 'o')}, i.symbol, i.underlying from orders o ` +
  `${withInstrument} = o.instrument where o.wallet = ?`
const fillQuery =
  `select ${selected(fills, 'f')}, i.symbol from fills f ${withInstrument} = f.instrument ` +
  'where f.wallet = ? order by f.fill_id desc limit ? offset ?'
const payoutQuery =
  `select ${selected(payouts, 'p')}, i.symbol, i.expiry_millis as expiryMillis from payouts p ` +
  `${withInstrument} = p.instrument where p.wallet = ?`
const tradeColumns = `select ${selected(trades, 't')}, i.symbol`
const tradeQuery = `${tradeColumns} from trades t ${withInstrument} = t.instrument`
// A wallet's fills name its trades once each: self-trades do not exist. So its index serves here
// too.
const accountTradeQuery =
  `${tradeColumns} from fills f join trades t on t.trade_id = f.trade_id ` +
  `${withInstrument} = t.instrument`

/** Answers the GET routes of the history store on a read-only connection of its own. */
export class HistoryQueries {
  readonly #database: HistoryDatabase
  readonly #refusesUnknown: boolean
  readonly #statements = new Map<string, Database.Statement>()

  readonly #routes: Readonly<Record<HistoryEndpoint, HistoryRoute>> = {
    'GET /orders': (query, seq) => this.#orders(query, seq),
    'GET /orders/status': (query, seq) => this.#orderStatus(query, seq),
    'GET /fills': (query, seq) => this.#fills(query, seq),
    'GET /trades': (query, seq) => this.#trades(query, seq),
    'GET /trades/': (query, seq, id) => this.#trade(id, query, seq),
    'GET /settlement-payouts': (query, seq) => this.#payouts(query, seq),
    'GET /liquidations': (query, seq) => liquidationPage(query, seq, this.#select),
    'GET /liquidation/history': (query, seq) => liquidationList(query, seq, this.#select),
    'GET /historical-theos': (query, seq) => historicalTheos(query, seq, this.#select),
    'GET /historical-theos/batch': (query, seq) => historicalTheosBatch(query, seq, this.#select),
  }
  readonly #select: SelectAll = (sql, values) => this.#all(sql, values)

  /** @param refusesUnknown `compat.unknownFields`. */
  constructor(dataDir: string, refusesUnknown = false) {
    this.#database = openHistoryReadOnly(dataDir)
    this.#refusesUnknown = refusesUnknown
  }

  /** @returns the answer, of one consistent state of the store whose sequence it names. */
  answer(request: HistoryRequest): HistoryReply {
    const query = new QueryReader(request.query, this.#refusesUnknown)
    const seqMin = query.integer(['min_seq'], 0, Number.MAX_SAFE_INTEGER, 0)
    this.#database.exec('begin')
    try {
      const seq = progressOf(this.#database).seq
      const answer = this.#route(request.path, query, seq)
      return { ...answer, isBehind: answer.status === 200 && seq < seqMin }
    } finally {
      this.#database.exec('commit')
    }
  }

  close(): void {
    this.#database.close()
  }

  #route(path: string, query: QueryReader, seq: number): Answer {
    if (path === payoutsOwnedQuestion) return this.#payoutsOwned(query, seq)
    const end = path.lastIndexOf('/') + 1
    const keys = [`GET ${path}`, `GET ${path.slice(0, end)}`]
    const key = keys.find((name) => Object.hasOwn(this.#routes, name)) as
      | HistoryEndpoint
      | undefined
    return key === undefined
      ? notFound('no such path')
      : this.#routes[key](query, seq, path.slice(end))
  }

  #orders(query: QueryReader, seq: number): Answer {
    const wallet = query.wallet('wallet')
    const status = statusOf(query)
    const page = pageOf(query, ordersLimitMax, ordersLimitMax)
    if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
    // The status stands in the text, because a partial index is used for a literal only.
    const filter = status === null ? '' : ` and o.status ${statusFilters[status]}`
    const sql = `${orderQuery}${filter} order by o.order_id desc limit ? offset ?`
    const rows = this.#all<OrderRecord>(sql, [formatAddress(wallet, 0), page.limit, page.offset])
    return listAnswer(rows.map(orderRow), page, seq)
  }

  #orderStatus(query: QueryReader, seq: number): Answer {
    const wallet = formatAddress(query.wallet('wallet'), 0)
    const id = query.requiredText('order_id')
    if (query.refusal === null && id === '') {
      query.refuse(Result.InvalidParameter, 'order_id is empty')
    }
    if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
    const byClientId = `${orderQuery} and o.client_id = ? and o.client_id <> ''`
    const found =
      (integerText.test(id)
        ? this.#all<OrderRecord>(`${orderQuery} and o.order_id = ?`, [wallet, Number(id)])[0]
        : undefined) ??
      this.#all<OrderRecord>(`${byClientId} order by o.order_id desc limit 1`, [wallet, id])[0]
    return rowAnswer(found === undefined ? null : orderRow(found), seq)
  }

  #fills(query: QueryReader, seq: number): Answer {
    const wallet = query.wallet('wallet')
    const page = pageOf(query, listLimitMax, listLimitDefault)
    if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
    const values = [formatAddress(wallet, 0), page.limit, page.offset]
    return listAnswer(this.#all<FillRecord>(fillQuery, values).map(fillRow), page, seq)
  }

  #payouts(query: QueryReader, seq: number): Answer {
    const wallet = query.wallet('wallet')
    const option = query.text('symbol')
    const isApplied = query.boolean(true, 'ledger_applied')
    const page = pageOf(query, listLimitMax, listLimitDefault)
    const instruments = option === null ? null : this.#instrumentsOf(query, 'symbol', option)
    if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
    // A payout is in the cash before it is told: there are none that are not applied.
    if (!isApplied) return listAnswer([], page, seq)
    const values: Value[] = [formatAddress(wallet, 0)]
    const filter = instruments === null ? '' : ` and p.instrument in (${placesOf(instruments)})`
    if (instruments !== null) values.push(...instruments)
    const sql = `${payoutQuery}${filter} order by p.payout_id desc limit ? offset ?`
    const rows = this.#all<PayoutRecord>(sql, [...values, page.limit, page.offset])
    return listAnswer(rows.map(payoutRow), page, seq)
  }

  /** How many of some payouts are the wallet's: what a request that names them is about. */
  #payoutsOwned(query: QueryReader, seq: number): Answer {
    const wallet = formatAddress(query.wallet('wallet'), 0)
    const ids = [...new Set((query.text('ids') ?? '').split(',').map(Number))]
    const sql = `select count(*) n from payouts where wallet = ? and payout_id in (${placesOf(ids)})`
    const count = this.#all<{ n: number }>(sql, [wallet, ...ids])[0]!.n
    return rowAnswer(count, seq)
  }

  #trades(query: QueryReader, seq: number): Answer {
    const afterTradeId = query.integer(['after_trade_id'], 0, Number.MAX_SAFE_INTEGER, null)
    const page = pageOf(query, tradesLimitMax, tradesLimitDefault)
    const filters = this.#filtersOf(query)
    const account = query.optionalWallet('account')
    const others = ['offset', 'option_id', 'symbol', 'underlying', 'account']
    if (afterTradeId !== null && others.some((name) => query.has(name))) {
      const message = 'after_trade_id cannot be combined with offset or a filter'
      query.refuse(Result.InvalidParameter, message)
    }
    if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
    const rows =
      afterTradeId === null
        ? this.#tradesBack(filters, account, page)
        : this.#all<TradeRecord>(`${tradeQuery} where t.trade_id > ? order by t.trade_id limit ?`, [
            afterTradeId,
            page.limit,
          ])
    return listAnswer(rows.map(tradeRow), page, seq)
  }

  #tradesBack(filters: TradeFilters, account: Uint8Array | null, page: Page): TradeRecord[] {
    const conditions: string[] = []
    const values: Value[] = []
    if (account !== null) {
      conditions.push('f.wallet = ?')
      values.push(formatAddress(account, 0))
    }
    if (filters.instruments !== null) {
      conditions.push(`t.instrument in (${placesOf(filters.instruments)})`)
      values.push(...filters.instruments)
    }
    if (filters.underlying !== null) {
      conditions.push('t.underlying_index = ?')
      values.push(filters.underlying)
    }
    const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
    const order = account === null ? 't.trade_id' : 'f.fill_id'
    const from = account === null ? tradeQuery : accountTradeQuery
    const sql = `${from}${where} order by ${order} desc limit ? offset ?`
    return this.#all<TradeRecord>(sql, [...values, page.limit, page.offset])
  }

  #trade(id: string, query: QueryReader, seq: number): Answer {
    if (query.refusal !== null) return refusedAnswer(Envelope.Success, query.refusal)
    if (!integerText.test(id)) return notFound(`no trade ${id}`)
    const found = this.#all<TradeRecord>(`${tradeQuery} where t.trade_id = ?`, [Number(id)])[0]
    return found === undefined ? notFound(`no trade ${id}`) : rowAnswer(tradeRow(found), seq)
  }

  #filtersOf(query: QueryReader): TradeFilters {
    const option = query.text('option_id', 'symbol')
    const name = query.text('underlying')
    if (name !== null && !isUnderlying(name)) {
      query.refuse(Result.InvalidParameter, 'underlying is no name')
    }
    const instruments = option === null ? null : this.#instrumentsOf(query, 'option_id', option)
    return { instruments, underlying: name === null ? null : this.#underlyingOf(name) }
  }

  /** A symbol that was deleted and listed again has several ids. */
  #instrumentsOf(query: QueryReader, parameter: string, option: string): readonly number[] {
    if (integerText.test(option)) return [instrumentOfWireId(Number(option))]
    const symbol = canonicalSymbol(option)
    if (symbol === null) query.refuse(Result.InvalidParameter, `${parameter} is no instrument`)
    return instrumentsOfSymbol(symbol ?? '', this.#select)
  }

  #underlyingOf(name: string): number {
    const sql = 'select underlying_index as number from instruments where underlying = ? limit 1'
    return this.#all<{ number: number }>(sql, [name])[0]?.number ?? noUnderlying
  }

  #all<T>(sql: string, values: readonly Value[]): T[] {
    const known = this.#statements.get(sql)
    const statement = known ?? this.#database.prepare(sql)
    if (known === undefined) this.#statements.set(sql, statement)
    return statement.all(...values) as T[]
  }
}

/** By the status that clients ask for: what rows have. `open` is every working order, whatever has been filled. */
const statusFilters = {
  ACKED: `= ${OrderStatus.Acked}`,
  OPEN: workingStatuses,
  PARTIALLY_FILLED: `= ${OrderStatus.PartiallyFilled}`,
  FILLED: `= ${OrderStatus.Filled}`,
  CANCELED: `= ${OrderStatus.Canceled}`,
  CANCELLED: `= ${OrderStatus.Canceled}`,
  REJECTED: `= ${OrderStatus.Rejected}`,
} as const

/** Status to filter by, in any case of letters. */
function statusOf(query: QueryReader): keyof typeof statusFilters | null {
  const text = query.text('status')?.toUpperCase()
  if (text === undefined) return null
  if (Object.hasOwn(statusFilters, text)) return text as keyof typeof statusFilters
  query.refuse(Result.InvalidParameter, 'status is no order status')
  return null
}

function placesOf(values: readonly Value[]): string {
  return values.map(() => '?').join(', ')
}

function pageOf(query: QueryReader, limitMax: number, limitDefault: number): Page {
  const limit = query.integer(['limit'], 1, limitMax, limitDefault)
  return { limit, offset: query.integer(['offset'], 0, offsetMax, 0) }
}

function notFound(message: string): Answer {
  return refusedAnswer(Envelope.Success, { result: Result.NotFound, message })
}
