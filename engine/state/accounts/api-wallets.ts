import { assert } from '../../../schemas/assert.js'
import { apiWalletNameBytes, apiWalletsMax } from '../../../schemas/bounds.js'
import { addressBytes } from '../../../schemas/wallet.js'
import { areBytesEqual } from '../../memory/bytes.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

/** Key that may sign trading directives. */
export interface ApiWallet {
  /** 32 bytes. */
  readonly name: Uint8Array
  /** 20 bytes. */
  readonly address: Uint8Array
}

/** Settings of one account. */
class Row extends AccountRow {
  /** In order of insertion. */
  wallets: readonly ApiWallet[] = []
  /** 0 if never set. */
  abstraction = 0

  constructor(account: number) {
    super(account, HashKind.ApiWallets)
  }

  get isEmpty(): boolean {
    return this.wallets.length === 0 && this.abstraction === 0
  }

  protected saveFacts(sink: StateSink): void {
    sink.i32(this.abstraction)
    sink.i32(this.wallets.length)
    for (const { name, address } of this.wallets) {
      sink.bytes(name)
      sink.bytes(address)
    }
  }
}

/**
 * Settings that owners make by directives: the account's abstraction, and keys that may sign trading directives, at
 * most `apiWalletsMax` per account, each with a name. An address may be a key of several accounts, and have several
 * names in one. Each directive names its account, so a signature is valid for that account only.
 */
export class ApiWallets extends AccountRows<Row> {
  /** Returns true if the address at `source[at]` is a key of the account. */
  has(account: number, source: Uint8Array, at: number): boolean {
    if (this.size === 0) return false
    const row = this.find(account)
    if (row === undefined) return false
    for (const { address } of row.wallets) {
      if (areBytesEqual(address, 0, source, at, addressBytes)) return true
    }
    return false
  }

  /** Returns the keys of an account. */
  of(account: number): readonly ApiWallet[] {
    return this.find(account)?.wallets ?? []
  }

  /** Returns the key with this name, or null. */
  named(account: number, source: Uint8Array, at: number): ApiWallet | null {
    const isNamed = ({ name }: ApiWallet) => areBytesEqual(name, 0, source, at, apiWalletNameBytes)
    return this.of(account).find(isNamed) ?? null
  }

  abstractionOf(account: number): number {
    return this.find(account)?.abstraction ?? 0
  }

  /** Returns true if the account may have one more name. */
  hasRoom(account: number): boolean {
    return this.of(account).length < apiWalletsMax
  }

  /** Adds a key under a name that has none; keeps its bytes. */
  add(account: number, wallet: ApiWallet): void {
    assert(this.hasRoom(account), 'api wallets: the account has room for one more')
    assert(this.named(account, wallet.name, 0) === null, 'api wallets: a name has one key')
    const row = this.rowOf(account)
    row.wallets = [...row.wallets, wallet]
    this.settle(row)
  }

  /** Removes a key of the account; the others keep their order. */
  remove(account: number, wallet: ApiWallet): void {
    assert(this.of(account).includes(wallet), 'api wallets: the key exists')
    const row = this.rowOf(account)
    row.wallets = row.wallets.filter((other) => other !== wallet)
    this.settle(row)
  }

  setAbstraction(account: number, abstraction: number): void {
    const row = this.rowOf(account)
    row.abstraction = abstraction
    this.settle(row)
  }

  protected newRow(account: number): Row {
    return new Row(account)
  }

  protected loadFacts(row: Row, reader: StateReader): void {
    row.abstraction = reader.i32()
    row.wallets = Array.from({ length: reader.i32() }, () => ({
      name: reader.bytes(apiWalletNameBytes).slice(),
      address: reader.bytes(addressBytes).slice(),
    }))
  }
}
