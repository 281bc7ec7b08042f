import { assert } from '../../../schemas/assert.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

const nobody = -1

/** The code of one wallet, and who has brought it here. Neither ever changes once it is there. */
export class Referral extends AccountRow {
  /** '': none. */
  code = ''
  createdMillis = 0
  /** Account of the referrer; -1: none. */
  referrer = nobody
  /** Of the binding: rises by one with each; 0: there is none. */
  number = 0
  /**
   * Another wallet above this one, nearer to the top of its tree, or itself: derived, and moved up by whoever walks it,
   * so that long chains are walked once.
   */
  above = nobody
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

  /** Account of a code as it is kept; -1: nobody has it. */
  ownerOf(code: string): number {
    return this.#owners.get(code) ?? nobody
  }

  /** Gives a wallet without a code one that nobody has. */
  addCode(account: number, code: string, createdMillis: number): Referral {
    assert(code !== '' && this.ownerOf(code) === nobody, 'referrals: a code has one owner')
    const row = this.rowOf(account)
    assert(row.code === '', 'referrals: a wallet has one code')
    row.code = code
    row.createdMillis = createdMillis
    this.#owners.set(code, account)
    this.settle(row)
    return row
  }

  /** Whether the wallet, which has no referrer itself, has brought the referrer here, over however many others. */
  isAbove(account: number, referrer: number): boolean {
    return this.#topOf(referrer) === account
  }

  /** Says who has brought a wallet here that has no referrer; `isAbove` has been asked. */
  bind(account: number, referrer: number): Referral {
    assert(
      referrer >= 0 && !this.isAbove(account, referrer),
      'referrals: no wallet refers itself, even indirectly',
    )
    const row = this.rowOf(account)
    assert(row.referrer === nobody, 'referrals: a wallet has one referrer')
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

  /** The wallet at the top of a wallet's tree, which nobody has brought here. */
  #topOf(account: number): number {
    let top = account
    for (let above = this.#above(top); above !== nobody; above = this.#above(top)) top = above
    for (let place = account; place !== top; ) {
      const row = this.find(place)!
      place = row.above
      row.above = top
    }
    return top
  }

  #above(account: number): number {
    return this.find(account)?.above ?? nobody
  }
}
