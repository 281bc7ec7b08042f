import { assert } from '../../../schemas/assert.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, type HashKind, type StateHash } from '../../memory/state-hash.js'

/** What a table has of one account, an element of the hash. */
export abstract class AccountRow implements Saved {
  readonly account: number
  readonly cell: HashCell
  /** Whether it says nothing: such a row is none. */
  abstract readonly isEmpty: boolean

  constructor(account: number, kind: HashKind) {
    this.account = account
    this.cell = new HashCell(kind, this)
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
    this.saveFacts(sink)
  }

  /** Writes what follows the account. */
  protected abstract saveFacts(sink: StateSink): void
}

/** Rows of a table by account, in the order in which they came. */
export abstract class AccountRows<Row extends AccountRow> {
  protected readonly hash: StateHash
  readonly #rows = new Map<number, Row>()

  constructor(hash: StateHash) {
    this.hash = hash
  }

  /** How many accounts have a row. */
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

  /** The account's row, a new one where it has none; `settle` follows. */
  protected rowOf(account: number): Row {
    const known = this.#rows.get(account)
    if (known !== undefined) return known
    assert(account >= 0, 'account rows: the account index is valid')
    const row = this.newRow(account)
    this.#rows.set(account, row)
    return row
  }

  /** The row has changed; it goes where it says nothing any more. */
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

  /** Reads what the row has saved behind its account. */
  protected abstract loadFacts(row: Row, reader: StateReader): void
}
