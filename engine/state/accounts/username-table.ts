import { assert } from '../../../schemas/assert.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { type AccountRow, AccountRows } from './account-rows.js'

/** A wallet's names. */
export interface Names {
  /** That it goes by; empty: none. */
  readonly username: string
  /** That it has asked for, and the operator has yet to judge; empty: none. */
  readonly pending: string
}

const noNames: Names = { username: '', pending: '' }

class Row implements Names, AccountRow {
  readonly account: number
  username = ''
  pending = ''
  readonly cell = new HashCell(HashKind.Username, this)

  constructor(account: number) {
    this.account = account
  }

  get isEmpty(): boolean {
    return this.username === '' && this.pending === ''
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
    sink.text(this.username)
    sink.text(this.pending)
  }
}

/**
 * Names of wallets. A name that somebody goes by or has asked for is nobody else's: whoever asks first has it, and of
 * what the operator is to judge there is never one name twice. A wallet has at most one of each kind, and what it
 * gives up is free at once.
 */
export class UsernameTable {
  readonly #rows: AccountRows<Row>
  /** Account of each name that is taken. */
  readonly #holders = new Map<string, number>()

  constructor(hash: StateHash) {
    this.#rows = new AccountRows(hash, (account) => new Row(account))
  }

  /** Accounts with a name of either kind. */
  get accounts(): Iterable<number> {
    return this.#rows.accounts()
  }

  namesOf(account: number): Names {
    return this.#rows.find(account) ?? noNames
  }

  /** Whether a name is another wallet's, or asked for by one. */
  isTaken(name: string, account: number): boolean {
    const holder = this.#holders.get(name)
    return holder !== undefined && holder !== account
  }

  /** The wallet has asked for a name that is nobody else's, in place of what it asked for before. */
  request(account: number, name: string): void {
    const { username } = this.namesOf(account)
    this.#set(account, username, name)
  }

  /** The wallet goes by a name that is nobody else's from here on, and has asked for none. */
  approve(account: number, name: string): void {
    this.#set(account, name, '')
  }

  /** What the wallet has asked for it does not get. */
  reject(account: number): void {
    const { username } = this.namesOf(account)
    this.#set(account, username, '')
  }

  save(sink: StateSink): void {
    this.#rows.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    this.#rows.load(reader, ({ account }) => this.#set(account, reader.text(), reader.text()))
  }

  #set(account: number, username: string, pending: string): void {
    assert(!this.isTaken(username, account), 'usernames: a name has one owner')
    assert(!this.isTaken(pending, account), 'usernames: one wallet requests a name')
    const row = this.#rows.rowOf(account)
    this.#holders.delete(row.username)
    this.#holders.delete(row.pending)
    row.username = username
    row.pending = pending
    if (username !== '') this.#holders.set(username, account)
    if (pending !== '') this.#holders.set(pending, account)
    this.#rows.settle(row)
  }
}
