import type Database from 'libsql'
import { premiumMicros } from '../../../engine/risk/money.js'
import { openTaker } from './history-lists.js'
import { fills, orders, packedTables } from './history-tables.js'
import { IdLister } from './id-lists.js'
import { OpenOrders } from './open-orders.js'
import { costChange } from './profit-tables.js'
import { BlockBatch, highestId, selecting } from './row-blocks.js'
import { addColumnsSql, type Column, type PackedTable, sqlName, type Value } from './table.js'

// A store of before rows stood in blocks has a table of rows for each of these, and lists with a row for each id.

/** Rows that are read at once. */
const chunkRows = 8192
/** Between two notes: a store of many millions of rows takes minutes. */
const noteMillis = 5000

const oldLists = [
  ...['fills_by_wallet', 'fills_by_run', 'trades_by_instrument', 'trades_by_underlying'],
  ...['orders_by_phase', 'orders_by_client', 'order_changes'],
]

/** Hears something worth a line in the log. */
export type OnNote = (text: string) => void

/** Gives old tables the columns that they lack. */
export function completeOldTables(database: Database.Database): void {
  for (const table of oldTablesOf(database)) {
    const known = database.prepare(`select name from pragma_table_info('${table.name}')`).all()
    const names = new Set((known as { readonly name: string }[]).map(({ name }) => name))
    database.exec(addColumnsSql(table, names))
  }
}

/** Whether the store has such tables. */
export function hasOldTables(database: Database.Database): boolean {
  return oldTablesOf(database).length > 0
}

function oldTablesOf(database: Database.Database): readonly PackedTable[] {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  const names = new Set((tables as { readonly name: string }[]).map(({ name }) => name))
  return packedTables.filter(({ name }) => names.has(name))
}

/** Brings their rows into blocks, in one transaction; lists are begun anew. */
export function packOldTables(database: Database.Database, onNote: OnNote): void {
  const tables = oldTablesOf(database)
  database.exec('begin immediate')
  try {
    for (const table of tables) packRows(database, table, onNote)
    for (const list of oldLists) database.exec(`drop table if exists ${list}`)
    for (const table of tables) listRows(database, table, onNote)
    database.exec('commit')
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

function packRows(database: Database.Database, table: PackedTable, onNote: OnNote): void {
  const { name, columns } = table
  const key = sqlName(table.key[0]!)
  const names = Object.keys(columns as Record<string, Column<never>>)
  const selected = names.map(sqlName).join(', ')
  const batch = new BlockBatch(database, table)
  const next = database
    .prepare(`select ${selected} from ${name} where ${key} > ? order by ${key} limit ${chunkRows}`)
    .raw()
  const highest = database.prepare(`select coalesce(max(${key}), 0) as id from ${name}`).get()
  const { id: lastId } = highest as { readonly id: number }
  const progress = new Progress(`${name} are packed`, lastId, onNote)
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
    progress.reach(after)
  }
  database.exec(`drop table ${name}`)
}

function listRows(database: Database.Database, table: PackedTable, onNote: OnNote): void {
  database.exec(`update listed set last = 0 where name = '${table.name}'`)
  const isOrders = table.name === orders.name
  const onOpen = isOrders ? openTaker(new OpenOrders(database)) : () => {}
  const lister = new IdLister(database, table, onOpen)
  const lastId = highestId(selecting(database), table)
  const progress = new Progress(`${table.name} are listed`, lastId, onNote)
  while (!lister.takeUp()) progress.reach(lister.last)
}

/** Says how far something has come, every few seconds. */
class Progress {
  readonly #what: string
  readonly #lastId: number
  readonly #onNote: OnNote
  #notedMillis = performance.now()

  /** @param what is under way. @param lastId with which it ends; ids are about as dense everywhere. */
  constructor(what: string, lastId: number, onNote: OnNote) {
    this.#what = what
    this.#lastId = lastId
    this.#onNote = onNote
  }

  reach(id: number): void {
    const nowMillis = performance.now()
    if (nowMillis - this.#notedMillis < noteMillis) return
    this.#notedMillis = nowMillis
    const percent = Math.floor((100 * id) / this.#lastId)
    this.#onNote(`the store is brought to this release: ${this.#what}, ${percent} % done`)
  }
}

/** Fills did not always say what they change of the cost. */
function completeCost(row: Record<string, Value>): void {
  if (row['costMicros'] !== null) return
  const premium = premiumMicros(row['priceMicros'] as number, row['sizeLots'] as number)
  const side = row['side'] as number
  row['costMicros'] = costChange({ side }, row['realizedMicros'] as number, premium)
}
