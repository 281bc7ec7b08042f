import type Database from 'libsql'
import type { RecordViews } from '../../../schemas/record-views.js'
import type { HistoryDatabase } from './history-schema.js'
import {
  type Column,
  type Event,
  type Given,
  insertSql,
  sqlName,
  type Table,
  type Value,
} from './table.js'

// A statement costs as much to start as some rows to insert.
const rowsMax = 32
const rowsSome = 4
const nothingGiven: Given = []

export interface RowBatchOptions {
  /** Which rows that stand may be updated; left out: all. */
  readonly updatesWhere?: string
  /** Told the id of each row that is new or was updated. */
  readonly onWritten?: (key: number) => void
}

/** Rows of one table on their way into the store, several of them in one statement. */
export class RowBatch {
  readonly #one
  readonly #some
  readonly #several
  readonly #reads: readonly Column<never>['read'][]
  readonly #event: Event | null
  readonly #isRow: (event: never) => boolean
  readonly #onWritten: ((key: number) => void) | null
  readonly #values: Value[] = []

  constructor(database: HistoryDatabase, table: Table, options: RowBatchOptions = {}) {
    const { updatesWhere = '', onWritten = null } = options
    this.#reads = Object.values(table.columns).map(({ read }) => read)
    this.#event = table.event
    this.#isRow = table.isRow ?? (() => true)
    this.#onWritten = onWritten
    const returning = onWritten === null ? '' : ` returning ${sqlName(table.key[0]!)} as key`
    const prepare = (rows: number) =>
      database.prepare(insertSql(table, rows, updatesWhere) + returning)
    this.#one = prepare(1)
    this.#some = prepare(rowsSome)
    this.#several = prepare(rowsMax)
  }

  /** Takes one row; it is in the store after `flush`, or before. */
  add(row: readonly Value[]): void {
    for (const value of row) this.#values.push(value)
    this.#end()
  }

  /**
   * Takes the row of the event at `at` in the same way.
   * @param given values that the event does not have.
   * @returns false when the event has no row.
   */
  addEvent(views: RecordViews, at: number, given = nothingGiven): boolean {
    // What the columns of a table read is its event.
    const event = this.#event as never
    this.#event?.over(views, at)
    if (!this.#isRow(event)) return false
    const reads = this.#reads
    for (let i = 0; i < reads.length; i++) this.#values.push(reads[i]!(event, given))
    this.#end()
    return true
  }

  flush(): void {
    const values = this.#values
    const columns = this.#reads.length
    const some = rowsSome * columns
    let at = 0
    for (; values.length - at >= some; at += some) {
      this.#run(this.#some, values.slice(at, at + some))
    }
    for (; at < values.length; at += columns) this.#run(this.#one, values.slice(at, at + columns))
    values.length = 0
  }

  #end(): void {
    if (this.#values.length < rowsMax * this.#reads.length) return
    this.#run(this.#several, this.#values)
    this.#values.length = 0
  }

  #run(statement: Database.Statement, values: readonly Value[]): void {
    if (this.#onWritten === null) statement.run(values)
    else for (const { key } of statement.all(values) as { key: number }[]) this.#onWritten(key)
  }
}
