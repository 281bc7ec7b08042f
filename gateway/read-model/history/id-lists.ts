import { underlyingsMax } from '../../../schemas/bounds.js'
import type { HistoryDatabase } from './history-schema.js'
import { isWorking, listedTables, orders } from './history-tables.js'
import { idOf, type ListOptions, sqlName, type Table } from './table.js'

// A list finds the ids of rows by a key, as an index does: orders by wallet and status or client id, fills by wallet and
// instrument, trades by underlying and instrument. An index would touch a page for nearly every row, wherever in the index the row's wallet is. A list absorbs
// thousands of rows at once, sorted, as its next run. The newest rows are in no run yet, and a search scans them:
//
//      table, by id    | rows 1 to 16,384 | rows 16,385 to 32,768 | ... | pending rows |
//                               |                    |
//      list            | run 1: sorted    | run 2: sorted         | ...
//                      | by key           | by key                |
//
// A run never changes. So an order that works when its run is built stays unlisted: ordinary indexes find those few.

/** Rows that no list has yet and changes since, from which on the lists absorb them. */
const pendingRowsMax = 131_072
/** Rows of one run at most, which are absorbed in one transaction. */
const runRowsMax = 16_384
/** The newest orders that stay pending, by their numbers: most orders work for a short time. */
const ordersLeft = 8192

/** One list of a table. */
export interface IdList extends ListOptions {
  readonly name: string
}

export function listsOf({ lists = {} }: Table): readonly IdList[] {
  return Object.entries(lists).map(([name, options]) => ({ name, ...options }))
}

/** Condition on the rows of a table that its lists hold. */
export function listedWhere({ where }: ListOptions): string {
  return where === undefined ? '' : ` and ${where}`
}

/** SQL of the runs of all lists, and of the lists of a table. The lists of a table have the same runs. */
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
        `${idOf(table)} integer not null, primary key (${names})) without rowid;`
      )
    })
    .join('\n')
}

/** Lists of one table, for the store's writer and within its transactions. */
export class TableLists {
  readonly #next
  readonly #addRun
  readonly #absorb
  readonly #leave
  readonly #newest
  /** The newest run, and the last id that the lists have passed. */
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
    this.#absorb = listsOf(table).map((list) => {
      const names = [...list.by.map(sqlName), id].join(', ')
      return database.prepare(
        `insert into ${list.name} select ?1, ${names} from ${name} ` +
          `where ${isWithin}${listedWhere(list)} order by ${names}`,
      )
    })
    this.#leave =
      table.name === orders.name
        ? database.prepare(
            `update ${name} set is_unlisted = 1 where ${id} >= ? and ${id} <= ? and ${isWorking}`,
          )
        : null
    this.look()
  }

  get last(): number {
    return this.#last
  }

  /** Reads how far the runs are. */
  look(): void {
    const newest = this.#newest.get() as { readonly run: number; readonly id: number }
    this.#run = newest.run
    this.#last = newest.id
  }

  /**
   * Absorbs the rows of one run.
   * @param idsLeft newest ids that stay pending.
   * @returns whether there are no more.
   */
  absorb(idsLeft = 0): boolean {
    const { last, rows } = this.#next.get(this.#last, idsLeft) as { last: number; rows: number }
    if (rows === 0) return true
    const values = [++this.#run, this.#last + 1, last]
    this.#leave?.run(this.#last + 1, last)
    for (const absorb of this.#absorb) absorb.run(...values)
    this.#addRun.run(...values)
    this.#last = last
    return rows < runRowsMax
  }
}

/** All lists, for the store's writer and within its transactions. */
export class Lists {
  readonly #database: HistoryDatabase
  readonly #lists: readonly TableLists[]
  readonly #orders: TableLists
  /** Rows and changes since; what a store has left from before counts as enough. */
  #pendingRows = pendingRowsMax
  /** Place of the table that is next. */
  #turn = 0

  constructor(database: HistoryDatabase) {
    this.#database = database
    this.#lists = listedTables.map((table) => new TableLists(database, table))
    this.#orders = this.#lists[listedTables.indexOf(orders)]!
  }

  /** Drops the runs that have passed an order: it changes, which only an accepted loss does to an order of theirs. */
  dropOrdersFrom(orderId: number): void {
    dropRunsFrom(this.#database, orders, orderId)
    this.#orders.look()
    this.#pendingRows = pendingRowsMax
  }

  /** Whether the lists have passed this order. */
  hasPassed(orderId: number): boolean {
    return orderId <= this.#orders.last
  }

  /** Counts rows that were written or changed. */
  addPending(rows: number): void {
    this.#pendingRows += rows
  }

  get isDue(): boolean {
    return this.#pendingRows >= pendingRowsMax
  }

  /** Absorbs a run of one table, so that no transaction is long. The lists stay due while there is more. */
  absorb(): void {
    const lists = this.#lists[this.#turn]!
    if (!lists.absorb(lists === this.#orders ? ordersLeft * underlyingsMax : 0)) return
    this.#turn = (this.#turn + 1) % this.#lists.length
    if (this.#turn === 0) this.#pendingRows = 0
  }

  /** Absorbs a run of each table, the newest orders too. */
  absorbRest(): void {
    for (const lists of this.#lists) lists.absorb()
  }
}

/** Drops the runs of a table that have passed an id, within a transaction. The lists absorb the rows that are left again. */
export function dropRunsFrom(database: HistoryDatabase, table: Table, id: number): void {
  const passed = `from list_runs where table_name = '${table.name}' and last_id >= ?`
  for (const { name } of listsOf(table)) {
    database.prepare(`delete from ${name} where run in (select run ${passed})`).run(id)
  }
  database.prepare(`delete ${passed}`).run(id)
}

/** Drops what lists have of rows with low ids, within transactions of the store. */
export class OldRuns {
  readonly #shorten
  readonly #drop
  readonly #remove

  /** @param rowsMax rows of one list that go in one transaction. */
  constructor(database: HistoryDatabase, table: Table, rowsMax: number) {
    const ofTable = `table_name = '${table.name}'`
    this.#shorten = database.prepare(
      `update list_runs set first_id = ?1 where ${ofTable} and first_id < ?1`,
    )
    this.#drop = database.prepare(
      `delete from list_runs where ${ofTable} and first_id > last_id ` +
        `and run < (select max(run) from list_runs where ${ofTable})`,
    )
    this.#remove = listsOf(table).map(({ name, by }) => {
      const names = ['run', ...by.map(sqlName), idOf(table)].join(', ')
      return database.prepare(
        `delete from ${name} where (${names}) in (select ${names} from ${name} ` +
          `where run < (select min(run) from list_runs where ${ofTable}) limit ${rowsMax})`,
      )
    })
  }

  /** Rows with an id below are gone, or unlisted. */
  passBelow(id: number): void {
    this.#shorten.run(id)
    this.#drop.run()
  }

  /** Removes some rows of dropped runs. @returns whether there were any. */
  removeSome(): boolean {
    return this.#remove.map((remove) => remove.run().changes).some((changes) => changes > 0)
  }
}
