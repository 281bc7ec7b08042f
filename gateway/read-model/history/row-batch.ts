import type { RecordViews } from '../../../schemas/record-views.js'
import type { HistoryDatabase } from './history-schema.js'
import { type Column, type Event, type Given, insertSql, type Table, type Value } from './table.js'

// A statement costs as much to start as some rows to insert: beyond eight there is little to win.
const rowsMax = 8
const nothingGiven: Given = []

/** Rows of one table on their way into the store, several of them in one statement. */
export class RowBatch {
  readonly #one
  readonly #several
  readonly #reads: readonly Column<never>['read'][]
  readonly #event: Event | null
  readonly #isRow: (event: never) => boolean
  readonly #values: Value[] = []

  /** @param updatesWhere which rows that stand may be updated; '' all. */
  constructor(database: HistoryDatabase, table: Table, updatesWhere = '') {
    this.#reads = Object.values(table.columns).map(({ read }) => read)
    this.#event = table.event
    this.#isRow = table.isRow ?? (() => true)
    this.#one = database.prepare(insertSql(table, 1, updatesWhere))
    this.#several = database.prepare(insertSql(table, rowsMax, updatesWhere))
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
    for (let at = 0; at < values.length; at += columns) {
      this.#one.run(values.slice(at, at + columns))
    }
    values.length = 0
  }

  #end(): void {
    if (this.#values.length < rowsMax * this.#reads.length) return
    this.#several.run(this.#values)
    this.#values.length = 0
  }
}
