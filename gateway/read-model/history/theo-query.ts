import { microsToNumber } from '../../../schemas/decimal.js'
import { Result } from '../../../schemas/results.js'
import { canonicalSymbol } from '../../../schemas/symbol.js'
import { dataAnswer, Envelope } from '../../wire/answers.js'
import type { JsonValue } from '../../wire/json-text.js'
import type { QueryReader } from '../../wire/query-reader.js'
import { route } from '../../wire/route.js'
import type { theos } from './history-tables.js'
import { type HistoryRoute, instrumentsOfSymbol, type SelectAll } from './select.js'
import type { Row } from './table.js'
import { type TheoInterval, theoIntervalMillis } from './theo-intervals.js'

type TheoRecord = Pick<Row<typeof theos>, 'startMillis' | 'priceMicros'>

const intervalDefault: TheoInterval = '1h'
const limitMax = 100
const namesMax = 50

/** GET /historical-theos. */
export const theosRoute: HistoryRoute = route(
  Envelope.Data,
  (query) => {
    const name = query.requiredText('instrument_name')
    const range = rangeOf(query)
    if (name === '') query.refuse(Result.InvalidParameter, 'instrument_name is empty')
    return { name, ...range }
  },
  ({ name, interval, limit }, { seq, select }) =>
    dataAnswer(seriesOf(name, interval, limit, select), seq),
)

/**
 * GET /historical-theos/batch: series by canonical symbol, so names of
 * one instrument share one. The bound is on the names given.
 */
export const theosBatchRoute: HistoryRoute = route(
  Envelope.Data,
  (query) => {
    const names = query.requiredText('instrument_names').split(',')
    const range = rangeOf(query)
    if (names.length > namesMax || names.includes('')) {
      const message = `instrument_names must be 1 to ${namesMax} names with commas between them`
      query.refuse(Result.InvalidParameter, message)
    }
    return { names, ...range }
  },
  ({ names, interval, limit }, { seq, select }) => {
    const symbols = [...new Set(names.map(symbolOf))]
    const series = symbols.map(
      (symbol) => [symbol, seriesOf(symbol, interval, limit, select)] as const,
    )
    return dataAnswer(Object.fromEntries(series), seq)
  },
)

function rangeOf(query: QueryReader) {
  return { interval: intervalOf(query), limit: query.integer(['limit'], 1, limitMax, limitMax) }
}

function intervalOf(query: QueryReader): TheoInterval {
  const text = query.text('interval') ?? intervalDefault
  if (Object.hasOwn(theoIntervalMillis, text)) return text as TheoInterval
  const names = Object.keys(theoIntervalMillis).join(', ')
  query.refuse(Result.InvalidParameter, `interval must be one of ${names}`)
  return intervalDefault
}

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
