import { formatMicros } from '../../../schemas/decimal.js'
import type { ProfilePast } from '../../wire/profile-parts.js'
import { fillIdsBetween, fillSources } from './id-queries.js'
import {
  type EntrySource,
  entryColumns,
  entrySources,
  fillEntries,
  lastSummed,
  openSpan,
  ProfitSource,
} from './profit-sums.js'
import { bucketIntervals, profitDays, profitSpans } from './profit-tables.js'
import { type HistorySource, isAmong } from './select.js'
import { add, addPacked, type PackedSums, type SumRow, type WalletSums } from './wallet-sums.js'

export type TimedSumRow = SumRow & { readonly millis: number }

/** Sums of whole days or five minutes, with their start. */
export interface Bucket {
  readonly millis: number
  readonly sums: PackedSums
}
type BucketInterval = (typeof bucketIntervals)[number]

/** Time range: its first millisecond, and the first one after it. */
export interface Span {
  readonly fromMillis: number
  readonly toMillis: number
}

const [shortMillis, longMillis] = bucketIntervals
const allTime: Span = { fromMillis: 0, toMillis: Number.MAX_SAFE_INTEGER }
const dayOfOpen = `(${openSpan} - ${openSpan} % ${longMillis})`
const daysSql =
  `select start_millis as millis, sums from ${profitDays.name} ` +
  'where start_millis >= ?1 and start_millis < ?2 and wallet = ?3 ' +
  `union all select ${dayOfOpen} as millis, sums from ${profitSpans.name} ` +
  `where start_millis = ${openSpan} and wallet = ?3 and ${dayOfOpen} >= ?1 and ${dayOfOpen} < ?2`
const spansSql =
  'with recursive starts (start) as ' +
  `(select ?1 union all select start + ${shortMillis} from starts where start + ${shortMillis} < ?2) ` +
  `select start_millis as millis, sums from starts cross join ${profitSpans.name} ` +
  'on start_millis = start and wallet = ?3'

/** Names of sums without an instrument. No symbol has such a name. */
const sourceNames: Readonly<Record<number, string>> = {
  [ProfitSource.Funding]: 'funding',
  [ProfitSource.Liquidation]: 'liquidation',
  [ProfitSource.BuilderFee]: 'builder_fees',
}

/** Returns the sums of all events of a wallet. */
export function totalsOf(source: HistorySource, wallet: string): WalletSums {
  const sums: WalletSums = new Map()
  for (const day of bucketsBetween(source, wallet, longMillis, allTime)) addPacked(sums, day.sums)
  for (const row of pendingOf(source, wallet)) add(sums, row)
  return sums
}

/** Returns the entries of a wallet that are not absorbed yet, with their time. */
export function pendingOf({ select }: HistorySource, wallet: string): readonly TimedSumRow[] {
  return [fillEntries, ...entrySources].flatMap((entries) => {
    const { table, key } = entries
    const sql =
      `select ${entryColumns(entries)}, millis from ${table} ` +
      `where wallet = ? and ${key} > ${lastSummed(entries)}`
    return select<TimedSumRow>(sql, [wallet])
  })
}

/**
 * Returns the sums of a wallet's events in a time range. Reads stored sums for whole days and whole five minutes, and
 * rows only at both ends.
 */
export function sumsBetween(source: HistorySource, wallet: string, span: Span): WalletSums {
  const sums: WalletSums = new Map()
  const addAll = (rows: readonly SumRow[]) => {
    for (const row of rows) add(sums, row)
  }
  const addBuckets = (intervalMillis: BucketInterval, within: Span) => {
    for (const bucket of bucketsBetween(source, wallet, intervalMillis, within)) {
      addPacked(sums, bucket.sums)
    }
  }
  const { fromMillis, toMillis } = span
  const whole = wholeOf(span, shortMillis)
  if (whole === null) {
    addAll(rowsBetween(source, wallet, span))
    return sums
  }
  addAll(rowsBetween(source, wallet, { fromMillis, toMillis: whole.fromMillis }))
  addAll(rowsBetween(source, wallet, { fromMillis: whole.toMillis, toMillis }))
  const isWhole = (millis: number) => millis >= whole.fromMillis && millis < whole.toMillis
  addAll(pendingOf(source, wallet).filter(({ millis }) => isWhole(millis)))
  const days = wholeOf(whole, longMillis)
  if (days === null) {
    addBuckets(shortMillis, whole)
    return sums
  }
  const { fromMillis: firstDay, toMillis: lastDay } = days
  const before = { fromMillis: whole.fromMillis, toMillis: firstDay }
  const after = { fromMillis: lastDay, toMillis: whole.toMillis }
  addBuckets(shortMillis, before)
  addBuckets(longMillis, days)
  addBuckets(shortMillis, after)
  return sums
}

/** Returns the sums of whole days or five minutes, each with its start. */
export function bucketsBetween(
  { select }: HistorySource,
  wallet: string,
  intervalMillis: BucketInterval,
  { fromMillis, toMillis }: Span,
): readonly Bucket[] {
  if (fromMillis >= toMillis) return []
  const sql = intervalMillis === longMillis ? daysSql : spansSql
  return select<Bucket>(sql, [fromMillis, toMillis, wallet])
}

