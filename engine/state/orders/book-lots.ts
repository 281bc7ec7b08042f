import { assert } from '../../../schemas/assert.js'
import { exactBound } from '../../../schemas/bounds.js'
import { grown } from '../../memory/grown.js'
import { none } from '../../memory/rows.js'
import type { OrderStore } from './orders.js'

/**
 * Keeps the working lots of a book, and so of each of its levels, in the range of exact sums. Per instrument it has an
 * upper bound that grows with each order. When the bound would leave the range, it is recomputed from the orders. The
 * bound alone rejects nothing, and is not part of the state.
 */
export class BookLots {
  #spentLots = new Float64Array(64).fill(Number.NaN)

  /** Returns true if an order's lots may work in addition to those of the book. */
  takes(orders: OrderStore, instrument: number, lots: number): boolean {
    assert(lots > 0 && instrument >= 0, 'book lots: the order has a size and an instrument')
    if (instrument >= this.#spentLots.length) {
      const length = Math.max(instrument + 1, 2 * this.#spentLots.length)
      this.#spentLots = grown(this.#spentLots, new Float64Array(length).fill(Number.NaN))
    }
    const spent = this.#spentLots[instrument] + lots
    if (spent < exactBound) {
      this.#spentLots[instrument] = spent
      return true
    }
    return this.#takesAfterRecount(orders, instrument, lots)
  }

  /** Drops the bound of an instrument after orders were added without this check. */
  forget(instrument: number): void {
    if (instrument < this.#spentLots.length) this.#spentLots[instrument] = Number.NaN
  }

  #takesAfterRecount(orders: OrderStore, instrument: number, lots: number): boolean {
    let working = 0
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]) working += orders.openLots[slot]
    this.#spentLots[instrument] = working
    if (working + lots >= exactBound) return false
    this.#spentLots[instrument] = working + lots
    return true
  }
}
