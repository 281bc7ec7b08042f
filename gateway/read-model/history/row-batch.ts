import type { EventRecords } from '../event-text.js'
import type { HistoryDatabase } from './history-schema.js'
import { type Column, insertSql, readRow, type Table, type Value } from './table.js'

// A statement costs as much to start as some rows to insert: beyond eight there is little to win.
const rowsMax = 8
const nothingGiven: readonly number[] = []

/** Rows of one table on their way into the store, several of them in one statement. */
export class RowBatch {
  readonly #one
  readonly #several
  readonly #columns: readonly Column[]
  readonly #values: Value[] = []

  /** @param updatesWhere which rows that stand may be updated; '' all. */
  constructor(database: HistoryDatabase, table: Table, updatesWhere = '') {
    this.#columns = Object.values(table.columns)
    this.#one = database.prepare(insertSql(table, 1, updatesWhere))
    this.#several = database.prepare(insertSql(table, rowsMax, updatesWhere))
  }

  /** Takes one row; it is in the store after `flush`, or before. */
  add(row: readonly Value[]): void {
    for (const value of row) this.#values.push(value)
    this.#end()
  }

  /** Takes the row of the event at `at` in the same way. @param given values that the event does not have. */
  addEvent(records: EventRecords, at: number, given = nothingGiven): void {
    readRow(this.#columns, records, at, given, this.#values)
    this.#end()
  }

  flush(): void {
    const values = this.#values
    const columns = this.#columns.length
    for (let at = 0; at < values.length; at += columns) {
      this.#one.run(values.slice(at, at + columns))
    }
    values.length = 0
  }

  #end(): void {
    if (this.#values.length < rowsMax * this.#columns.length) return
    this.#several.run(this.#values)
    this.#values.length = 0
  }
}
