import type { HistoryDatabase } from '../../gateway/read-model/history/history-schema.js'
import { orders, packedTables } from '../../gateway/read-model/history/history-tables.js'
import { rowsBetween, selecting } from '../../gateway/read-model/history/row-blocks.js'
import { sqlName, type Table } from '../../gateway/read-model/history/table.js'
import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { orderStatusNames, sideNames, tifNames } from '../../schemas/domain.js'
import { type Result, resultRows } from '../../schemas/results.js'

export const exportKinds = ['fills', 'orders', 'trades'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Which rows are wanted. */
export interface ExportFilter {
  readonly kind: ExportKind
  /** Lower-case address; null: everybody's. */
  readonly wallet: string | null
  /** Unix milliseconds: from this one on, and before that one. */
  readonly fromMillis: number
  readonly toMillis: number
}

/** A row as it is written: names of columns with units as the interface has them. */
export type ExportRow = Readonly<Record<string, string | number | null>>

/** Columns of wallets, by kind. */
const walletColumns: Readonly<Record<ExportKind, readonly string[]>> = {
  fills: ['wallet'],
  orders: ['wallet'],
  trades: ['maker', 'taker'],
}
/** Rows of one query: a cursor of the store is let go between two, so that a venue's own writer is never held up. */
const rowsAtOnce = 2000

/** Rows in the order of their ids, a page of the store at a time. */
export function* exportRows(database: HistoryDatabase, filter: ExportFilter): Generator<ExportRow> {
  const { kind, wallet } = filter
  const table = tableOf(kind)
  const symbols = symbolsOf(database)
  const rows = kind === 'orders' ? orderRows(database, filter) : packedRows(database, filter)
  for (const row of rows) {
    const isTheirs = wallet === null || walletColumns[kind].some((name) => row[name] === wallet)
    const symbol = symbols.get(row['instrument'] as number) ?? null
    if (isTheirs) yield shownRow(table, { ...row, symbol })
  }
}

type StoredRow = Readonly<Record<string, unknown>>

function symbolsOf(database: HistoryDatabase): ReadonlyMap<number, string> {
  const rows = database.prepare('select instrument_id as id, symbol from instruments').all()
  return new Map((rows as { id: number; symbol: string }[]).map(({ id, symbol }) => [id, symbol]))
}

function* packedRows(
  database: HistoryDatabase,
  { kind, fromMillis, toMillis }: ExportFilter,
): Generator<StoredRow> {
  const table = packedTables.find(({ name }) => name === kind)!
  const select = selecting(database)
  for (const row of rowsBetween(select, table, 0, Number.MAX_SAFE_INTEGER)) {
    if (row.millis >= fromMillis && row.millis < toMillis) yield row
  }
}

function* orderRows(
  database: HistoryDatabase,
  { fromMillis, toMillis }: ExportFilter,
): Generator<StoredRow> {
  const columns = Object.keys(orders.columns).map((name) => `${sqlName(name)} as ${name}`)
  const statement = database.prepare(
    `select ${columns.join(', ')} from ${orders.name} where order_id > ? ` +
      `and created_millis >= ? and created_millis < ? order by order_id limit ${rowsAtOnce}`,
  )
  for (let after = -1; ; ) {
    const rows = statement.all(after, fromMillis, toMillis) as StoredRow[]
    yield* rows
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!['orderId'] as number
  }
}

/** Names of a kind's columns, in their order. */
export function exportColumns(kind: ExportKind): readonly string[] {
  return Object.keys(shownRow(tableOf(kind), {}))
}

function tableOf(kind: ExportKind): Table {
  return [orders, ...packedTables].find(({ name }) => name === kind)! as unknown as Table
}

/** Columns as they are declared: amounts and sizes in decimals, times in ISO 8601, numbers of enumerations by name. */
function shownRow(table: Table, row: StoredRow): ExportRow {
  const shown: Record<string, string | number | null> = {}
  for (const column of Object.keys(table.columns)) {
    const value = (row[column] ?? null) as string | number | null
    const [name, text] = shownValue(column, value)
    shown[name] = text
    if (column === 'instrument') shown['symbol'] = (row['symbol'] ?? null) as string | null
  }
  return shown
}

function shownValue(
  column: string,
  value: string | number | null,
): [string, string | number | null] {
  const name = sqlName(column)
  const nameOf = (names: readonly string[]): [string, string | number | null] => {
    return [name, value === null ? null : (names[Number(value)] ?? value)]
  }
  if (column.endsWith('Micros')) return [cut(name, '_micros'), textOf(value, formatMicros)]
  if (column.endsWith('Lots')) return [cut(name, '_lots'), textOf(value, formatLots)]
  if (column === 'millis') return ['time', textOf(value, timeText)]
  if (column.endsWith('Millis')) return [`${cut(name, '_millis')}_at`, textOf(value, timeText)]
  if (column === 'side' || column === 'takerSide') return nameOf(sideNames)
  if (column === 'tif') return nameOf(tifNames)
  if (column === 'status') return nameOf(orderStatusNames)
  if (column === 'result') return [name, value === null ? null : resultRows[value as Result].code]
  return [name, value]
}

function textOf(value: string | number | null, format: (value: number) => string): string | null {
  return value === null ? null : format(Number(value))
}

function timeText(millis: number): string {
  return new Date(millis).toISOString()
}

function cut(name: string, unit: string): string {
  return name.slice(0, -unit.length)
}
