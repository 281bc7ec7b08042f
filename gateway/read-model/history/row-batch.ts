import type { RecordViews } from '../../../schemas/record-views.js'
import { addressBytes } from '../../../schemas/wallet.js'
import type { HistoryDatabase } from './history-schema.js'
import { asciiPairs, writeCount, writeInteger } from './row-digits.js'
import {
  type Column,
  type Event,
  fieldBytes,
  type Given,
  insertFromFieldsSql,
  isOptionalText,
  type Table,
  type Value,
} from './table.js'

/** More rows in one statement save nothing. */
const rowsMax = 64
const textsBytesFirst = 4096
/** Of a character as a string counts them. */
const utf8BytesMax = 3
/** Texts begin behind a byte that none of them has: SQLite takes no bytes at all for none. */
const textsBegin = 1
const nothingGiven: Given = []
const addressPrefix = asciiPairs(['0x'])[0]!
const hexPairs = asciiPairs(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')),
)

interface RowBatchOptions {
  /** Which rows that stand may be updated; left out: all. */
  readonly updatesWhere?: string
}

/**
 * Rows of one table on their way into the store, several of them in one statement.
 *
 * To hand SQLite a value costs more than to store it, so rows are handed over all at once, as fields at fixed places that
 * its own functions take apart:
 *
 *      rows    | number | address | place of a text | ... | number | address | place of a text | ...
 *      texts   | text | text | ...
 */
export class RowBatch {
  readonly #statement
  /** For rows without any text that is optional. */
  readonly #statementOfMost
  readonly #columns: readonly Column<never>[]
  readonly #fieldBytes: readonly number[]
  readonly #rowBytes: number
  readonly #event: Event | null
  readonly #isRow: (event: never) => boolean
  readonly #bytes: Uint8Array
  readonly #words: Uint32Array
  readonly #pairs: Uint16Array
  #rows = 0
  #texts = Buffer.alloc(textsBytesFirst)
  #textsBytes = textsBegin
  #hasOptional = false

  constructor(database: HistoryDatabase, table: Table, options: RowBatchOptions = {}) {
    const { updatesWhere = '' } = options
    this.#columns = Object.values(table.columns)
    this.#fieldBytes = this.#columns.map(fieldBytes)
    this.#rowBytes = this.#fieldBytes.reduce((sum, bytes) => sum + bytes, 0)
    this.#event = table.event
    this.#isRow = table.isRow ?? (() => true)
    this.#bytes = new Uint8Array(rowsMax * this.#rowBytes)
    this.#words = new Uint32Array(this.#bytes.buffer)
    this.#pairs = new Uint16Array(this.#bytes.buffer)
    const numbers = Array.from({ length: rowsMax }, (_, number) => `(${number})`).join(', ')
    database.exec('create temp table if not exists row_numbers (number integer primary key)')
    database.exec(`insert or ignore into row_numbers values ${numbers}`)
    const prepare = (hasOptional: boolean) =>
      database.prepare(insertFromFieldsSql(table, hasOptional, updatesWhere))
    this.#statement = prepare(true)
    this.#statementOfMost = this.#columns.some(isOptionalText) ? prepare(false) : this.#statement
  }

  /** Takes a row of a table that has no event; it is in the store after `flush`, or before. */
  add(row: readonly Value[]): void {
    let at = this.#rows * this.#rowBytes
    for (let i = 0; i < row.length; i++) {
      const value = row[i]!
      if (typeof value === 'number') writeInteger(this.#words, at >> 2, value)
      else this.#writeText(at, value, isOptionalText(this.#columns[i]!))
      at += this.#fieldBytes[i]!
    }
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
    const columns = this.#columns
    let fieldAt = this.#rows * this.#rowBytes
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!
      if (column.addressAt !== undefined) {
        this.#writeAddress(fieldAt, views.u8, column.addressAt(event))
      } else {
        const value = column.read(event, given)
        if (typeof value === 'number') writeInteger(this.#words, fieldAt >> 2, value)
        else this.#writeText(fieldAt, value, isOptionalText(column))
      }
      fieldAt += this.#fieldBytes[i]!
    }
    this.#end()
    return true
  }

  flush(): void {
    if (this.#rows === 0) return
    const rows = this.#bytes.subarray(0, this.#rows * this.#rowBytes)
    const values = [rows, this.#rows, this.#texts.subarray(0, this.#textsBytes)]
    const statement = this.#hasOptional ? this.#statement : this.#statementOfMost
    this.#rows = 0
    this.#textsBytes = textsBegin
    this.#hasOptional = false
    statement.run(values)
  }

  #end(): void {
    this.#rows++
    if (this.#rows === rowsMax) this.flush()
  }

  #writeAddress(at: number, source: Uint8Array, sourceAt: number): void {
    const pairs = this.#pairs
    let pair = at >> 1
    pairs[pair++] = addressPrefix
    for (let i = 0; i < addressBytes; i++) pairs[pair++] = hexPairs[source[sourceAt + i]]!
  }

  /** None is written as the empty one. */
  #writeText(at: number, text: string | null, isOptional: boolean): void {
    let bytes = 0
    if (text !== null && text !== '') {
      if (isOptional) this.#hasOptional = true
      this.#reserveTexts(text.length * utf8BytesMax)
      bytes = this.#texts.write(text, this.#textsBytes)
    }
    writeCount(this.#words, at >> 2, this.#textsBytes + 1)
    writeCount(this.#words, (at >> 2) + 2, bytes)
    this.#textsBytes += bytes
  }

  #reserveTexts(bytes: number): void {
    const needed = this.#textsBytes + bytes
    if (needed <= this.#texts.length) return
    const texts = Buffer.alloc(2 * needed)
    this.#texts.copy(texts, 0, 0, this.#textsBytes)
    this.#texts = texts
  }
}
