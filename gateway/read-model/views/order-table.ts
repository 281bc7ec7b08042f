import { grown } from '../../../engine/memory/grown.js'
import type { OrderView } from '../../../engine/risk/order-view.js'
import { SlotIndex } from '../../../engine/state/orders/slot-index.js'
import { assert } from '../../../schemas/assert.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'

/** No slot. */
export const noOrder = -1

type Column = Float64Array | Int32Array | Uint8Array

/** Fields of an order that the table stores. */
export type TableOrder = Readonly<
  Pick<
    OrderFacts,
    'orderId' | 'instrument' | 'side' | 'flags' | 'priceMicros' | 'sizeLots' | 'filledLots'
  >
>

/**
 * Working orders from the events, limited to what margin and current reads need. Parallel columns of 54 bytes per slot,
 * and an index by order id. A slot is reused after its order has ended, so the table's size is the maximum number of
 * concurrently working orders, rounded up to a power of two.
 */
export class OrderTable implements OrderView {
  orderId = new Float64Array(0)
  account = new Int32Array(0)
  instrument = new Int32Array(0)
  side = new Uint8Array(0)
  flags = new Uint8Array(0)
  priceMicros = new Float64Array(0)
  sizeLots = new Float64Array(0)
  openLots = new Float64Array(0)
  exposure = new Int32Array(0)
  /** Next order of the exposure. A free slot has the next free slot. */
  nextInExposure = new Int32Array(0)
  prevInExposure = new Int32Array(0)
  /** Number of slots ever used: all orders are below. */
  #high = 0
  #freeHead = noOrder
  readonly #ids = new SlotIndex()

  /**
   * @param capacity Initial room for orders, a power of two. It doubles when needed.
   */
  constructor(capacity = 1024) {
    this.#growTo(capacity)
  }

  /** Number of orders in the table. */
  get count(): number {
    return this.#ids.count
  }

  /** Returns the slot of an order, or `noOrder`. */
  find(orderId: number): number {
    return this.#ids.slotAt(this.#cellOf(orderId, hashOf(orderId)))
  }

  /** Adds an order that is not in the table. @returns Its slot. */
  add(account: number, order: TableOrder): number {
    const { orderId, sizeLots } = order
    const hash = hashOf(orderId)
    const cell = this.#cellOf(orderId, hash)
    assert(orderId > 0, 'order table: an order has an id')
    assert(this.#ids.slotAt(cell) === noOrder, 'order table: an order is added once')
    const slot = this.#allocate()
    this.orderId[slot] = orderId
    this.account[slot] = account
    this.instrument[slot] = order.instrument
    this.side[slot] = order.side
    this.flags[slot] = order.flags
    this.priceMicros[slot] = order.priceMicros
    this.sizeLots[slot] = sizeLots
    this.openLots[slot] = sizeLots - order.filledLots
    this.#ids.put(cell, hash, slot)
    return slot
  }

  /** Removes an order that margin no longer references, and frees its slot. */
  remove(slot: number): void {
    const orderId = this.orderId[slot]
    assert(orderId !== 0, 'order table: an order is removed once')
    this.#ids.remove(this.#cellOf(orderId, hashOf(orderId)))
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
    if (this.#high === this.orderId.length) this.#growTo(this.#high * 2)
    return this.#high++
  }

  /** Returns the index cell of an order, or the empty cell for it. */
  #cellOf(orderId: number, hash: number): number {
    let cell = this.#ids.begin(hash)
    for (;;) {
      const slot = this.#ids.slotAt(cell)
      if (slot === noOrder || this.orderId[slot] === orderId) return cell
      cell = this.#ids.next(hash, cell)
    }
  }

  #growTo(capacity: number): void {
    const columns = Object.entries(this).filter(([, value]) => ArrayBuffer.isView(value))
    for (const [name, column] of columns as [string, Column][]) {
      const Larger = column.constructor as new (length: number) => Column
      Object.assign(this, { [name]: grown(column, new Larger(capacity)) })
    }
  }
}

// Both halves of the id contribute: the low one repeats after 2^32 / 1024 orders of an underlying.
function hashOf(orderId: number): number {
  const low = orderId | 0
  const high = (orderId / 4_294_967_296) | 0
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}
