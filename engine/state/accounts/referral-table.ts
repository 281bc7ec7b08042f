import { assert } from '../../../schemas/assert.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

const noAccount = -1

/** Code of one wallet, and its referrer. Neither changes once it is set. */
export class Referral extends AccountRow {
  /** '' if it has none. */
  code = ''
  createdMillis = 0
  /** Account of the referrer; -1 if it has none. */
  referrer = noAccount
  /** Serial number of the binding; 0 if there is none. */
  number = 0
  /**
   * An ancestor of this wallet in its referral tree, or its direct referrer. Derived; each walk to the top moves it up
   * (path compression), so that long chains are walked once.
   */
  above = noAccount
  readonly isEmpty = false

  constructor(account: number) {
    super(account, HashKind.Referral)
  }

  protected saveFacts(sink: StateSink): void {
    sink.text(this.code)
    sink.f64(this.createdMillis)
    sink.i32(this.referrer)
    sink.f64(this.number)
  }
}

/** Referral codes and referrers. A wallet without either has no row. */
export class ReferralTable extends AccountRows<Referral> {
  /** Account by code. */
  readonly #owners = new Map<string, number>()
  #bindings = 0

  /** Returns the account of a code in its stored spelling; -1 if no wallet has it. */
  ownerOf(code: string): number {
    return this.#owners.get(code) ?? noAccount
  }

  /** Gives an unused code to a wallet without one. */
  addCode(account: number, code: string, createdMillis: number): Referral {
    assert(code !== '' && this.ownerOf(code) === noAccount, 'referrals: a code has one owner')
    const row = this.rowOf(account)
    assert(row.code === '', 'referrals: a wallet has one code')
    row.code = code
    row.createdMillis = createdMillis
    this.#owners.set(code, account)
    this.settle(row)
    return row
  }

  /**
   * Returns true if the wallet, which has no referrer itself, referred the other wallet, directly or through others.
   */
  isAbove(account: number, referrer: number): boolean {
    return this.#topOf(referrer) === account
  }

  /** Binds a wallet without a referrer to one. `isAbove` must be false. */
  bind(account: number, referrer: number): Referral {
    assert(
      referrer >= 0 && !this.isAbove(account, referrer),
      'referrals: no wallet refers itself, even indirectly',
    )
    const row = this.rowOf(account)
    assert(row.referrer === noAccount, 'referrals: a wallet has one referrer')
    row.referrer = referrer
    row.above = referrer
    row.number = ++this.#bindings
    this.settle(row)
    return row
  }

  protected newRow(account: number): Referral {
    return new Referral(account)
  }

  protected loadFacts(row: Referral, reader: StateReader): void {
    row.code = reader.text()
    row.createdMillis = reader.f64()
    row.referrer = reader.i32()
    row.above = row.referrer
    row.number = reader.f64()
    if (row.code !== '') this.#owners.set(row.code, row.account)
    this.#bindings = Math.max(this.#bindings, row.number)
  }

  /** Returns the top of a wallet's referral tree, which has no referrer. */
  #topOf(account: number): number {
    let top = account
    for (let above = this.#above(top); above !== noAccount; above = this.#above(top)) top = above
    for (let place = account; place !== top; ) {
      const row = this.find(place)!
      place = row.above
      row.above = top
    }
    return top
  }

  #above(account: number): number {
    return this.find(account)?.above ?? noAccount
  }
}
