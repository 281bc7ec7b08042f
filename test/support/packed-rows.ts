import type { HistoryDatabase } from '../../gateway/read-model/history/history-schema.js'
import {
  changedOrders,
  endedOrders,
  keptClientIds,
  orders,
  packedTables,
  workingOrders,
} from '../../gateway/read-model/history/history-tables.js'
import { listsOf } from '../../gateway/read-model/history/id-lists.js'
import {
  BlockBatch,
  blocksOf,
  rowsBetween,
  selecting,
} from '../../gateway/read-model/history/row-blocks.js'
import {
  createSql,
  insertSql,
  type PackedTable,
  type Row,
  type Value,
} from '../../gateway/read-model/history/table.js'

const openOrderTables = [workingOrders, endedOrders, changedOrders, keptClientIds]

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

/** The store as it was before rows stood in blocks. */
export function asRowTables(database: HistoryDatabase): void {
  for (const table of packedTables) {
    database.exec(createSql(table))
    fillFrom(database, table)
    database.exec(`drop table ${blocksOf(table)}`)
    for (const { name } of listsOf(table)) database.exec(`drop table ${name}`)
  }
  for (const { name } of openOrderTables) database.exec(`drop table ${name}`)
  database.exec('alter table listed drop column first; pragma user_version = 5')
}

/** The store as it was when fills and trades stood in blocks, and orders did not. */
export function asOrderRows(database: HistoryDatabase): void {
  database.exec(createSql(orders))
  fillFrom(database, orders)
  database.exec(`drop table ${blocksOf(orders)}`)
  for (const { name } of listsOf(orders)) database.exec(`drop table ${name}`)
  for (const { name } of openOrderTables) database.exec(`drop table ${name}`)
  database.exec(
    'create table orders_by_phase (wallet, phase, order_id, primary key (wallet, phase, order_id)) without rowid;' +
      'insert into orders_by_phase select wallet, 1, order_id from orders;' +
      'create table orders_by_client (wallet, client_id, order_id, primary key (wallet, client_id, order_id)) without rowid;' +
      "insert into orders_by_client select wallet, client_id, order_id from orders where client_id <> '';" +
      'create table order_changes (order_id integer primary key);' +
      'insert into order_changes select max(order_id) from orders; pragma user_version = 7',
  )
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
