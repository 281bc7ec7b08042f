import { microsToNumber } from '../../../schemas/decimal.js'
import { type TheoInterval, theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { canonicalSymbol } from '../../../schemas/symbol.js'
import type { theos } from './history-tables.js'
import { instrumentsOfSymbol, type SelectAll } from './select.js'
import type { Row } from './table.js'

type TheoRecord = Pick<Row<typeof theos>, 'startMillis' | 'priceMicros'>

/** Canonical form; a name that is none has no points, like an instrument that is not known. */
export function symbolOf(name: string): string {
  return canonicalSymbol(name) ?? name
}

/** Recorded theoretical prices of an instrument. */
export type TheoSeries = {
  readonly instrument_name: string
  readonly interval: TheoInterval
  /** Milliseconds since 1970, and USD. */
  readonly points: { readonly timestamp: number; readonly theoretical_price: number }[]
}

/** Oldest first. Points of a symbol that was deleted and listed again stand in one series. */
export function seriesOf(
  name: string,
  interval: TheoInterval,
  limit: number,
  all: SelectAll,
): TheoSeries {
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
