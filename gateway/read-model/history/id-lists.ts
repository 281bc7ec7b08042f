import { underlyingsMax } from '../../../schemas/bounds.js'
import type { HistoryDatabase } from './history-schema.js'
import { listedTables, orders } from './history-tables.js'
import { idOf, type ListOptions, sqlName, type Table } from './table.js'

// A list finds the ids of rows by a key, as an index does, but absorbs thousands of rows at once as a sorted run.
// `gateway/read-model/README.md` has the picture. A run never changes, so an order that works when its run is built
// stays unlisted, and ordinary indexes find it. An entry has its place in the run: the difference of two places is the
// number of entries between them.

/** Number of unlisted rows and changes at which the lists absorb them. */
const pendingRowsMax = 65_536
/** Largest number of rows in a run. One transaction absorbs one run. */
const runRowsMax = 32_768
/** Number of newest orders that stay pending: most orders end soon. */
const ordersLeft = 8192

/** One list of a table. */
export interface IdList extends ListOptions {
  readonly name: string
}

export function listsOf({ lists = {} }: Table): readonly IdList[] {
  return Object.entries(lists).map(([name, options]) => ({ name, ...options }))
}

/** Returns the SQL condition on rows in a list. */
export function listedWhere({ where }: ListOptions): string {
  return where === undefined ? '' : ` and ${where}`
}

/** SQL that creates the table of runs. All lists of a table have the same runs. */
export const createRunsSql =
  'create table if not exists list_runs (table_name text not null, run integer not null, ' +
  'first_id integer not null, last_id integer not null, primary key (table_name, run)) without rowid;'

export function createListsSql(table: Table): string {
  const { columns } = table
  return listsOf(table)
    .map(({ name, by }) => {
      const keys = by.map((column) => `${sqlName(column)} ${columns[column]!.type}`)
      const names = ['run', ...by.map(sqlName), idOf(table)].join(', ')
      return (
        `create table if not exists ${name} (run integer not null, ${keys.join(', ')}, ` +
        `${idOf(table)} integer not null, place integer not null, primary key (${names})) without rowid;`
      )
    })
    .join('\n')
}

/** Lists of one table. The store's writer uses them within its transactions. */
export class TableLists {
  readonly #next
  readonly #addRun
  readonly #absorb
  readonly #before
  readonly #dropEmpty
  readonly #newest
  /** The newest run and its last id. */
  #run = 0
  #last = 0

