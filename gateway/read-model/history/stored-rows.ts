import { entryOf } from './entry-of.js'
import type { HistoryDatabase } from './history-schema.js'
import { isAmong, type SelectAll } from './select.js'
import { columnsOf, idOf, type Row, sqlName, type Table, type Value } from './table.js'

// Rows of the tables whose ids rise with time: orders, fills and trades.

/** Number of rows that one statement reads. */
const rowsAtOnce = 1000

/** Yields the rows with `fromId <= id < belowId`, by rising id. */
export function* rowsBetween<T extends Table>(
  select: SelectAll,
  table: T,
  fromId: number,
  belowId: number,
): Generator<Row<T>> {
  const id = idOf(table)
  const sql =
    `select ${columnsOf(table)} from ${table.name} where ${id} >= ? and ${id} < ? ` +
    `order by ${id} limit ${rowsAtOnce}`
  for (let next = fromId; ; ) {
    const rows = select<Row<T>>(sql, [next, belowId])
    yield* rows
    if (rows.length < rowsAtOnce) return
    const last = rows.at(-1) as Readonly<Record<string, Value>>
    next = Number(last[table.key[0]!]) + 1
  }
}

/** Returns the rows of ids, newest first. */
export function rowsOfIds<T extends Table>(
  select: SelectAll,
  table: T,
  ids: readonly number[],
): Row<T>[] {
  const id = idOf(table)
  const [named, ...values] = isAmong(id, ids)
  const sql = `select ${columnsOf(table)} from ${table.name} where ${named} order by ${id} desc`
  return select<Row<T>>(sql, values)
}

/** Returns the highest id; 0: no row. */
export function highestId(select: SelectAll, table: Table): number {
  return idBy(select, table, 'max')
}

/** Returns the lowest id; 0: no row. */
export function lowestId(select: SelectAll, table: Table): number {
  return idBy(select, table, 'min')
}

function idBy(select: SelectAll, table: Table, which: 'max' | 'min'): number {
  const sql = `select coalesce(${which}(${idOf(table)}), 0) as id from ${table.name}`
  return select<{ readonly id: number }>(sql, [])[0]!.id
}

/**
 * Returns the lowest id of a row at or after `millis`; one above the highest id if all rows are older. Binary search, since
 * ids rise with time and there is no index by time.
 */
export function firstIdSince(select: SelectAll, table: Table, millis: number): number {
  const id = idOf(table)
  const sql =
    `select ${id} as id, ${sqlName(table.timedBy!)} as millis from ${table.name} ` +
    `where ${id} >= ? order by ${id} limit 1`
  let low = lowestId(select, table)
  let high = highestId(select, table) + 1
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    const [found] = select<{ readonly id: number; readonly millis: number }>(sql, [middle])
    if (found === undefined || found.millis >= millis) high = middle
    else low = found.id + 1
  }
  return low
}

/** Returns a function that runs queries on a connection and keeps their statements. */
export function selecting(database: HistoryDatabase): SelectAll {
  const statements = new Map<string, ReturnType<HistoryDatabase['prepare']>>()
  return <T>(sql: string, values: readonly (string | number)[]) => {
    return entryOf(statements, sql, () => database.prepare(sql)).all(values) as T[]
  }
}
