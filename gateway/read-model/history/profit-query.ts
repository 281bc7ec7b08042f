import { formatMicros } from '../../../schemas/decimal.js'
import type { ProfilePast } from '../../wire/profile-parts.js'
import { allIds, idsBetween } from './fill-pages.js'
import { idsBy } from './history-lists.js'
import { fills } from './history-tables.js'
import {
  bucketIntervals,
  type EntrySource,
  entrySources,
  lastSummed,
  ProfitSource,
  sumsOf,
} from './profit-sums.js'
import type { HistorySource } from './select.js'

/** What events of one instrument, or of one source, add up to. */
export interface Sums {
  lots: number
  costMicros: number
  /** Fees taken off. */
  realizedMicros: number
  events: number
}

/** By instrument, or `ProfitSource`. */
export type WalletSums = Map<number, Sums>

/** A row of sums as the store gives it. */
export interface SumRow extends Readonly<Sums> {
  readonly about: number
}

/** A span of time, the first millisecond and the first one behind it. */
export interface Span {
  readonly fromMillis: number
  readonly toMillis: number
}

const [shortMillis, longMillis] = bucketIntervals
const sumNames = 'lots, cost_micros as costMicros, realized_micros as realizedMicros, events'

const selected = `select start_millis as millis, instrument as about, ${sumNames} from`
const daysSql = `${selected} profits where start_millis >= ?1 and start_millis < ?2 and wallet = ?3`
const bucketsSql =
  'with recursive starts (start) as ' +
  `(select ?1 union all select start + ${shortMillis} from starts where start + ${shortMillis} < ?2) ` +
  `${selected} starts cross join profit_buckets on start_millis = start and wallet = ?3`

/** What sums without an instrument are called: as no symbol is. */
const sourceNames: Readonly<Record<number, string>> = {
  [ProfitSource.Funding]: 'funding',
  [ProfitSource.Liquidation]: 'liquidation',
  [ProfitSource.BuilderFee]: 'builder_fees',
}

/** Everything that the wallet's events add up to. */
export function totalsOf(source: HistorySource, wallet: string): WalletSums {
  const sums: WalletSums = new Map()
  const totals =
    'sum(lots) as lots, sum(cost_micros) as costMicros, sum(realized_micros) as realizedMicros'
  const sql =
    `select instrument as about, ${totals}, sum(events) as events from profits where wallet = ? ` +
    'group by instrument'
  for (const row of source.select<SumRow>(sql, [wallet])) add(sums, row)
  for (const row of pendingOf(source, wallet)) add(sums, row)
  return sums
}

/** Rows that the sums do not have yet, with their time. */
export function pendingOf(
  { select }: HistorySource,
  wallet: string,
): readonly (SumRow & { readonly millis: number })[] {
  return entrySources.flatMap((entries) => {
    const { table, key, instrument, lots, cost, realized, events } = entries
    const sql =
      `select ${instrument} as about, ${lots} as lots, ${cost} as costMicros, ` +
      `${realized} as realizedMicros, ${events} as events, millis from ${table} ` +
      `where wallet = ? and ${key} > ${lastSummed(entries)}`
    return select<SumRow & { millis: number }>(sql, [wallet])
  })
}

/**
 * What the wallet's events of a span add up to: of whole days and whole five minutes their sums, and rows only at both
 * ends.
 */
export function sumsBetween(source: HistorySource, wallet: string, span: Span): WalletSums {
  const sums: WalletSums = new Map()
  const addAll = (rows: readonly SumRow[]) => {
    for (const row of rows) add(sums, row)
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
    addAll(bucketsBetween(source, wallet, shortMillis, whole))
    return sums
  }
  const { fromMillis: firstDay, toMillis: lastDay } = days
  const before = { fromMillis: whole.fromMillis, toMillis: firstDay }
  const behind = { fromMillis: lastDay, toMillis: whole.toMillis }
  addAll(bucketsBetween(source, wallet, shortMillis, before))
  addAll(bucketsBetween(source, wallet, longMillis, days))
  addAll(bucketsBetween(source, wallet, shortMillis, behind))
  return sums
}

