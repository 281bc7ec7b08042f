import { assert } from '../../../schemas/assert.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

/** Usernames of a wallet. */
export interface Names {
  /** Current name; empty if it has none. */
  readonly username: string
  /** Requested name that the operator has not judged yet; empty if there is none. */
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
 * Usernames of wallets. A name that is used or requested belongs to one wallet, the first to request it. The operator
 * therefore never judges one name for two wallets. A wallet has at most one name of each kind, and a name that it gives
 * up is free at once.
 */
export class UsernameTable extends AccountRows<Row> {
  /** Account of each name in use or requested. */
  readonly #holders = new Map<string, number>()

  namesOf(account: number): Names {
    return this.find(account) ?? noNames
  }

  /** Returns true if another wallet uses or has requested the name. */
  isTaken(name: string, account: number): boolean {
    const holder = this.#holders.get(name)
    return holder !== undefined && holder !== account
  }

  /** Sets the requested name of a wallet, which must be free; replaces an earlier request. */
  request(account: number, name: string): void {
    const { username } = this.namesOf(account)
    this.#set(account, username, name)
  }

  /** Sets the name of a wallet, which must be free, and clears its request. */
  approve(account: number, name: string): void {
    this.#set(account, name, '')
  }

  /** Clears the request of a wallet. */
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
