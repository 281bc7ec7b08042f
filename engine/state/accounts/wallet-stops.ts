import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { type AccountRow, AccountRows } from './account-rows.js'

class Row implements AccountRow {
  readonly account: number
  isEmpty = false
  readonly cell = new HashCell(HashKind.WalletStop, this)

  constructor(account: number) {
    this.account = account
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
  }
}

/** Wallets whose trading is stopped, in the order in which they were stopped: each may only cancel. */
export class WalletStops {
  /** Rises with each change, for readers that keep a copy; no part of the state. */
  version = 0
  readonly #rows: AccountRows<Row>

  constructor(hash: StateHash) {
    this.#rows = new AccountRows(hash, (account) => new Row(account))
  }

  get size(): number {
    return this.#rows.size
  }

  get accounts(): Iterable<number> {
    return this.#rows.accounts()
  }

  has(account: number): boolean {
    return this.#rows.size > 0 && this.#rows.find(account) !== undefined
  }

  /** Stops or resumes a wallet. @returns false if it was so already. */
  set(account: number, isStopped: boolean): boolean {
    if (this.has(account) === isStopped) return false
    const row = this.#rows.rowOf(account)
    row.isEmpty = !isStopped
    this.#rows.settle(row)
    this.version++
    return true
  }

  save(sink: StateSink): void {
    this.#rows.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    this.#rows.load(reader, (row) => this.#rows.settle(row))
    this.version++
  }
}
