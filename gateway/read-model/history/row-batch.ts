import { assert } from '../../../schemas/assert.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { entryOf } from './entry-of.js'
import type { HistoryDatabase } from './history-schema.js'
import { type Column, type Event, type Given, insertSql, type Table, type Value } from './table.js'

/** Numbers of rows of a statement, largest first: a statement costs several times as much as a row. */
const statementRows = [64, 8, 1] as const
const [rowsMax] = statementRows
const nothingGiven: Given = []

interface RowBatchOptions {
  /** SQL of the existing rows that may be updated; left out: all. */
  readonly updatesWhere?: string
}

/** Collects rows of one table and inserts many with one statement. */
export class RowBatch {
  readonly #columns: readonly Column<never>[]
  readonly #event: Event | null
  readonly #isRow: (event: never) => boolean
  readonly #statementOf
  #values: Value[] = []

  constructor(
    database: HistoryDatabase,
    table: Table,
    { updatesWhere = '' }: RowBatchOptions = {},
  ) {
    this.#columns = Object.values(table.columns)
    this.#event = table.event
    this.#isRow = table.isRow ?? (() => true)
    const statements = new Map<number, ReturnType<HistoryDatabase['prepare']>>()
    this.#statementOf = (rows: number) =>
      entryOf(statements, rows, () => database.prepare(insertSql(table, rows, updatesWhere)))
  }

  /** Adds a row of a table without an event. It is in the store after `flush` at the latest. */
  add(row: readonly Value[]): void {
    for (const value of row) this.#values.push(storable(value))
    this.#end()
  }

  /**
   * Adds the row of the event at `at`.
   * @param given values that the event does not have.
   * @returns false if the event has no row.
   */
  addEvent(views: RecordViews, at: number, given = nothingGiven): boolean {
    // The columns of a table read the type of its event.
    const event = this.#event as never
    this.#event?.over(views, at)
    if (!this.#isRow(event)) return false
    const columns = this.#columns
    for (let i = 0; i < columns.length; i++) {
      this.#values.push(storable(columns[i]!.read(event, given)))
    }
    this.#end()
    return true
  }

  flush(): void {
    const { length: width } = this.#columns
    const values = this.#values
    this.#values = []
    let at = 0
    for (const rows of statementRows) {
      for (const size = rows * width; values.length - at >= size; at += size) {
        this.#statementOf(rows).run(
          at === 0 && values.length === size ? values : values.slice(at, at + size),
        )
      }
    }
  }

  #end(): void {
    if (this.#values.length === rowsMax * this.#columns.length) this.flush()
  }
}

/** Clamps a number to the range in which a double is exact. */
function storable(value: Value): Value {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  assert(!Number.isNaN(value), 'row: a number is NaN')
  const absolute = Math.min(Math.round(Math.abs(value)), Number.MAX_SAFE_INTEGER)
  return value < 0 ? -absolute : absolute
}
