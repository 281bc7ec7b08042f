import type { HistoryDatabase } from './history-schema.js'
import type { SelectAll } from './select.js'

/** Tables whose ids rise with time: the columns of both. */
const columns = {
  orders: ['order_id', 'created_millis'],
  fills: ['fill_id', 'millis'],
  trades: ['trade_id', 'millis'],
} as const

export type TimedTable = keyof typeof columns

/**
 * The lowest id from which on rows are of `millis` or later, found by halving, as there is no index by time.
 * @returns one above the highest where all are older.
 */
export function firstIdSince(database: HistoryDatabase, table: TimedTable, millis: number): number {
  const statements = new Map<string, ReturnType<HistoryDatabase['prepare']>>()
  const select: SelectAll = <T>(sql: string, values: readonly (string | number)[]) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values) as T[]
  }
  return firstIdBy(select, table, millis)
}

/** The same by a connection that answers queries. */
export function firstIdBy(select: SelectAll, table: TimedTable, millis: number): number {
  const [id, time] = columns[table]
  const highest = `select coalesce(max(${id}), 0) as id from ${table}`
  const from = `select ${id} as id, ${time} as millis from ${table} where ${id} >= ? order by ${id} limit 1`
  let low = 0
  let high = select<{ readonly id: number }>(highest, [])[0]!.id + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [row] = select<{ readonly id: number; readonly millis: number }>(from, [middle])
    if (row === undefined || row.millis >= millis) high = middle
    else low = row.id + 1
  }
  return low
}
