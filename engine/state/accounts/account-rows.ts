import { assert } from '../../../schemas/assert.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, type HashKind, type StateHash } from '../../memory/state-hash.js'

/** Row of a table with data of one account, an element of the hash. It saves the account first. */
export abstract class AccountRow implements Saved {
  readonly account: number
  readonly cell: HashCell
  /** True if the row has no data; the table then removes it. */
  abstract readonly isEmpty: boolean

  constructor(account: number, kind: HashKind) {
    this.account = account
    this.cell = new HashCell(kind, this)
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
    this.saveFacts(sink)
  }

  /** Writes the data after the account. */
  protected abstract saveFacts(sink: StateSink): void
}

/** Rows of a table by account, in order of insertion. */
export abstract class AccountRows<Row extends AccountRow> {
  protected readonly hash: StateHash
  readonly #rows = new Map<number, Row>()

  constructor(hash: StateHash) {
    this.hash = hash
  }

  /** Number of accounts with a row. */
  get size(): number {
    return this.#rows.size
  }

  get accounts(): Iterable<number> {
    return this.#rows.keys()
  }

  rows(): Iterable<Row> {
    return this.#rows.values()
  }

  find(account: number): Row | undefined {
    return this.#rows.get(account)
  }

  save(sink: StateSink): void {
    sink.i32(this.#rows.size)
    for (const row of this.#rows.values()) row.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    for (let count = reader.i32(); count > 0; count--) {
      const account = reader.i32()
      assert(!this.#rows.has(account), 'account rows: a snapshot has one row per account')
      const row = this.rowOf(account)
      this.loadFacts(row, reader)
      this.settle(row)
    }
  }

  /** Returns the account's row, and adds one if it has none. `settle` must follow. */
  protected rowOf(account: number): Row {
    const known = this.#rows.get(account)
    if (known !== undefined) return known
    assert(account >= 0, 'account rows: the account index is valid')
    const row = this.newRow(account)
    this.#rows.set(account, row)
    return row
  }

  /** Updates the hash after a change of the row, or removes the row if it is empty. */
  protected settle(row: Row): void {
    // A removed row would leave the state hash twice.
    assert(this.#rows.get(row.account) === row, 'account rows: the row belongs to this table')
    if (!row.isEmpty) this.hash.note(row.cell)
    else {
      this.#rows.delete(row.account)
      this.hash.drop(row.cell)
    }
  }

  protected abstract newRow(account: number): Row

  /** Reads the data that the row saved after its account. */
  protected abstract loadFacts(row: Row, reader: StateReader): void
}
