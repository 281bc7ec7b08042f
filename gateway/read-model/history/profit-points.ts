import { mulDivHalfEven, valueMicros } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatMicros, lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { type TheoInterval, theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import type { JsonValue } from '../../wire/json-text.js'
import { entryOf } from './entry-of.js'
import {
  type Bucket,
  bucketsBetween,
  firstMillisOf,
  isExternalMoney,
  namesOf,
  pendingOf,
  totalsOf,
} from './profit-query.js'
import { bucketIntervals } from './profit-tables.js'
import type { HistorySource, SelectAll } from './select.js'
import { indexRowOf } from './theo-intervals.js'
import { add, addPacked, packSums, type Sums, type WalletSums } from './wallet-sums.js'

// An account at interval boundaries. Points are not stored: the state at a boundary is the current state less all
// events since, from the sums. Recorded theoretical prices value it.
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
  const { earliest, last } = timesOf(source, wanted, intervalMillis)
  if (earliest > last) return []
  const changes = changesSince(source, wallet, earliest, intervalMillis)
  const sums = totalsOf(source, wallet)
  let symbols = namesOf(source, sums)
  const marks = marksOf(source, { earliest, last }, intervalMillis, (about) => symbols.get(about)!)
  const points: JsonValue[] = []
  let next = 0
  for (let millis = last; millis >= earliest; millis -= intervalMillis) {
    for (; next < changes.length && changes[next]!.millis >= millis; next++) {
      addPacked(sums, changes[next]!.sums, -1)
    }
    if (symbols.size < sums.size) symbols = namesOf(source, sums)
    const { rows, equityMicros, depositedMicros } = valued(millis, sums, symbols, marks)
    points.push({
      timestamp: millis,
      equity: formatMicros(equityMicros),
      net_deposits: formatMicros(depositedMicros),
      attribution: isAttributed ? attributionOf(rows) : undefined,
    })
  }
  return points.reverse()
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

/** Returns the sums of events since a time, newest first. */
function changesSince(
  source: HistorySource,
  wallet: string,
  fromMillis: number,
  intervalMillis: number,
): readonly Bucket[] {
  const [short, long] = bucketIntervals
  const bucketMillis = intervalMillis === long ? long : short
  const toMillis = source.lastEventMillis + 1
  const changes = [
    ...bucketsBetween(source, wallet, bucketMillis, { fromMillis, toMillis }),
    ...pendingOf(source, wallet)
      .filter(({ millis }) => millis >= fromMillis)
      .map((row) => ({ millis: row.millis, sums: packSums(null, new Map([[row.about, row]])) })),
  ]
  return changes.sort((one, other) => other.millis - one.millis)
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
) {
  const rows: Attributed[] = []
  let depositedMicros = 0
  let gainedMicros = 0
  for (const [about, one] of sums) {
    if (isExternalMoney(about)) {
      depositedMicros += one.realizedMicros
      continue
    }
    const symbol = symbols.get(about)!
    const unrealizedMicros = one.lots === 0 ? 0 : unrealizedOf(one, symbol, marks(about, millis))
    gainedMicros += one.realizedMicros + unrealizedMicros
    rows.push({ symbol, sums: one, unrealizedMicros })
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
  symbolOf: (about: number) => string,
): Marks {
  const sql = 'select underlying_index as underlying from instruments where instrument_id = ?'
  const pricesOf = new Map<number, Map<number, number>>()
  const read = (about: number) => {
    const isPerp = instrumentTypeOf(symbolOf(about)) === 'perp'
    const row = isPerp
      ? indexRowOf(select<{ underlying: number }>(sql, [about])[0]!.underlying)
      : about
    return recorded(select, row, intervalMillis, earliest - intervalMillis, last - intervalMillis)
  }
  return (about, millis) =>
    entryOf(pricesOf, about, () => read(about)).get(millis - intervalMillis) ?? null
}

/** Returns prices by start of the interval, from `earliest` on. An interval without a price has the previous one. */
function recorded(
  select: SelectAll,
  row: number,
  intervalMillis: number,
  earliest: number,
  latest: number,
): Map<number, number> {
  const sql =
    'select b.start_millis as start, t.price_micros as price from theo_buckets b cross join theos t ' +
    'on t.interval_millis = b.interval_millis and t.start_millis = b.start_millis and t.instrument = ?1 ' +
    'where b.interval_millis = ?2 and b.start_millis '
  type Price = { readonly start: number; readonly price: number }
  const before = `${sql}< ?3 order by b.start_millis desc limit 1`
  const found = [
    ...select<Price>(before, [row, intervalMillis, earliest]),
    ...select<Price>(`${sql}between ?3 and ?4`, [row, intervalMillis, earliest, latest]),
  ]
  const known = new Map(found.map(({ start, price }) => [start, price]))
  let price = known.size > 0 && found[0]!.start < earliest ? found[0]!.price : null
  const prices = new Map<number, number>()
  for (let start = earliest; start <= latest; start += intervalMillis) {
    price = known.get(start) ?? price
    if (price !== null) prices.set(start, price)
  }
  return prices
}
