import type { HistoryDatabase } from './history-schema.js'

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
  const [id, time] = columns[table]
  const highest = database.prepare(`select coalesce(max(${id}), 0) as id from ${table}`)
  const from = database.prepare(
    `select ${id} as id, ${time} as millis from ${table} where ${id} >= ? order by ${id} limit 1`,
  )
  let low = 0
  let high = (highest.get() as { readonly id: number }).id + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = from.get(middle) as { readonly id: number; readonly millis: number } | undefined
    if (row === undefined || row.millis >= millis) high = middle
    else low = row.id + 1
  }
  return low
}
