import { assert } from '../../schemas/assert.js'
import { grown } from '../memory/grown.js'

/** Exempt orders that a wallet may have: every check looks at all subsets of their fills. */
export const exemptOrdersMax = 3
/** While a replace is under way, its old order and the new one are both there. */
export const exemptOrdersHeld = exemptOrdersMax + 1

/** By account, the slots of its working orders that are exempt, in no particular order. */
export class ExemptTable {
  count = new Uint8Array(64)
  #slots = new Int32Array(64 * exemptOrdersHeld)

  /** Slot of an account's exempt order, `index` below its count. */
  slotAt(account: number, index: number): number {
    return this.#slots[account * exemptOrdersHeld + index]
  }

  add(account: number, slot: number): void {
    assert(account >= 0 && slot >= 0, 'risk: account and slot are valid')
    const count = this.count[account]
    assert(count < exemptOrdersHeld, 'risk: a wallet has so many exempt orders at most')
    this.#slots[account * exemptOrdersHeld + count] = slot
    this.count[account] = count + 1
  }

  remove(account: number, slot: number): void {
    const from = account * exemptOrdersHeld
    const last = from + this.count[account] - 1
    let place = from
    while (place < last && this.#slots[place] !== slot) place++
    assert(place <= last && this.#slots[place] === slot, 'risk: an exempt order ends once')
    this.#slots[place] = this.#slots[last]
    this.count[account]--
  }

  grow(accounts: number): void {
    this.count = grown(this.count, new Uint8Array(accounts))
    this.#slots = grown(this.#slots, new Int32Array(accounts * exemptOrdersHeld))
  }
}
