import type Database from 'libsql'
import { premiumMicros } from '../../../engine/risk/money.js'
import { fills, packedTables } from './history-tables.js'
import { IdLister } from './id-lists.js'
import { costChange } from './profit-tables.js'
import { BlockBatch } from './row-blocks.js'
import { addColumnsSql, type Column, type PackedTable, sqlName, type Value } from './table.js'

// A store of before rows stood in blocks has a table of rows for each of these, and lists with a row for each id.

/** Rows that are read at once. */
const chunkRows = 8192

const oldLists = ['fills_by_wallet', 'fills_by_run', 'trades_by_instrument', 'trades_by_underlying']

/** Gives old tables the columns that they lack. */
export function completeOldTables(database: Database.Database): void {
  for (const table of packedTables) {
    const known = database.prepare(`select name from pragma_table_info('${table.name}')`).all()
    const names = new Set((known as { readonly name: string }[]).map(({ name }) => name))
    if (names.size > 0) database.exec(addColumnsSql(table, names))
  }
}

/** Whether the store has such tables. */
export function hasOldTables(database: Database.Database): boolean {
  const sql = "select 1 from sqlite_schema where type = 'table' and name in ('fills', 'trades')"
  return database.prepare(sql).get() !== undefined
}

/** Brings their rows into blocks, in one transaction; lists are begun anew. */
export function packOldTables(database: Database.Database): void {
  database.exec('begin immediate')
  try {
    for (const table of packedTables) packRows(database, table)
    for (const list of oldLists) database.exec(`drop table if exists ${list}`)
    database.exec("update listed set last = 0 where name in ('fills', 'trades')")
    for (const table of packedTables) {
      const lister = new IdLister(database, table)
      while (!lister.takeUp());
    }
    database.exec('commit')
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

function packRows(database: Database.Database, table: PackedTable): void {
  const { name, columns } = table
  const key = sqlName(table.key[0]!)
  const names = Object.keys(columns as Record<string, Column<never>>)
  const selected = names.map(sqlName).join(', ')
  const batch = new BlockBatch(database, table)
  const next = database
    .prepare(`select ${selected} from ${name} where ${key} > ? order by ${key} limit ${chunkRows}`)
    .raw()
  const row: Record<string, Value> = {}
  for (let after = -1; ; ) {
    const rows = next.all(after) as unknown as Value[][]
    for (const values of rows) {
      for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]!
      if (table.name === fills.name) completeCost(row)
      batch.add(row)
    }
    batch.flush()
    if (rows.length < chunkRows) break
    after = row[table.key[0]!] as number
  }
  database.exec(`drop table ${name}`)
}

/** Fills did not always say what they change of the cost. */
function completeCost(row: Record<string, Value>): void {
  if (row['costMicros'] !== null) return
  const premium = premiumMicros(row['priceMicros'] as number, row['sizeLots'] as number)
  const side = row['side'] as number
  row['costMicros'] = costChange({ side }, row['realizedMicros'] as number, premium)
}
