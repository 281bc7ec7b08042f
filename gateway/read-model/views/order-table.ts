import { grown } from '../../../engine/memory/grown.js'
import type { OrderView } from '../../../engine/risk/order-view.js'
import { assert } from '../../../schemas/assert.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'

/** No slot. */
export const noOrder = -1

/** What the table keeps of what is told of an order. */
export type TableOrder = Readonly<
  Pick<
    OrderFacts,
    'orderId' | 'instrument' | 'side' | 'flags' | 'priceMicros' | 'sizeLots' | 'filledLots'
  >
>

/**
 * The working orders as the events tell them: what margin and reads of the present need, and nothing
 * of what only the history shows. Parallel columns of 54 bytes a slot, and an open-addressing index by
 * order id that is at most half full, 8 bytes a slot. A slot is used again once its order has ended, so
 * the table is as large as the most orders that ever worked at once, rounded up to a power of two.
 */
export class OrderTable implements OrderView {
  orderId: Float64Array
  account: Int32Array
  instrument: Int32Array
  side: Uint8Array
  flags: Uint8Array
  priceMicros: Float64Array
  sizeLots: Float64Array
  openLots: Float64Array
  exposure: Int32Array
  /** Of a free slot: the next free one. */
  nextInExposure: Int32Array
  prevInExposure: Int32Array
  /** Orders in the table. */
  count = 0
  /** Slots ever used: every order is below. */
  #high = 0
  #freeHead = noOrder
  /** Slot + 1 by order id; 0: empty. */
  #places: Int32Array

  /** @param capacity orders to have room for at first, a power of two; it doubles when they are more. */
  constructor(capacity = 1024) {
    this.orderId = new Float64Array(capacity)
    this.account = new Int32Array(capacity)
    this.instrument = new Int32Array(capacity)
    this.side = new Uint8Array(capacity)
    this.flags = new Uint8Array(capacity)
    this.priceMicros = new Float64Array(capacity)
    this.sizeLots = new Float64Array(capacity)
    this.openLots = new Float64Array(capacity)
    this.exposure = new Int32Array(capacity)
    this.nextInExposure = new Int32Array(capacity)
    this.prevInExposure = new Int32Array(capacity)
    this.#places = new Int32Array(2 * capacity)
  }

  /** Slot of the order, or `noOrder`. */
  find(orderId: number): number {
    return this.#places[this.#probe(orderId)] - 1
  }

  /** Takes in an order that is not in the table. @returns its slot. */
  add(account: number, order: TableOrder): number {
    const { orderId, sizeLots } = order
    assert(orderId > 0, 'order table: an order has an id')
    const slot = this.#allocate()
    this.orderId[slot] = orderId
    this.account[slot] = account
    this.instrument[slot] = order.instrument
    this.side[slot] = order.side
    this.flags[slot] = order.flags
    this.priceMicros[slot] = order.priceMicros
    this.sizeLots[slot] = sizeLots
    this.openLots[slot] = sizeLots - order.filledLots
    const place = this.#probe(orderId)
    assert(this.#places[place] === 0, 'order table: an order is added once')
    this.#places[place] = slot + 1
    if (++this.count * 2 > this.#places.length) this.#rehash()
    return slot
  }

  /** Drops an order that margin has let go of; its slot is free. */
  remove(slot: number): void {
    this.#removePlace(this.#probe(this.orderId[slot]))
    this.count--
    this.orderId[slot] = 0
    this.nextInExposure[slot] = this.#freeHead
    this.#freeHead = slot
  }

  #allocate(): number {
    const free = this.#freeHead
    if (free !== noOrder) {
      this.#freeHead = this.nextInExposure[free]
      return free
    }
    if (this.#high === this.orderId.length) this.#grow()
    return this.#high++
  }

  /** Place of the order, or the empty one where it would stand. */
  #probe(orderId: number): number {
    const places = this.#places
    const mask = places.length - 1
    let place = hashOf(orderId) & mask
    while (places[place] !== 0 && this.orderId[places[place] - 1] !== orderId) {
      place = (place + 1) & mask
    }
    return place
  }

  /** Empties a place and shifts its followers back, so that no search ends too early. */
  #removePlace(from: number): void {
    const places = this.#places
    const mask = places.length - 1
    let hole = from
    assert(places[hole] !== 0, 'order table: an order is removed once')
    for (let place = (hole + 1) & mask; places[place] !== 0; place = (place + 1) & mask) {
      const home = hashOf(this.orderId[places[place] - 1]) & mask
      if (((place - home) & mask) < ((place - hole) & mask)) continue
      places[hole] = places[place]
      hole = place
    }
    places[hole] = 0
  }

  #rehash(): void {
    const before = this.#places
    this.#places = new Int32Array(before.length * 2)
    for (const entry of before) {
      if (entry !== 0) this.#places[this.#probe(this.orderId[entry - 1])] = entry
    }
  }

  #grow(): void {
    const length = this.orderId.length * 2
    this.orderId = grown(this.orderId, new Float64Array(length))
    this.account = grown(this.account, new Int32Array(length))
    this.instrument = grown(this.instrument, new Int32Array(length))
    this.side = grown(this.side, new Uint8Array(length))
    this.flags = grown(this.flags, new Uint8Array(length))
    this.priceMicros = grown(this.priceMicros, new Float64Array(length))
    this.sizeLots = grown(this.sizeLots, new Float64Array(length))
    this.openLots = grown(this.openLots, new Float64Array(length))
    this.exposure = grown(this.exposure, new Int32Array(length))
    this.nextInExposure = grown(this.nextInExposure, new Int32Array(length))
    this.prevInExposure = grown(this.prevInExposure, new Int32Array(length))
  }
}

// Both halves of the id take part: the low one repeats after 2^32 / 1024 orders of an underlying.
function hashOf(orderId: number): number {
  const low = orderId | 0
  const high = (orderId / 4_294_967_296) | 0
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}
