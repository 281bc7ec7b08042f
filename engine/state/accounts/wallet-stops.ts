import type { StateReader } from '../../memory/state-codec.js'
import { HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

class Row extends AccountRow {
  isEmpty = false

  constructor(account: number) {
    super(account, HashKind.WalletStop)
  }

  protected saveFacts(): void {}
}

/** Stopped wallets, in the order in which they were stopped. A stopped wallet may only cancel. */
export class WalletStops extends AccountRows<Row> {
  /** Increases with each change, for readers that keep a copy; not part of the state. */
  version = 0

  has(account: number): boolean {
    return this.size > 0 && this.find(account) !== undefined
  }

  /**
   * Stops or resumes a wallet.
   * @returns false if nothing changed.
   */
  set(account: number, isStopped: boolean): boolean {
    if (this.has(account) === isStopped) return false
    const row = this.rowOf(account)
    row.isEmpty = !isStopped
    this.settle(row)
    this.version++
    return true
  }

  override load(reader: StateReader): void {
    super.load(reader)
    this.version++
  }

  protected newRow(account: number): Row {
    return new Row(account)
  }

  protected loadFacts(): void {}
}