/** Sums of whole days or five minutes, each with its start. */
export function bucketsBetween(
  { select }: HistorySource,
  wallet: string,
  intervalMillis: (typeof bucketIntervals)[number],
  { fromMillis, toMillis }: Span,
): readonly (SumRow & { readonly millis: number })[] {
  if (fromMillis >= toMillis) return []
  return select(intervalMillis === longMillis ? daysSql : bucketsSql, [
    ...[fromMillis, toMillis, wallet],
  ])
}

/** When the wallet first had anything; null: it never had. */
export function firstMillisOf({ select }: HistorySource, wallet: string): number | null {
  const times = ['transfers', 'cash_changes'].map((table) => {
    const sql = `select min(millis) as millis from ${table} where wallet = ?`
    return select<{ millis: number | null }>(sql, [wallet])[0]!.millis
  })
  const known = times.filter((millis) => millis !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** What was realized, by symbol; what belongs to none has names of its own. */
export function realizedRows(source: HistorySource, sums: WalletSums) {
  const rows = new Map<string, { realizedMicros: number; events: number }>()
  const symbols = namesOf(source, sums)
  for (const [about, { realizedMicros, events }] of sums) {
    if (isMoneyBrought(about) || (realizedMicros === 0 && events === 0)) continue
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

/** Micros that were realized, over everything. */
export function realizedOf(sums: WalletSums): number {
  let micros = 0
  for (const [about, { realizedMicros }] of sums) {
    if (!isMoneyBrought(about)) micros += realizedMicros
  }
  return micros
}

/** What a profile has of the past, for the gateway that puts it together. */
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

/** Symbols of instruments, and names of what has none. */
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

export function isMoneyBrought(about: number): boolean {
  return about === ProfitSource.Deposit || about === ProfitSource.Withdrawal
}

export function add(sums: WalletSums, row: SumRow): void {
  const { about, lots, costMicros, realizedMicros, events } = row
  const known = sums.get(about)
  if (known === undefined) {
    sums.set(about, { lots, costMicros, realizedMicros, events })
    return
  }
  known.lots += lots
  known.costMicros += costMicros
  known.realizedMicros += realizedMicros
  known.events += events
}

export function takeAway(sums: WalletSums, row: SumRow): void {
  const { about, lots, costMicros, realizedMicros, events } = row
  add(sums, {
    about,
    lots: -lots,
    costMicros: -costMicros,
    realizedMicros: -realizedMicros,
    events: -events,
  })
}

/** The whole intervals of a span; null: it has none. */
function wholeOf({ fromMillis, toMillis }: Span, intervalMillis: number): Span | null {
  const first = Math.ceil(fromMillis / intervalMillis) * intervalMillis
  const last = Math.floor(toMillis / intervalMillis) * intervalMillis
  return first < last ? { fromMillis: first, toMillis: last } : null
}

/** Sums of rows, whether sums have them or not. */
function rowsBetween(source: HistorySource, wallet: string, span: Span): readonly SumRow[] {
  const { fromMillis, toMillis } = span
  if (fromMillis >= toMillis) return []
  return entrySources.flatMap((entries) =>
    entries.table === fills.name
      ? fillsBetween(source, entries, wallet, span)
      : source.select<SumRow>(
          `${summed(entries)} where wallet = ? and millis >= ? and millis < ? group by about`,
          [wallet, fromMillis, toMillis],
        ),
  )
}

function fillsBetween(
  source: HistorySource,
  entries: EntrySource,
  wallet: string,
  { fromMillis, toMillis }: Span,
): readonly SumRow[] {
  const { fromId, toId } = idsBetween(source, fromMillis, toMillis)
  if (fromId >= Math.min(toId, allIds.toId)) return []
  return idsBy(fills, 'fills_by_wallet', [wallet]).flatMap(([ids, ...values]) =>
    source.select<SumRow>(
      `${summed(entries)} where fill_id in (${ids} and fill_id >= ? and fill_id < ?) group by about`,
      [...values, fromId, toId],
    ),
  )
}

function summed(entries: EntrySource): string {
  const [lots, cost, realized, events] = sumsOf(entries)
  return (
    `select ${entries.instrument} as about, ${lots} as lots, ${cost} as costMicros, ` +
    `${realized} as realizedMicros, ${events} as events from ${entries.table}`
  )
}