  constructor(database: HistoryDatabase, table: Table) {
    const id = idOf(table)
    const { name } = table
    const isWithin = `${id} >= ?2 and ${id} <= ?3`
    this.#newest = database.prepare(
      'select coalesce(max(run), 0) as run, coalesce(max(last_id), 0) as id from list_runs ' +
        `where table_name = '${name}'`,
    )
    this.#next = database.prepare(
      'select max(id) as last, count(*) as rows from ' +
        `(select ${id} as id from ${name} where ${id} > ?1 and ${id} <= ` +
        `(select max(${id}) from ${name}) - ?2 order by ${id} limit ${runRowsMax})`,
    )
    this.#addRun = database.prepare(`insert into list_runs values ('${name}', ?1, ?2, ?3)`)
    this.#dropEmpty = database.prepare(dropEmptySql(table))
    this.#absorb = listsOf(table).map((list) => {
      const names = [...list.by.map(sqlName), id].join(', ')
      return database.prepare(
        `insert into ${list.name} select ?1, ${names}, row_number() over (order by ${names}) ` +
          `from ${name} where ${isWithin}${listedWhere(list)}`,
      )
    })
    this.#before = table.beforeRun === undefined ? null : database.prepare(table.beforeRun)
    this.readNewestRun()
  }

  get last(): number {
    return this.#last
  }

  /** Reads the newest run from the store. */
  readNewestRun(): void {
    const newest = this.#newest.get() as { readonly run: number; readonly id: number }
    this.#run = newest.run
    this.#last = newest.id
  }

  /**
   * Absorbs the rows of one run.
   * @param idsLeft newest ids that stay pending.
   * @returns true if no pending rows are left.
   */
  absorb(idsLeft = 0): boolean {
    const { last, rows } = this.#next.get(this.#last, idsLeft) as { last: number; rows: number }
    if (rows === 0) return true
    const values = [++this.#run, this.#last + 1, last]
    this.#before?.run(values)
    for (const absorb of this.#absorb) absorb.run(...values)
    this.#addRun.run(...values)
    // Retention empties the newest run, but leaves it to keep the last id. Its first id would be above that of this run.
    this.#dropEmpty.run()
    this.#last = last
    return rows < runRowsMax
  }
}

/** All lists. The store's writer uses them within its transactions. */
export class Lists {
  readonly #database: HistoryDatabase
  readonly #lists: readonly TableLists[]
  readonly #orders: TableLists
  /** Rows and changes since the last absorption. An opened store starts at the limit. */
  #pendingRows = pendingRowsMax
  /** Index of the next table. */
  #turn = 0
  /** Rows and changes since the store was opened. */
  rows = 0

  constructor(database: HistoryDatabase) {
    this.#database = database
    this.#lists = listedTables.map((table) => new TableLists(database, table))
    this.#orders = this.#lists[listedTables.indexOf(orders)]!
  }

  /** Drops the runs from an order on. A listed order changes only after an accepted loss. */
  dropOrdersFrom(orderId: number): void {
    dropRunsFrom(this.#database, orders, orderId)
    this.#orders.readNewestRun()
    this.#pendingRows = pendingRowsMax
  }

  /** Returns true if a run covers the id of this order. */
  hasPassed(orderId: number): boolean {
    return orderId <= this.#orders.last
  }

  /** Counts rows that were written or changed. */
  addPending(rows: number): void {
    this.#pendingRows += rows
    this.rows += rows
  }

  get isDue(): boolean {
    return this.#pendingRows >= pendingRowsMax
  }

  /** Absorbs one run of one table, which keeps transactions short. The lists stay due while rows are pending. */
  absorb(): void {
    const lists = this.#lists[this.#turn]!
    if (!lists.absorb(lists === this.#orders ? ordersLeft * underlyingsMax : 0)) return
    this.#turn = (this.#turn + 1) % this.#lists.length
    if (this.#turn === 0) this.#pendingRows = 0
  }

  /** Absorbs one run of each table, including the newest orders. */
  absorbRest(): void {
    for (const lists of this.#lists) lists.absorb()
  }
}

/** Returns the statement that drops runs without rows. The newest run stays, because it has the last listed id. */
function dropEmptySql({ name }: Table): string {
  const ofTable = `from list_runs where table_name = '${name}'`
  return `delete ${ofTable} and first_id > last_id and run < (select max(run) ${ofTable})`
}

/** Drops the runs of a table from the one that contains an id. The lists later absorb the remaining rows again. */
export function dropRunsFrom(database: HistoryDatabase, table: Table, id: number): void {
  const ofTable = `from list_runs where table_name = '${table.name}'`
  const passed = `${ofTable} and last_id >= ?`
  for (const { name } of listsOf(table)) {
    // A new run may get the number of one that retention has dropped.
    database.exec(`delete from ${name} where run < (select min(run) ${ofTable})`)
    database.prepare(`delete from ${name} where run in (select run ${passed})`).run(id)
  }
  database.prepare(`delete ${passed}`).run(id)
}

/** Removes old ids from lists, within transactions of the store. */
export class OldRuns {
  readonly #shorten
  readonly #dropEmpty
  readonly #remove

  /** @param rowsMax largest number of rows that one transaction removes from a list. */
  constructor(database: HistoryDatabase, table: Table, rowsMax: number) {
    const ofTable = `table_name = '${table.name}'`
    this.#shorten = database.prepare(
      `update list_runs set first_id = ?1 where ${ofTable} and first_id < ?1`,
    )
    this.#dropEmpty = database.prepare(dropEmptySql(table))
    this.#remove = listsOf(table).map(({ name, by }) => {
      const names = ['run', ...by.map(sqlName), idOf(table)].join(', ')
      return database.prepare(
        `delete from ${name} where (${names}) in (select ${names} from ${name} ` +
          `where run < (select min(run) from list_runs where ${ofTable}) limit ${rowsMax})`,
      )
    })
  }

  /** Excludes lower ids: their rows were removed, or are unlisted. */
  passBelow(id: number): void {
    this.#shorten.run(id)
    this.#dropEmpty.run()
  }

  /** Removes some rows of dropped runs. @returns true if it found any. */
  removeSome(): boolean {
    return this.#remove.map((remove) => remove.run().changes).some((changes) => changes > 0)
  }
}