/** Returns the time of the wallet's first cash change; null: none. */
export function firstMillisOf({ select }: HistorySource, wallet: string): number | null {
  const times = ['transfers', 'cash_changes'].map((table) => {
    const sql = `select min(millis) as millis from ${table} where wallet = ?`
    return select<{ millis: number | null }>(sql, [wallet])[0]!.millis
  })
  const known = times.filter((millis) => millis !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Returns realized profit by symbol, or by the name of its source if there is no instrument. */
export function realizedRows(source: HistorySource, sums: WalletSums) {
  const rows = new Map<string, { realizedMicros: number; events: number }>()
  const symbols = namesOf(source, sums)
  for (const [about, { realizedMicros, events }] of sums) {
    if (isExternalMoney(about) || (realizedMicros === 0 && events === 0)) continue
    const symbol = symbols.get(about)!
    const row = rows.get(symbol) ?? { realizedMicros: 0, events: 0 }
    row.realizedMicros += realizedMicros
    row.events += events
    rows.set(symbol, row)
  }
  return [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([symbol, { realizedMicros, events }]) => ({
      ...{ symbol, realized_pnl: formatMicros(realizedMicros), event_count: events },
    }))
}

/** Returns the total realized profit in micros. */
export function realizedOf(sums: WalletSums): number {
  let micros = 0
  for (const [about, { realizedMicros }] of sums) {
    if (!isExternalMoney(about)) micros += realizedMicros
  }
  return micros
}

/** Returns the past of a profile, which the gateway completes. */
export function pastOf(source: HistorySource, wallet: string): ProfilePast {
  const sums = totalsOf(source, wallet)
  const toMillis = source.nowMillis + 1
  const day = { fromMillis: toMillis - longMillis, toMillis }
  return {
    firstMillis: firstMillisOf(source, wallet),
    nowMillis: source.nowMillis,
    deposits: formatMicros(sums.get(ProfitSource.Deposit)?.realizedMicros ?? 0),
    withdraws: formatMicros(-(sums.get(ProfitSource.Withdrawal)?.realizedMicros ?? 0)),
    pnlOfDay: formatMicros(realizedOf(sumsBetween(source, wallet, day))),
    lifetimeRealized: formatMicros(realizedOf(sums)),
  }
}

/** Returns the symbols of instruments, and the names of sums without one. */
export function namesOf({ select }: HistorySource, sums: WalletSums): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  const ids = [...sums.keys()].filter((about) => about >= 0)
  if (ids.length > 0) {
    const sql = 'select instrument_id as id, symbol from instruments where instrument_id in '
    const places = ids.map(() => '?').join(', ')
    for (const { id, symbol } of select<{ id: number; symbol: string }>(`${sql}(${places})`, ids)) {
      names.set(id, symbol)
    }
  }
  for (const about of sums.keys()) {
    if (about < 0) names.set(about, sourceNames[about] ?? '')
  }
  return names
}

/** Returns true for deposits and withdrawals, which are not profit. */
export function isExternalMoney(about: number): boolean {
  return about === ProfitSource.Deposit || about === ProfitSource.Withdrawal
}

/** Returns the part of a range that consists of whole intervals; null: none. */
function wholeOf({ fromMillis, toMillis }: Span, intervalMillis: number): Span | null {
  const first = Math.ceil(fromMillis / intervalMillis) * intervalMillis
  const last = Math.floor(toMillis / intervalMillis) * intervalMillis
  return first < last ? { fromMillis: first, toMillis: last } : null
}

/** Returns the entries of a range from their rows, absorbed or not. */
function rowsBetween(source: HistorySource, wallet: string, span: Span): readonly SumRow[] {
  const { fromMillis, toMillis } = span
  if (fromMillis >= toMillis) return []
  const [isFound, ...found] = isAmong('fill_id', fillIdsOf(source, wallet, span))
  const entriesOf = (entries: EntrySource, where: string, values: readonly (string | number)[]) =>
    source.select<SumRow>(
      `select ${entryColumns(entries)} from ${entries.table} where ${where}`,
      values,
    )
  const isBetween = 'wallet = ? and millis >= ? and millis < ?'
  return [
    ...entriesOf(fillEntries, isFound, found),
    ...entrySources.flatMap((entries) =>
      entriesOf(entries, isBetween, [wallet, fromMillis, toMillis]),
    ),
  ]
}

/** Returns the ids of a wallet's fills in a time range. */
function fillIdsOf(
  source: HistorySource,
  wallet: string,
  { fromMillis, toMillis }: Span,
): readonly number[] {
  const span = fillIdsBetween(source, fromMillis, toMillis)
  return fillSources(source, wallet, undefined, span).flatMap((ids) =>
    ids.newest(span.fromId, span.toId, Number.MAX_SAFE_INTEGER),
  )
}
