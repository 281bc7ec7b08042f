import { microsToNumber } from '../../../schemas/decimal.js'
import { Result } from '../../../schemas/results.js'
import { canonicalSymbol } from '../../../schemas/symbol.js'
import { dataAnswer } from '../../wire/answers.js'
import type { JsonValue } from '../../wire/json-text.js'
import { type TheoInterval, theoIntervalMillis } from '../../wire/parameters.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import type { theos } from './history-tables.js'
import { type HistoryRoute, instrumentsOfSymbol, type SelectAll } from './select.js'
import type { Row } from './table.js'

type TheoRecord = Pick<Row<typeof theos>, 'startMillis' | 'priceMicros'>

const namesMax = 50

/** GET /historical-theos. */
export const theosRoute: HistoryRoute = route(
  historyEndpoints['GET /historical-theos'],
  ({ instrument_name: name, interval, limit }, { seq, select }) =>
    dataAnswer(seriesOf(name, interval, limit, select), seq),
  ({ instrument_name }, query) => {
    if (instrument_name === '') query.refuse(Result.InvalidParameter, 'instrument_name is empty')
  },
)

/**
 * GET /historical-theos/batch: series by canonical symbol, so names of
 * one instrument share one. The bound is on the names given.
 */
export const theosBatchRoute: HistoryRoute = route(
  historyEndpoints['GET /historical-theos/batch'],
  ({ instrument_names: names, interval, limit }, { seq, select }) => {
    const symbols = [...new Set(names.split(',').map(symbolOf))]
    const series = symbols.map(
      (symbol) => [symbol, seriesOf(symbol, interval, limit, select)] as const,
    )
    return dataAnswer(Object.fromEntries(series), seq)
  },
  ({ instrument_names }, query) => {
    const names = instrument_names.split(',')
    if (names.length <= namesMax && !names.includes('')) return
    const message = `instrument_names must be 1 to ${namesMax} names with commas between them`
    query.refuse(Result.InvalidParameter, message)
  },
)

/** Canonical form; a name that is none has no points, like an instrument that is not known. */
function symbolOf(name: string): string {
  return canonicalSymbol(name) ?? name
}

/** Oldest first. Points of a symbol that was deleted and listed again stand in one series. */
function seriesOf(name: string, interval: TheoInterval, limit: number, all: SelectAll): JsonValue {
  const symbol = symbolOf(name)
  const ids = instrumentsOfSymbol(symbol, all)
  const rows =
    ids.length === 0
      ? []
      : all<TheoRecord>(theoQuery(ids.length), [...ids, theoIntervalMillis[interval], limit])
  const points = rows.reverse().map((row) => ({
    timestamp: row.startMillis,
    theoretical_price: microsToNumber(row.priceMicros),
  }))
  return { instrument_name: symbol, interval, points }
}

// Rows stand by time, for the sake of the writer, so each bucket is looked up. Where two listings
// of a symbol share an hour or a day, the price of the later one counts: SQLite takes the columns
// beside `max` from its row.
function theoQuery(ids: number): string {
  const places = Array(ids).fill('?').join(', ')
  return (
    'select b.start_millis as startMillis, t.price_micros as priceMicros, max(t.instrument) ' +
    'from theo_buckets b ' +
    'cross join theos t on t.interval_millis = b.interval_millis ' +
    `and t.start_millis = b.start_millis and t.instrument in (${places}) ` +
    'where b.interval_millis = ? group by b.start_millis order by b.start_millis desc limit ?'
  )
}
