import type { HistoryDatabase } from '../../gateway/read-model/history/history-schema.js'
import { packedTables } from '../../gateway/read-model/history/history-tables.js'
import { BlockBatch, rowsBetween, selecting } from '../../gateway/read-model/history/row-blocks.js'
import {
  createSql,
  insertSql,
  type PackedTable,
  type Row,
  type Value,
} from '../../gateway/read-model/history/table.js'

/** Every row of a packed table, in the order of the ids. */
export function storedRows<T extends PackedTable>(database: HistoryDatabase, table: T): Row<T>[] {
  return [...rowsBetween(selecting(database), table, 0, Number.MAX_SAFE_INTEGER)]
}

/** Stores rows; what a row does not say is 0, or null where that may be. */
export function putRows<T extends PackedTable>(
  database: HistoryDatabase,
  table: T,
  rows: readonly Partial<Row<T>>[],
): void {
  const batch = new BlockBatch(database, table)
  const nothing = Object.entries(table.columns).map(([name, { type }]) => {
    return [name, type.includes('not null') ? 0 : null] as const
  })
  for (const row of rows) batch.add({ ...Object.fromEntries(nothing), ...row } as never)
  batch.flush()
}

/** Plain tables with the same rows, for searches in SQL that know nothing of blocks and lists; of this connection. */
export function mirrorRows(database: HistoryDatabase): void {
  for (const table of packedTables) {
    database.exec(`drop table if exists temp.${table.name}`)
    database.exec(createSql(table).replace('table if not exists', 'temp table'))
    fillFrom(database, table)
  }
}

function fillFrom(database: HistoryDatabase, table: PackedTable): void {
  const insert = database.prepare(insertSql(table, 1))
  const names = Object.keys(table.columns)
  database.exec('begin')
  for (const row of storedRows(database, table) as unknown as Record<string, Value>[]) {
    insert.run(names.map((name) => row[name]))
  }
  database.exec('commit')
}
