import assert from 'node:assert/strict'
import type { HistoryDatabase } from '../../gateway/read-model/history/history-schema.js'
import { fills, orders, trades } from '../../gateway/read-model/history/history-tables.js'
import { rowsBetween, selecting } from '../../gateway/read-model/history/stored-rows.js'
import { sqlName, type Table } from '../../gateway/read-model/history/table.js'
import { type FillIds, orderIdOfFill } from '../../gateway/wire/combo-fill.js'
import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { orderStatusNames, sideNames, tifNames } from '../../schemas/domain.js'
import { type Result, resultRows } from '../../schemas/results.js'

export const exportKinds = ['fills', 'orders', 'trades'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Selects the rows to export. */
export interface ExportFilter {
  readonly kind: ExportKind
  /** Lower-case address; null: all wallets. */
  readonly wallet: string | null
  /** Unix milliseconds: `fromMillis` is inclusive, `toMillis` exclusive. */
  readonly fromMillis: number
  readonly toMillis: number
}

/** Exported row, with column names and units of the public interface. */
export type ExportRow = Readonly<Record<string, string | number | null>>

/** Columns with a wallet, by kind. */
const walletColumns: Readonly<Record<ExportKind, readonly string[]>> = {
  fills: ['wallet'],
  orders: ['wallet'],
  trades: ['maker', 'taker'],
}

/** Yields rows by rising id. Reads one page of the store at a time. */
export function* exportRows(database: HistoryDatabase, filter: ExportFilter): Generator<ExportRow> {
  const { kind, wallet } = filter
  const table = tableOf(kind)
  const symbols = symbolsOf(database)
  for (const row of storedRows(database, filter)) {
    const isTheirs = wallet === null || walletColumns[kind].some((name) => row[name] === wallet)
    const symbol = symbols.get(row['instrument'] as number) ?? null
    if (!isTheirs) continue
    const shown = kind === 'fills' ? { ...row, orderId: orderIdOfFill(idsOf(row)) } : row
    yield shownRow(table, { ...shown, symbol })
  }
}

type StoredRow = Readonly<Record<string, unknown>>

function idsOf({ orderId, fillId }: StoredRow): FillIds {
  return { orderId: Number(orderId), fillId: Number(fillId) }
}

function symbolsOf(database: HistoryDatabase): ReadonlyMap<number, string> {
  const rows = database.prepare('select instrument_id as id, symbol from instruments').all()
  return new Map((rows as { id: number; symbol: string }[]).map(({ id, symbol }) => [id, symbol]))
}

function* storedRows(
  database: HistoryDatabase,
  { kind, fromMillis, toMillis }: ExportFilter,
): Generator<StoredRow> {
  const table = tableOf(kind)
  const rows = rowsBetween(selecting(database), table, 0, Number.MAX_SAFE_INTEGER)
  for (const row of rows as Iterable<StoredRow>) {
    const millis = row[table.timedBy!] as number
    if (millis >= fromMillis && millis < toMillis) yield row
  }
}

/** Returns the column names of a kind, in order. */
export function exportColumns(kind: ExportKind): readonly string[] {
  return Object.keys(shownRow(tableOf(kind), {}))
}

/** Returns the names of the columns with text that clients choose. */
export function freeColumns(kind: ExportKind): ReadonlySet<string> {
  const free = Object.entries(tableOf(kind).columns).filter(([, { isFree }]) => isFree)
  return new Set(free.map(([column]) => shownName(column)))
}

function tableOf(kind: ExportKind): Table {
  return { fills, orders, trades }[kind] as unknown as Table
}

/** Formats a row: amounts and sizes as decimals, times as ISO 8601, enumeration values by name. */
function shownRow(table: Table, row: StoredRow): ExportRow {
  const shown: Record<string, string | number | null> = {}
  for (const [column, { isInternal }] of Object.entries(table.columns)) {
    if (isInternal) continue
    const name = shownName(column)
    assert(!Object.hasOwn(shown, name), 'export: two columns would have one name')
    shown[name] = shownValue(column, (row[column] ?? null) as string | number | null)
    if (column === 'instrument') shown['symbol'] = (row['symbol'] ?? null) as string | null
  }
  return shown
}

/** Names that do not follow from their column's name and unit. */
const ownNames: Readonly<Record<string, string>> = { filledMicros: 'filled_cost', millis: 'time' }

function shownName(column: string): string {
  const own = ownNames[column]
  if (own !== undefined) return own
  return sqlName(column)
    .replace(/_(micros|lots)$/, '')
    .replace(/_millis$/, '_at')
}

function shownValue(column: string, value: string | number | null): string | number | null {
  if (value === null) return null
  if (column.endsWith('Micros')) return formatMicros(Number(value))
  if (column.endsWith('Lots')) return formatLots(Number(value))
  if (column === 'millis' || column.endsWith('Millis')) return timeText(Number(value))
  const names = enumerations[column]
  if (names !== undefined) return names[Number(value)] ?? value
  return column === 'result' ? resultRows[value as Result].code : value
}

/** Names of enumeration values, by column. */
const enumerations: Readonly<Record<string, readonly string[]>> = {
  side: sideNames,
  takerSide: sideNames,
  tif: tifNames,
  status: orderStatusNames,
}

function timeText(millis: number): string {
  return new Date(millis).toISOString()
}
