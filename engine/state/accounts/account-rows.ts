import { assert } from '../../../schemas/assert.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import type { HashCell, StateHash } from '../../memory/state-hash.js'

/** What a table has of one account; it saves the account first. */
export interface AccountRow extends Saved {
  readonly account: number
  readonly cell: HashCell
  /** Whether it says nothing: such a row is none. */
  readonly isEmpty: boolean
}

/** Rows of a table by account, in the order in which they came, each an element of the hash. */
export class AccountRows<Row extends AccountRow> {
  readonly #rows = new Map<number, Row>()
  readonly #hash: StateHash
  readonly #newRow: (account: number) => Row

  constructor(hash: StateHash, newRow: (account: number) => Row) {
    this.#hash = hash
    this.#newRow = newRow
  }

  get size(): number {
    return this.#rows.size
  }

  accounts(): Iterable<number> {
    return this.#rows.keys()
  }

  values(): Iterable<Row> {
    return this.#rows.values()
  }

  find(account: number): Row | undefined {
    return this.#rows.get(account)
  }

  /** The account's row, a new one where it has none; `settle` follows. */
  rowOf(account: number): Row {
    const known = this.#rows.get(account)
    if (known !== undefined) return known
    assert(account >= 0, 'account rows: the account index is valid')
    const row = this.#newRow(account)
    this.#rows.set(account, row)
    return row
  }

  /** The row has changed; it goes where it says nothing any more. */
  settle(row: Row): void {
    // A removed row would leave the state hash twice.
    assert(this.#rows.get(row.account) === row, 'account rows: the row belongs to this table')
    if (!row.isEmpty) this.#hash.note(row.cell)
    else {
      this.#rows.delete(row.account)
      this.#hash.drop(row.cell)
    }
  }

  save(sink: StateSink): void {
    sink.i32(this.#rows.size)
    for (const row of this.#rows.values()) row.save(sink)
  }

  /** Reads what `save` wrote. @param loadRow reads what a row has saved behind its account, and settles it. */
  load(reader: StateReader, loadRow: (row: Row) => void): void {
    for (let count = reader.i32(); count > 0; count--) {
      const account = reader.i32()
      assert(!this.#rows.has(account), 'account rows: a snapshot has one row per account')
      loadRow(this.rowOf(account))
    }
  }
}
