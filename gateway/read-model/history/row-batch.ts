import type { HistoryDatabase } from './history-schema.js'

type Value = string | number | null

// A statement costs as much to start as some rows to insert: beyond eight there is little to win.
const rowsMax = 8

/** Rows of one table on their way into the store, several of them in one statement. */
export class RowBatch {
  readonly #one
  readonly #several
  readonly #columns: number
  readonly #values: Value[] = []

  /** @param into SQL up to the values. @param then SQL behind them. */
  constructor(database: HistoryDatabase, into: string, columns: number, then = '') {
    const places = `(${Array(columns).fill('?').join(', ')})`
    const insert = (rows: number) => `${into} values ${Array(rows).fill(places).join(', ')} ${then}`
    this.#columns = columns
    this.#one = database.prepare(insert(1))
    this.#several = database.prepare(insert(rowsMax))
  }

  /** Takes one row; it is in the store after `flush`, or before. */
  add(...row: readonly Value[]): void {
    for (const value of row) this.#values.push(value)
    if (this.#values.length < rowsMax * this.#columns) return
    this.#several.run(this.#values)
    this.#values.length = 0
  }

  flush(): void {
    const values = this.#values
    for (let at = 0; at < values.length; at += this.#columns) {
      this.#one.run(values.slice(at, at + this.#columns))
    }
    values.length = 0
  }
}
