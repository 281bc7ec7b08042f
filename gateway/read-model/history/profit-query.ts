import { formatMicros } from '../../../schemas/decimal.js'
import type { ProfilePast } from '../../wire/profile-parts.js'
import { fillIdsBetween, fillSources } from './id-queries.js'
import {
  type EntrySource,
  entryColumns,
  entrySources,
  fillEntries,
  lastSummed,
  openHour,
  openSpan,
  ProfitSource,
} from './profit-sums.js'
import { bucketIntervals, profitDays, profitHours, profitSpans } from './profit-tables.js'
import { type HistorySource, isAmong } from './select.js'
import { add, addPacked, type PackedSums, type SumRow, type WalletSums } from './wallet-sums.js'

export type TimedSumRow = SumRow & { readonly millis: number }

/** Sums of a whole interval, with its start. */
export interface Bucket {
  readonly millis: number
  readonly sums: PackedSums
}
export type BucketInterval = (typeof bucketIntervals)[number]

/** Time range: its first millisecond, and the first one after it. */
export interface Span {
  readonly fromMillis: number
  readonly toMillis: number
}

const [shortMillis, hourMillis, longMillis] = bucketIntervals
const allTime: Span = { fromMillis: 0, toMillis: Number.MAX_SAFE_INTEGER }
const openParts = bucketsSql(profitSpans.name, openSpan)
const daysSql =
  `select start_millis as millis, sums from ${profitDays.name} ` +
  'where start_millis >= ?1 and start_millis < ?2 and wallet = ?3 union all ' +
  [openParts, bucketsSql(profitHours.name, openHour)]
    .map((open) => within(open, longMillis))
    .join(' union all ')
const hoursSql = `${startsSql(hourMillis, profitHours.name)} union all ${within(openParts, hourMillis)}`
const spansSql = startsSql(shortMillis, profitSpans.name)
const sqlOf = { [shortMillis]: spansSql, [hourMillis]: hoursSql, [longMillis]: daysSql }

/** Returns the SQL of a wallet's sums of one start. */
function bucketsSql(name: string, start: string): string {
  return `select start_millis as millis, sums from ${name} where start_millis = ${start} and wallet = ?3`
}

/** Returns the SQL of sums in the range ?1 to ?2, with the start of the longer interval that contains them. */
function within(open: string, interval: number): string {
  const start = `millis / ${interval} * ${interval}`
  return `select ${start}, sums from (${open}) where ${start} >= ?1 and ${start} < ?2`
}

/** Returns the SQL of a wallet's sums in the range ?1 to ?2, each found by its start. */
function startsSql(interval: number, name: string): string {
  return (
    'with recursive starts (start) as ' +
    `(select ?1 union all select start + ${interval} from starts where start + ${interval} < ?2) ` +
    `select start_millis as millis, sums from starts cross join ${name} on start_millis = start and wallet = ?3`
  )
}

/** Names of sums without an instrument. No symbol has such a name. */
const sourceNames: Readonly<Record<number, string>> = {
  [ProfitSource.Funding]: 'funding',
  [ProfitSource.Liquidation]: 'liquidation',
  [ProfitSource.BuilderFee]: 'builder_fees',
}

/** Returns the sums of all events of a wallet. */
export function totalsOf(
  source: HistorySource,
  wallet: string,
  pending = pendingOf(source, wallet, longMillis),
): WalletSums {
  const sums: WalletSums = new Map()
  for (const day of bucketsBetween(source, wallet, longMillis, allTime)) addPacked(sums, day.sums)
  for (const row of pending) add(sums, row)
  return sums
}

/** Returns the sums of a wallet's entries that are not absorbed yet, by interval and instrument. */
export function pendingOf(
  { select }: HistorySource,
  wallet: string,
  intervalMillis: BucketInterval,
): readonly TimedSumRow[] {
  return [fillEntries, ...entrySources].flatMap((entries) => {
    const { table, key } = entries
    const sql =
      `select millis / ${intervalMillis} * ${intervalMillis} as millis, about, ` +
      'sum(lots) as lots, sum(costMicros) as costMicros, ' +
      'sum(realizedMicros) as realizedMicros, sum(events) as events from ' +
      `(select ${entryColumns(entries)}, millis from ${table} ` +
      `where wallet = ? and ${key} > ${lastSummed(entries)}) group by 1, 2`
    return select<TimedSumRow>(sql, [wallet])
  })
}

/**
 * Returns the sums of a wallet's events in a time range. Reads stored sums for whole days, hours and five minutes, and
 * rows only at both ends.
 */
export function sumsBetween(source: HistorySource, wallet: string, span: Span): WalletSums {
  const sums: WalletSums = new Map()
  const addAll = (rows: readonly SumRow[]) => {
    for (const row of rows) add(sums, row)
  }
  const addBetween = (span: Span, [interval, ...shorter]: readonly BucketInterval[]) => {
    if (interval === undefined) return addAll(rowsBetween(source, wallet, span))
    const whole = wholeOf(span, interval)
    if (whole === null) return addBetween(span, shorter)
    addBetween({ fromMillis: span.fromMillis, toMillis: whole.fromMillis }, shorter)
    for (const bucket of bucketsBetween(source, wallet, interval, whole)) {
      addPacked(sums, bucket.sums)
    }
    addBetween({ fromMillis: whole.toMillis, toMillis: span.toMillis }, shorter)
  }
  addBetween(span, [longMillis, hourMillis, shortMillis])
  const whole = wholeOf(span, shortMillis)
  if (whole === null) return sums
  const isWhole = ({ millis }: TimedSumRow) => millis >= whole.fromMillis && millis < whole.toMillis
  addAll(pendingOf(source, wallet, shortMillis).filter(isWhole))
  return sums
}

/** Returns the sums of whole intervals, each with its start. */
export function bucketsBetween(
  { select }: HistorySource,
  wallet: string,
  intervalMillis: BucketInterval,
  { fromMillis, toMillis }: Span,
): readonly Bucket[] {
  if (fromMillis >= toMillis) return []
  return select<Bucket>(sqlOf[intervalMillis], [fromMillis, toMillis, wallet])
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
  const [isFound, ...found] = isAmong('instrument_id', ids)
  const sql = `select instrument_id as id, symbol from instruments where ${isFound}`
  for (const { id, symbol } of select<{ id: number; symbol: string }>(sql, found)) {
    names.set(id, symbol)
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
