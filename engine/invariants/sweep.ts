import type { Matcher } from '../matching/matcher.js'
import type { BookDigestState } from './book-digest.js'
import { sliceBreach, structureBreach } from './books.js'
import type { Breach } from './breach.js'
import { type MarginState, marginBreach } from './margin.js'
import { conservationBreach, fundsBreach, inTransitBreach, type MoneyState } from './money.js'
import { type PositionsState, positionsBreach } from './positions.js'

interface SweepState extends MoneyState, PositionsState, MarginState, BookDigestState {}

/** An engine between two batches. */
export interface Swept {
  readonly state: SweepState
  /** Matchers that hold its books; empty if the books are not accessible. */
  readonly matchers: readonly Matcher[]
}

const walletsPerCheck = 32
/** Maximum number of orders that one check reads over several wallets; a single wallet may have more. */
const ordersPerCheck = 1024
const booksPerCheck = 8
export const handlesPerSlice = 4096

/**
 * Checks all invariants in bounded steps. Each step checks every sum over all wallets, and the next share of the margins
 * and books. It changes no state and reads no clock.
 */
export class InvariantSweep {
  #account = 0
  #instrument = 0
  #handle = 0
  #matcher = 0

  /** Returns the breaches, normally none. */
  look({ state, matchers }: Swept): readonly Breach[] {
    const breaches = [
      conservationBreach(state),
      inTransitBreach(state),
      fundsBreach(state),
      positionsBreach(state),
      ...this.#margins(state),
      ...(matchers.length === 0 ? [] : this.#books(state, matchers)),
    ]
    return breaches.filter((breach) => breach !== null)
  }

  #margins(state: SweepState): (Breach | null)[] {
    const { count, workingOrders } = state.accounts
    const breaches: (Breach | null)[] = []
    let orders = 0
    while (breaches.length < Math.min(count, walletsPerCheck) && orders < ordersPerCheck) {
      if (this.#account >= count) this.#account = 0
      orders += workingOrders[this.#account]
      breaches.push(marginBreach(state, this.#account++))
    }
    return breaches
  }

  #books(state: SweepState, matchers: readonly Matcher[]): (Breach | null)[] {
    if (this.#handle >= state.orders.high) {
      this.#handle = 0
      this.#matcher = (this.#matcher + 1) % matchers.length
    }
    const slice = { matcher: this.#matcher, firstHandle: this.#handle, handles: handlesPerSlice }
    this.#handle += handlesPerSlice
    const { count } = state.instruments
    const structures = Array.from({ length: Math.min(count, booksPerCheck) }, () => {
      if (this.#instrument >= count) this.#instrument = 0
      return structureBreach(state, matchers, this.#instrument++)
    })
    return [sliceBreach(state, matchers, slice), ...structures]
  }
}
