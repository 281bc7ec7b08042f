import { assert } from '../../schemas/assert.js'
import { grown } from '../memory/grown.js'

/** Maximum number of risk-reducing orders of a wallet. Every check covers all subsets of their fills. */
export const riskReducingOrdersMax = 3
/** Maximum number of slots: during a replace, the old order and the new one both exist. */
export const riskReducingOrdersHeld = riskReducingOrdersMax + 1

/** By account, the slots of its working risk-reducing orders, in no particular order. */
export class RiskReducingTable {
  count = new Uint8Array(64)
  #slots = new Int32Array(64 * riskReducingOrdersHeld)

  /** Returns the slot of an account's risk-reducing order; `index` is below the account's count. */
  slotAt(account: number, index: number): number {
    return this.#slots[account * riskReducingOrdersHeld + index]
  }

  add(account: number, slot: number): void {
    assert(account >= 0 && slot >= 0, 'risk: account and slot are valid')
    const count = this.count[account]
    assert(count < riskReducingOrdersHeld, 'risk: the wallet has room for a risk-reducing order')
    this.#slots[account * riskReducingOrdersHeld + count] = slot
    this.count[account] = count + 1
  }

  remove(account: number, slot: number): void {
    const from = account * riskReducingOrdersHeld
    const last = from + this.count[account] - 1
    let place = from
    while (place < last && this.#slots[place] !== slot) place++
    assert(place <= last && this.#slots[place] === slot, 'risk: a risk-reducing order ends once')
    this.#slots[place] = this.#slots[last]
    this.count[account]--
  }

  grow(accounts: number): void {
    this.count = grown(this.count, new Uint8Array(accounts))
    this.#slots = grown(this.#slots, new Int32Array(accounts * riskReducingOrdersHeld))
  }
}
