import { assert } from '../../../schemas/assert.js'
import { exactBound } from '../../../schemas/bounds.js'
import { grown } from '../../memory/grown.js'
import { none } from '../../memory/rows.js'
import type { OrderStore } from './orders.js'

/**
 * Keeps the lots that work in a book, and so in each of its levels, in the range of exact sums. By instrument there is
 * a sum that only grows with each order, and is computed anew from the orders when it would come to the bound: it
 * decides nothing alone, and is no part of the state.
 */
export class BookLots {
  #spentLots = new Float64Array(64).fill(Number.NaN)

  /** Whether an order's lots may work beside those of the book. */
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
    return this.#takesAnew(orders, instrument, lots)
  }

  /** Orders have come that nobody asked for here. */
  forget(instrument: number): void {
    if (instrument < this.#spentLots.length) this.#spentLots[instrument] = Number.NaN
  }

  #takesAnew(orders: OrderStore, instrument: number, lots: number): boolean {
    let working = 0
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]) working += orders.openLots[slot]
    this.#spentLots[instrument] = working
    if (working + lots >= exactBound) return false
    this.#spentLots[instrument] = working + lots
    return true
  }
}
