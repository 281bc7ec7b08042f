import type { BookSink } from '../../engine/matching/order-book.js'
import { Side } from '../../schemas/domain.js'

interface KnownOrder {
  readonly order: number
  readonly instrument: number
  readonly account: number
  readonly side: Side
  readonly handle: number
  /** Initial resting size, or 0. */
  restedLots: number
}

/**
 * Orders and positions of the core, as far as matchers see them: handles are
 * used again, but not in the round that ended their order; positions are known as of the beginning
 * of a round.
 */
export class OrderRegistry implements BookSink {
  readonly accounts: number
  readonly #byOrder = new Map<number, KnownOrder>()
  readonly #byHandle: (KnownOrder | undefined)[] = []
  readonly #freeHandles: number[] = []
  /** Handles that something happened to in this round. */
  readonly #changed: number[] = []
  readonly #positions: Float64Array
  readonly #knownPositions: Float64Array
  instrument = 0

  constructor(instruments: number, accounts: number) {
    this.accounts = accounts
    this.#positions = new Float64Array(instruments * accounts)
    this.#knownPositions = new Float64Array(instruments * accounts)
  }

  find(order: number): KnownOrder | undefined {
    return this.#byOrder.get(order)
  }

  /** Opens an order. @param handle a handle to take over; a free one when left out. */
  open(order: number, terms: { instrument: number; account: number; side: Side }, handle = -1) {
    const own = handle >= 0 ? handle : (this.#freeHandles.pop() ?? this.#byHandle.length)
    const { instrument, account, side } = terms
    const known = { order, instrument, account, side, handle: own, restedLots: 0 }
    const before = this.#byHandle[own]
    if (before !== undefined) this.#byOrder.delete(before.order)
    this.#byHandle[own] = known
    this.#byOrder.set(order, known)
    this.#changed.push(own)
    return known
  }

  /** Ends a round: orders that no longer rest give their handles back, positions become known. */
  endRound(isResting: (known: KnownOrder) => boolean): void {
    for (const handle of this.#changed) {
      const known = this.#byHandle[handle]
      if (known === undefined || isResting(known)) continue
      this.#byHandle[handle] = undefined
      this.#byOrder.delete(known.order)
      this.#freeHandles.push(handle)
    }
    this.#changed.length = 0
    this.#knownPositions.set(this.#positions)
  }

  /** A whole book is dropped. */
  closeInstrument(instrument: number): void {
    for (const known of this.#byHandle) {
      if (known?.instrument === instrument) this.#changed.push(known.handle)
    }
  }

  positionLots(instrument: number, account: number): number {
    return this.#positions[instrument * this.accounts + account]!
  }

  knownPositionLots(instrument: number, account: number): number {
    return this.#knownPositions[instrument * this.accounts + account]!
  }

  move(instrument: number, account: number, byLots: number): void {
    this.#positions[instrument * this.accounts + account]! += byLots
  }

  fill(maker: number, taker: number, _priceIndex: number, sizeLots: number): void {
    this.#take(maker, sizeLots)
    this.#take(taker, sizeLots)
  }

  removed(handle: number): void {
    this.#changed.push(handle)
  }

  reduced(): void {}

  level(): void {}

  #take(handle: number, sizeLots: number): void {
    const { account, side } = this.#byHandle[handle]!
    this.move(this.instrument, account, side === Side.Buy ? sizeLots : -sizeLots)
    this.#changed.push(handle)
  }
}
