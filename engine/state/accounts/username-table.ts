import { assert } from '../../../schemas/assert.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

/** A wallet's names. */
export interface Names {
  /** That it goes by; empty: none. */
  readonly username: string
  /** That it has asked for, and the operator has yet to judge; empty: none. */
  readonly pending: string
}

const noNames: Names = { username: '', pending: '' }

class Row extends AccountRow implements Names {
  username = ''
  pending = ''

  constructor(account: number) {
    super(account, HashKind.Username)
  }

  get isEmpty(): boolean {
    return this.username === '' && this.pending === ''
  }

  protected saveFacts(sink: StateSink): void {
    sink.text(this.username)
    sink.text(this.pending)
  }
}

/**
 * Names of wallets. A name that somebody goes by or has asked for is nobody else's: whoever asks first has it, and of
 * what the operator is to judge there is never one name twice. A wallet has at most one of each kind, and what it
 * gives up is free at once.
 */
/** Names of wallets, of either kind. */
export class UsernameTable extends AccountRows<Row> {
  /** Account of each name that is taken. */
  readonly #holders = new Map<string, number>()

  namesOf(account: number): Names {
    return this.find(account) ?? noNames
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

  protected newRow(account: number): Row {
    return new Row(account)
  }

  protected loadFacts({ account }: Row, reader: StateReader): void {
    this.#set(account, reader.text(), reader.text())
  }

  #set(account: number, username: string, pending: string): void {
    assert(!this.isTaken(username, account), 'usernames: a name has one owner')
    assert(!this.isTaken(pending, account), 'usernames: one wallet requests a name')
    const row = this.rowOf(account)
    this.#holders.delete(row.username)
    this.#holders.delete(row.pending)
    row.username = username
    row.pending = pending
    if (username !== '') this.#holders.set(username, account)
    if (pending !== '') this.#holders.set(pending, account)
    this.settle(row)
  }
}
