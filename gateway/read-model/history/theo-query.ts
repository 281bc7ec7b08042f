import { microsToNumber } from '../../../schemas/decimal.js'
import { type TheoInterval, theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { canonicalSymbol } from '../../../schemas/symbol.js'
import type { theos } from './history-tables.js'
import { instrumentsOfSymbol, type SelectAll } from './select.js'
import type { Row } from './table.js'

type TheoRecord = Pick<Row<typeof theos>, 'startMillis' | 'priceMicros'>

/** Returns the canonical symbol. A name that is not a symbol has no points, like an unknown instrument. */
export function symbolOf(name: string): string {
  return canonicalSymbol(name) ?? name
}

/** Recorded theoretical prices of an instrument. */
export type TheoSeries = {
  readonly instrument_name: string
  readonly interval: TheoInterval
  /** Unix milliseconds, and USD. */
  readonly points: { readonly timestamp: number; readonly theoretical_price: number }[]
}

/** Returns a series, oldest first. A symbol that was deleted and listed again has one series. */
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

// Rows are stored by time, for fast writes, so each bucket is looked up. If two listings of a symbol share a bucket,
// the price of the later one counts: SQLite takes the other columns from the row of the maximum.
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
