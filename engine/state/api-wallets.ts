import { apiWalletNameBytes, apiWalletsMax } from '../../schemas/bounds.js'
import { addressBytes } from '../../schemas/wallet.js'
import { areBytesEqual } from '../memory/bytes.js'
import type { Saved, StateReader, StateSink } from '../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../memory/state-hash.js'

/** A key that may sign directives for trading. */
export interface ApiWallet {
  /** 32 bytes. */
  readonly name: Uint8Array
  /** 20 bytes. */
  readonly address: Uint8Array
}

/** What one account has set up. */
class Row implements Saved {
  readonly account: number
  /** In the order in which their names came. */
  wallets: readonly ApiWallet[] = []
  /** 0: never set. */
  abstraction = 0
  readonly cell = new HashCell(HashKind.ApiWallets, this)

  constructor(account: number) {
    this.account = account
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
    sink.i32(this.abstraction)
    sink.i32(this.wallets.length)
    for (const { name, address } of this.wallets) {
      sink.bytes(name)
      sink.bytes(address)
    }
  }

  /** Names of what is not as in another row. */
  differences(other: Row): readonly string[] {
    const isSame = ({ name, address }: ApiWallet, place: number) => {
      const theirs = other.wallets[place]
      return (
        theirs !== undefined &&
        areBytesEqual(name, 0, theirs.name, 0, apiWalletNameBytes) &&
        areBytesEqual(address, 0, theirs.address, 0, addressBytes)
      )
    }
    const hasSame = this.wallets.length === other.wallets.length && this.wallets.every(isSame)
    return [
      ...(hasSame ? [] : ['wallets']),
      ...(this.abstraction === other.abstraction ? [] : ['abstraction']),
    ]
  }
}

/**
 * What owners have set by directives: keys that may sign directives for trading, at most `apiWalletsMax` of an account,
 * each under a name, and the account's abstraction. An address may be a key of several accounts, and of one under
 * several names: each directive names its account, so what is signed is good for one alone.
 */
export class ApiWallets {
  /** By account, in the order in which they were first set up; an account without any has no row. */
  readonly #rows = new Map<number, Row>()
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** Whether the address at `source[at]` is a key of the account. */
  has(account: number, source: Uint8Array, at: number): boolean {
    if (this.#rows.size === 0) return false
    const row = this.#rows.get(account)
    if (row === undefined) return false
    for (const { address } of row.wallets) {
      if (areBytesEqual(address, 0, source, at, addressBytes)) return true
    }
    return false
  }

  /** Keys of an account. */
  of(account: number): readonly ApiWallet[] {
    return this.#rows.get(account)?.wallets ?? []
  }

  /** The key of this name, or null. */
  named(account: number, source: Uint8Array, at: number): ApiWallet | null {
    const isNamed = ({ name }: ApiWallet) => areBytesEqual(name, 0, source, at, apiWalletNameBytes)
    return this.of(account).find(isNamed) ?? null
  }

  abstractionOf(account: number): number {
    return this.#rows.get(account)?.abstraction ?? 0
  }

  /** Whether the account may have one more name. */
  hasRoom(account: number): boolean {
    return this.of(account).length < apiWalletsMax
  }

  /** A key under a name that has none; its bytes are kept. */
  add(account: number, wallet: ApiWallet): void {
    const row = this.#rowOf(account)
    row.wallets = [...row.wallets, wallet]
    this.#settle(row)
  }

  /** Takes a key of the account away; the others keep their order. */
  remove(account: number, wallet: ApiWallet): void {
    const row = this.#rowOf(account)
    row.wallets = row.wallets.filter((other) => other !== wallet)
    this.#settle(row)
  }

  setAbstraction(account: number, abstraction: number): void {
    const row = this.#rowOf(account)
    row.abstraction = abstraction
    this.#settle(row)
  }

  /** All that there is, by account. */
  rows(): readonly Row[] {
    return [...this.#rows.values()].sort((one, other) => one.account - other.account)
  }

  save(sink: StateSink): void {
    sink.i32(this.#rows.size)
    for (const row of this.rows()) row.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    for (let count = reader.i32(); count > 0; count--) {
      const row = this.#rowOf(reader.i32())
      row.abstraction = reader.i32()
      row.wallets = Array.from({ length: reader.i32() }, () => ({
        name: reader.bytes(apiWalletNameBytes).slice(),
        address: reader.bytes(addressBytes).slice(),
      }))
      this.#settle(row)
    }
  }

  #rowOf(account: number): Row {
    let row = this.#rows.get(account)
    if (row === undefined) {
      row = new Row(account)
      this.#rows.set(account, row)
    }
    return row
  }

  #settle(row: Row): void {
    const isEmpty = row.wallets.length === 0 && row.abstraction === 0
    if (!isEmpty) this.#hash.note(row.cell)
    else {
      this.#hash.drop(row.cell)
      this.#rows.delete(row.account)
    }
  }
}
