import { mulDivHalfEven, valueMicros } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatMicros, lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { type TheoInterval, theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import type { JsonValue } from '../../wire/json-text.js'
import { entryOf } from './entry-of.js'
import {
  type Bucket,
  type BucketInterval,
  bucketsBetween,
  firstMillisOf,
  isExternalMoney,
  namesOf,
  pendingOf,
  type TimedSumRow,
  totalsOf,
} from './profit-query.js'
import type { HistorySource, SelectAll } from './select.js'
import { indexRowOf } from './theo-intervals.js'
import { add, addPacked, packSums, type Sums, subtract, type WalletSums } from './wallet-sums.js'

// An account at interval boundaries. Points are not stored: the state at the first boundary is the current state less
// all events since, from the sums. Recorded theoretical prices value it.
//
//      equity = deposits - withdrawals + realized + (value at the mark in force - cost) of every position

/** Returns the price of an instrument at a boundary; null: none. */
type Marks = (about: number, millis: number) => number | null

interface PointsWanted {
  readonly wallet: string
  readonly interval: TheoInterval
  readonly limit: number
  readonly include_attribution: boolean
}

/** Returns the points of GET /profile/historical-pnl, oldest first: the account at each boundary of the interval. */
export function pointsOf(source: HistorySource, wanted: PointsWanted): readonly JsonValue[] {
  const { wallet, include_attribution: isAttributed } = wanted
  const intervalMillis = theoIntervalMillis[wanted.interval]
  const times = timesOf(source, wanted, intervalMillis)
  const { earliest, last } = times
  if (earliest > last) return []
  const pending = pendingOf(source, wallet, intervalMillis)
  const changes = changesSince(source, wallet, earliest, intervalMillis, pending)
  const changed: WalletSums = new Map()
  for (const change of changes) addPacked(changed, change.sums)
  // A position opened and closed in the meantime may be in the changes alone.
  const sums = totalsOf(source, wallet, pending)
  for (const [about, one] of changed) subtract(sums, { about, ...one })
  const symbols = namesOf(source, sums)
  const held = [...sums].filter(([about, { lots }]) => lots !== 0 || changed.has(about))
  const marks = marksOf(
    source,
    times,
    intervalMillis,
    held.map(([about]) => about),
    symbols,
  )
  const points: JsonValue[] = []
  let next = 0
  for (let millis = earliest; millis <= last; millis += intervalMillis) {
    for (; next < changes.length && changes[next]!.millis < millis; next++) {
      addPacked(sums, changes[next]!.sums)
    }
    const { rows, equityMicros, depositedMicros } = valued(
      millis,
      sums,
      symbols,
      marks,
      isAttributed,
    )
    points.push({
      timestamp: millis,
      equity: formatMicros(equityMicros),
      net_deposits: formatMicros(depositedMicros),
      attribution: isAttributed ? attributionOf(rows) : undefined,
    })
  }
  return points
}

/** Times of the first and the last point. */
interface PointTimes {
  readonly earliest: number
  readonly last: number
}

function timesOf(
  source: HistorySource,
  { wallet, limit }: PointsWanted,
  intervalMillis: number,
): PointTimes {
  const last = Math.floor(source.lastEventMillis / intervalMillis) * intervalMillis
  const firstMillis = firstMillisOf(source, wallet) ?? last
  const first = (Math.floor(firstMillis / intervalMillis) + 1) * intervalMillis
  return { earliest: Math.max(first, last - (limit - 1) * intervalMillis), last }
}

/** Returns the sums of events since a time, oldest first. @param pending sums of the entries not absorbed yet. */
function changesSince(
  source: HistorySource,
  wallet: string,
  fromMillis: number,
  intervalMillis: BucketInterval,
  pending: readonly TimedSumRow[],
): readonly Bucket[] {
  const toMillis = source.lastEventMillis + 1
  const changes = [
    ...bucketsBetween(source, wallet, intervalMillis, { fromMillis, toMillis }),
    ...pending
      .filter(({ millis }) => millis >= fromMillis)
      .map((row) => ({ millis: row.millis, sums: packSums(null, new Map([[row.about, row]])) })),
  ]
  return changes.sort((one, other) => one.millis - other.millis)
}

/** Profit of an instrument or source so far. */
interface Attributed {
  readonly symbol: string
  readonly sums: Sums
  readonly unrealizedMicros: number
}

function valued(
  millis: number,
  sums: WalletSums,
  symbols: ReadonlyMap<number, string>,
  marks: Marks,
  isAttributed: boolean,
) {
  const rows: Attributed[] = []
  let depositedMicros = 0
  let gainedMicros = 0
  for (const [about, one] of sums) {
    if (isExternalMoney(about)) {
      depositedMicros += one.realizedMicros
      continue
    }
    const unrealizedMicros =
      one.lots === 0 ? 0 : unrealizedOf(one, symbols.get(about)!, marks(about, millis))
    gainedMicros += one.realizedMicros + unrealizedMicros
    if (isAttributed) rows.push({ symbol: symbols.get(about)!, sums: one, unrealizedMicros })
  }
  return { rows, depositedMicros, equityMicros: depositedMicros + gainedMicros }
}

/** Returns the unrealized profit. Without a mark an option is worth 0, as in equity; for a perp the profit is 0. */
function unrealizedOf({ lots, costMicros }: Sums, symbol: string, mark: number | null): number {
  if (mark !== null) return valueMicros(mark, lots) - costMicros
  return instrumentTypeOf(symbol) === 'perp' ? 0 : -costMicros
}

/** Returns by symbol: position, entry price, realized, unrealized, total. Merges two listings of one symbol. */
function attributionOf(rows: readonly Attributed[]): JsonValue {
  const bySymbol = new Map<string, Attributed>()
  for (const row of rows) {
    const known = bySymbol.get(row.symbol)
    bySymbol.set(row.symbol, known === undefined ? row : merged(known, row))
  }
  const entries = [...bySymbol.values()]
    .filter(({ sums }) => sums.lots !== 0 || sums.realizedMicros !== 0)
    .sort((one, other) => (one.symbol < other.symbol ? -1 : 1))
  return Object.fromEntries(
    entries.map(({ symbol, sums, unrealizedMicros }) => {
      const { lots, costMicros, realizedMicros } = sums
      const entryMicros =
        lots === 0 ? 0 : mulDivHalfEven(Math.abs(costMicros), lotsPerContract, Math.abs(lots))
      const micros = [
        ...[entryMicros, realizedMicros, unrealizedMicros, realizedMicros + unrealizedMicros],
      ]
      return [symbol, [lotsToNumber(lots), ...micros.map((one) => microsToNumber(one))]]
    }),
  )
}

function merged(one: Attributed, other: Attributed): Attributed {
  const sums: WalletSums = new Map([[0, { ...one.sums }]])
  add(sums, { about: 0, ...other.sums })
  const unrealizedMicros = one.unrealizedMicros + other.unrealizedMicros
  return { symbol: one.symbol, sums: sums.get(0)!, unrealizedMicros }
}

/**
 * Returns the marks in force at boundaries: the last theoretical price recorded in the interval that ends there, else
 * the last one before it. The mark of a perp is its index.
 */
function marksOf(
  { select }: HistorySource,
  { earliest, last }: PointTimes,
  intervalMillis: number,
  instruments: readonly number[],
  symbols: ReadonlyMap<number, string>,
): Marks {
  const sql = 'select underlying_index as underlying from instruments where instrument_id = ?'
  const recordedAs = (about: number) =>
    instrumentTypeOf(symbols.get(about)!) === 'perp'
      ? indexRowOf(select<{ underlying: number }>(sql, [about])[0]!.underlying)
      : about
  const rowOf = new Map(
    instruments.filter((about) => about >= 0).map((about) => [about, recordedAs(about)]),
  )
  const times = { earliest: earliest - intervalMillis, last: last - intervalMillis }
  const prices = recorded(select, [...new Set(rowOf.values())], intervalMillis, times)
  const before = new Map<number, number | null>()
  return (about, millis) => {
    const row = rowOf.get(about)!
    const price = prices.get(row)![(millis - earliest) / intervalMillis]!
    if (!Number.isNaN(price)) return price
    return entryOf(before, row, () => lastBefore(select, row, intervalMillis, times.earliest))
  }
}

/** Returns prices by interval. An interval without a price has that of the previous one; NaN: none so far. */
function recorded(
  select: SelectAll,
  rows: readonly number[],
  intervalMillis: number,
  { earliest, last }: PointTimes,
): ReadonlyMap<number, Float64Array> {
  const count = (last - earliest) / intervalMillis + 1
  const prices = new Map(rows.map((row) => [row, new Float64Array(count).fill(Number.NaN)]))
  // One text for each interval: a row for each price would cost more than the search.
  const sql =
    'select b.start_millis as start, json_group_array(t.price_micros) as found ' +
    'from theo_buckets b cross join json_each(?4) wanted ' +
    'left join theos t on t.interval_millis = b.interval_millis and t.start_millis = b.start_millis ' +
    'and t.instrument = wanted.value where b.interval_millis = ?1 and b.start_millis between ?2 and ?3 ' +
    'group by b.start_millis'
  type Found = { readonly start: number; readonly found: string }
  const values = [intervalMillis, earliest, last, JSON.stringify(rows)]
  for (const { start, found } of select<Found>(sql, values)) {
    const at = (start - earliest) / intervalMillis
    for (const [i, price] of (JSON.parse(found) as (number | null)[]).entries()) {
      if (price !== null) prices.get(rows[i]!)![at] = price
    }
  }
  for (const ofRow of prices.values()) {
    for (let at = 1; at < count; at++) if (Number.isNaN(ofRow[at])) ofRow[at] = ofRow[at - 1]!
  }
  return prices
}

/** Returns the last price before an interval; null: none. */
function lastBefore(
  select: SelectAll,
  row: number,
  intervalMillis: number,
  startMillis: number,
): number | null {
  const sql =
    'select t.price_micros as price from theo_buckets b cross join theos t ' +
    'on t.interval_millis = b.interval_millis and t.start_millis = b.start_millis and t.instrument = ?1 ' +
    'where b.interval_millis = ?2 and b.start_millis < ?3 order by b.start_millis desc limit 1'
  return (
    select<{ readonly price: number }>(sql, [row, intervalMillis, startMillis])[0]?.price ?? null
  )
}
