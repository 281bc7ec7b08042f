import type { HistoryDatabase } from '../../gateway/read-model/history/history-schema.js'
import { RowBatch } from '../../gateway/read-model/history/row-batch.js'
import { rowsBetween, selecting } from '../../gateway/read-model/history/stored-rows.js'
import type { Row, Table, Value } from '../../gateway/read-model/history/table.js'

/** Returns every row of a table, in the order of the ids. */
export function storedRows<T extends Table>(database: HistoryDatabase, table: T): Row<T>[] {
  return [...rowsBetween(selecting(database), table, 0, Number.MAX_SAFE_INTEGER)]
}

/** Stores rows. A missing value is null if its column allows it, else 0. */
export function putRows<T extends Table>(
  database: HistoryDatabase,
  table: T,
  rows: readonly Partial<Row<T>>[],
): void {
  const batch = new RowBatch(database, table)
  for (const row of rows as readonly Readonly<Record<string, Value>>[]) {
    const values = Object.entries(table.columns as Table['columns']).map(([name, { type }]) => {
      return row[name] ?? (type.includes('not null') ? 0 : null)
    })
    batch.add(values)
  }
  batch.flush()
}
