import type { HistoryDatabase } from './history-schema.js'

/** Tables whose ids rise with time: the columns of both. */
const columns = {
  orders: ['order_id', 'created_millis'],
  fills: ['fill_id', 'millis'],
  trades: ['trade_id', 'millis'],
} as const

export type TimedTable = keyof typeof columns

/** The first row of a statement. */
export type SelectOne = <T>(sql: string, values: readonly number[]) => T | undefined

/**
 * The lowest id from which on rows are of `millis` or later, found by halving, as there is no index by time.
 * @returns one above the highest where all are older.
 */
export function firstIdBy(one: SelectOne, table: TimedTable, millis: number): number {
  const [id, time] = columns[table]
  const from = `select ${id} as id, ${time} as millis from ${table} where ${id} >= ? order by ${id} limit 1`
  let low = 0
  let high =
    one<{ readonly id: number }>(`select coalesce(max(${id}), 0) as id from ${table}`, [])!.id + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = one<{ readonly id: number; readonly millis: number }>(from, [middle])
    if (row === undefined || row.millis >= millis) high = middle
    else low = row.id + 1
  }
  return low
}

/** `firstIdBy`, of a connection. */
export function firstIdSince(database: HistoryDatabase, table: TimedTable, millis: number): number {
  const statements = new Map<string, ReturnType<HistoryDatabase['prepare']>>()
  const one: SelectOne = <T>(sql: string, values: readonly number[]) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.get(...values) as T | undefined
  }
  return firstIdBy(one, table, millis)
}
