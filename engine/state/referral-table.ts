import type { Saved, StateReader, StateSink } from '../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../memory/state-hash.js'

const nobody = -1

/** The code of one wallet, and who has brought it here. Neither ever changes once it is there. */
export class Referral implements Saved {
  readonly account: number
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
  readonly cell = new HashCell(HashKind.Referral, this)

  constructor(account: number) {
    this.account = account
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
    sink.text(this.code)
    sink.f64(this.createdMillis)
    sink.i32(this.referrer)
    sink.f64(this.number)
  }
}

/** Referral codes and referrers. A wallet without either has no row. */
export class ReferralTable {
  readonly #rows = new Map<number, Referral>()
  /** Account by code. */
  readonly #owners = new Map<string, number>()
  #bindings = 0
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** In the order in which they came. */
  rows(): Iterable<Referral> {
    return this.#rows.values()
  }

  find(account: number): Referral | undefined {
    return this.#rows.get(account)
  }

  /** Account of a code as it is kept; -1: nobody has it. */
  ownerOf(code: string): number {
    return this.#owners.get(code) ?? nobody
  }

  /** Gives a wallet without a code one that nobody has. */
  addCode(account: number, code: string, createdMillis: number): Referral {
    const row = this.#rowOf(account)
    row.code = code
    row.createdMillis = createdMillis
    this.#owners.set(code, account)
    this.#hash.note(row.cell)
    return row
  }

  /** Whether the wallet, which has no referrer itself, has brought the referrer here, over however many others. */
  isAbove(account: number, referrer: number): boolean {
    return this.#topOf(referrer) === account
  }

  /** Says who has brought a wallet here that has no referrer; `isAbove` has been asked. */
  bind(account: number, referrer: number): Referral {
    const row = this.#rowOf(account)
    row.referrer = referrer
    row.above = referrer
    row.number = ++this.#bindings
    this.#hash.note(row.cell)
    return row
  }

  save(sink: StateSink): void {
    sink.i32(this.#rows.size)
    for (const row of this.#rows.values()) row.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    for (let count = reader.i32(); count > 0; count--) {
      const row = this.#rowOf(reader.i32())
      row.code = reader.text()
      row.createdMillis = reader.f64()
      row.referrer = reader.i32()
      row.above = row.referrer
      row.number = reader.f64()
      if (row.code !== '') this.#owners.set(row.code, row.account)
      this.#bindings = Math.max(this.#bindings, row.number)
      this.#hash.note(row.cell)
    }
  }

  #rowOf(account: number): Referral {
    const known = this.#rows.get(account)
    if (known !== undefined) return known
    const row = new Referral(account)
    this.#rows.set(account, row)
    return row
  }

  /** The wallet at the top of a wallet's tree, which nobody has brought here. */
  #topOf(account: number): number {
    let top = account
    for (let above = this.#above(top); above !== nobody; above = this.#above(top)) top = above
    for (let place = account; place !== top; ) {
      const row = this.#rows.get(place)!
      place = row.above
      row.above = top
    }
    return top
  }

  #above(account: number): number {
    return this.#rows.get(account)?.above ?? nobody
  }
}
