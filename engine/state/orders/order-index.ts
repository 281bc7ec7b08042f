import { assert } from '../../../schemas/assert.js'
import { finalFactsKept, finalOrdersKept, underlyingsMax } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { none } from '../../memory/rows.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'
import { touched } from '../../memory/touched.js'
import { FinalStates } from './final-states.js'
import type { OrderStore } from './orders.js'
import { SlotIndex } from './slot-index.js'

/**
 * Finds orders by id and by client id. Working orders, and the `finalFactsKept` orders that ended last, stand
 * in the store with all their facts; of the `finalOrdersKept` before those only the final status and the
 * account are known.
 */
export class OrderIndex {
  readonly #orders: OrderStore
  readonly #hash: StateHash
  readonly #ids = new SlotIndex()
  readonly #clients = new SlotIndex()
  /** Final orders whose slots are still held, oldest first: a ring. */
  readonly #finals = new Int32Array(finalFactsKept)
  #finalHead = 0
  #finalCount = 0
  readonly #states = new FinalStates()
  #counterMax = 0

  /** @param hash has the final orders from here on: rows and their order, or what is known of the forgotten ones. */
  constructor(orders: OrderStore, hash: StateHash) {
    this.#orders = orders
    this.#hash = hash
  }

  /** Takes the memory at once that the ends of orders fill by and by, beside `orders` in the store. */
  reserve(orders: number): void {
    this.#states.reserve()
    touched(this.#finals)
    this.#ids.reserve(orders)
  }

  /** Slot of the order, working or lately ended, or `none`. */
  find(orderId: number): number {
    return this.#ids.slotAt(this.#idCell(orderId, hashId(orderId)))
  }

  /** Slot of the account's working order with the client id at `source[at]`, or `none`. */
  findClient(account: number, source: Uint8Array, at: number, bytes: number): number {
    const hash = hashText(account, source, at, bytes)
    return this.#clients.slotAt(this.#clientCell(hash, account, source, at, bytes))
  }

  /** Final status of an order whose slot is gone, or `None` when it was never seen or is forgotten. */
  forgottenStatus(orderId: number, account: number): number {
    const counter = Math.floor(orderId / underlyingsMax)
    if (counter > this.#counterMax || counter <= this.#counterMax - finalOrdersKept)
      return OrderStatus.None
    const place = counter % finalOrdersKept
    const status = this.#states.statusAt(place)
    return status !== OrderStatus.None && this.#states.accountAt(place) === account
      ? status
      : OrderStatus.None
  }

  /** A new working order stands in `slot`. */
  add(slot: number): void {
    this.#addId(slot)
    this.#claimClient(slot, true)
  }

  /** The order in `slot` is final: its client id is free again, its slot is held while others end. */
  end(slot: number): void {
    assert(this.#orders.openLots[slot] === 0, 'order index: a final order has no open lots')
    this.#removeClient(slot)
    this.#holdFinal(slot)
  }

  /** A word of the index where a search for the order begins. */
  prefetchIndex(orderId: number): number {
    return this.#ids.warm(hashId(orderId))
  }

  /** Words of the next `count` orders whose slots are given back when others end. */
  prefetchFinals(count: number): number {
    if (this.#finalCount < finalFactsKept) return 0
    const { orderId, account, status } = this.#orders
    let sum = 0
    for (let i = 0; i < count; i++) {
      const slot = this.#finalAt(i)
      sum += orderId[slot] + account[slot] + status[slot]
    }
    return sum
  }

  #holdFinal(slot: number): void {
    this.#orders.hashRow(slot, this.#hash, true)
    if (this.#finalCount > 0) this.#hashPair(this.#finalAt(this.#finalCount - 1), slot, true)
    if (this.#finalCount === finalFactsKept) {
      const oldest = this.#finalAt(0)
      this.#hashPair(oldest, this.#finalAt(1), false)
      this.#finalHead = (this.#finalHead + 1) % finalFactsKept
      this.#finalCount--
      this.#forget(oldest)
    }
    this.#finals[(this.#finalHead + this.#finalCount++) % finalFactsKept] = slot
  }

  /** Slot of a final order still held, counted from the oldest. */
  #finalAt(index: number): number {
    return this.#finals[(this.#finalHead + index) % finalFactsKept]
  }

  /** Which of two orders that ended, one right after the other, was the first: all pairs together are their order. */
  #hashPair(slot: number, next: number, adds: boolean): void {
    const { orderId } = this.#orders
    rowDoubles[0] = orderId[slot]
    rowDoubles[1] = orderId[next]
    this.#hash.put(HashKind.FinalPair, 4, adds)
  }

  /** The order in `slot` never came to be (a replace that was refused): as if it had not been added. */
  discard(slot: number): void {
    this.#removeClient(slot)
    this.#removeId(slot)
    this.#free(slot)
  }

  /** Slots of final orders still held, oldest first, for the snapshot. */
  forEachFinal(visit: (slot: number) => void): void {
    for (let i = 0; i < this.#finalCount; i++) visit(this.#finalAt(i))
  }

  /** States without facts, for the snapshot: see `FinalStates.forEachRun`. */
  forEachForgotten(visit: (place: number, words: Int32Array) => void): void {
    this.#states.forEachRun(visit)
  }

  /** Highest counter of a forgotten order, for the snapshot. */
  get counterMax(): number {
    return this.#counterMax
  }

  /** Restores a final order whose slot is still held, oldest first; its client id may be another's by now. */
  restoreFinal(slot: number): void {
    assert(this.#orders.openLots[slot] === 0, 'order index: a final order has no open lots')
    this.#addId(slot)
    this.#orders.hashTexts(slot, this.#hash, true)
    this.#holdFinal(slot)
  }

  /** Restores one word of a run of forgotten states; `counterMax` is restored by `restoreCounterMax`. */
  restoreForgotten(place: number, word: number): void {
    const isFree = this.#states.statusAt(place) === OrderStatus.None
    assert(isFree, 'order index: a snapshot has an order once')
    this.#states.restore(place, word)
    this.#hashForgotten(place, true)
  }

  restoreCounterMax(counter: number): void {
    assert(counter >= this.#counterMax, 'order index: counters never decrease')
    this.#counterMax = counter
  }

  #addId(slot: number): void {
    const orderId = this.#orders.orderId[slot]
    const hash = hashId(orderId)
    const cell = this.#idCell(orderId, hash)
    assert(this.#ids.slotAt(cell) === none, 'order index: an id has one order')
    this.#ids.put(cell, hash, slot)
  }

  #forget(slot: number): void {
    const { orderId, account, status } = this.#orders
    const counter = Math.floor(orderId[slot] / underlyingsMax)
    const place = counter % finalOrdersKept
    if (counter > this.#counterMax) this.#counterMax = counter
    // An order that rested while millions of others came and went: its place is a later one's.
    if (counter > this.#counterMax - finalOrdersKept) {
      this.#hashForgotten(place, false)
      this.#states.set(place, status[slot], account[slot])
      this.#hashForgotten(place, true)
    }
    this.#removeId(slot)
    this.#orders.hashRow(slot, this.#hash, false)
    this.#free(slot)
  }

  #free(slot: number): void {
    this.#orders.hashTexts(slot, this.#hash, false)
    this.#orders.free(slot)
  }

  #hashForgotten(place: number, adds: boolean): void {
    const status = this.#states.statusAt(place)
    if (status === OrderStatus.None) return
    rowWords[0] = place
    rowWords[1] = this.#states.accountAt(place)
    rowWords[2] = status
    this.#hash.put(HashKind.ForgottenOrder, 3, adds)
  }

  /** Cell of the order, or the empty one where it belongs. */
  #idCell(orderId: number, hash: number): number {
    const ids = this.#ids
    let cell = ids.begin(hash)
    for (;;) {
      const slot = ids.slotAt(cell)
      if (slot === none || this.#orders.orderId[slot] === orderId) return cell
      cell = ids.next(hash, cell)
    }
  }

  #removeId(slot: number): void {
    const orderId = this.#orders.orderId[slot]
    const cell = this.#idCell(orderId, hashId(orderId))
    assert(this.#ids.slotAt(cell) === slot, 'order index: an order is removed once')
    this.#ids.remove(cell)
  }

  /** Cell of the account's order with the client id, or the empty one where it belongs. */
  #clientCell(
    hash: number,
    account: number,
    source: Uint8Array,
    at: number,
    bytes: number,
  ): number {
    const clients = this.#clients
    let cell = clients.begin(hash)
    for (;;) {
      const slot = clients.slotAt(cell)
      if (slot === none || this.#hasClientId(slot, account, source, at, bytes)) return cell
      cell = clients.next(hash, cell)
    }
  }

  #hasClientId(
    slot: number,
    account: number,
    source: Uint8Array,
    at: number,
    bytes: number,
  ): boolean {
    const orders = this.#orders
    if (orders.account[slot] !== account || orders.clientIdBytes[slot] !== bytes) return false
    const own = orders.texts.bytes
    const first = orders.clientIdAt(slot)
    for (let i = 0; i < bytes; i++) if (own[first + i] !== source[at + i]) return false
    return true
  }

  #removeClient(slot: number): void {
    if (this.#orders.clientIdBytes[slot] === 0) return
    const cell = this.#cellOfClient(slot, this.#clientHash(slot))
    // A replacement may carry its old order's client id: then the place is the newer order's.
    if (this.#clients.slotAt(cell) === slot) this.#clients.remove(cell)
  }

  /**
   * Gives a working order its client id again behind a refused replacement that had it. Another replacement of the order
   * may have it by now: then it stays there, since the order gives way.
   */
  reclaimClient(slot: number): void {
    assert(this.#orders.openLots[slot] > 0, 'order index: a working order has open lots')
    this.#claimClient(slot, false)
  }

  /** @param takes whether the slot's client id is taken from who has it: from the order that it replaces. */
  #claimClient(slot: number, takes: boolean): void {
    if (this.#orders.clientIdBytes[slot] === 0) return
    const hash = this.#clientHash(slot)
    const cell = this.#cellOfClient(slot, hash)
    if (takes || this.#clients.slotAt(cell) === none) this.#clients.put(cell, hash, slot)
  }

  #clientHash(slot: number): number {
    const orders = this.#orders
    return hashText(
      orders.account[slot],
      orders.texts.bytes,
      orders.clientIdAt(slot),
      orders.clientIdBytes[slot],
    )
  }

  /** Cell where the slot's own client id stands or belongs. */
  #cellOfClient(slot: number, hash: number): number {
    const orders = this.#orders
    return this.#clientCell(
      hash,
      orders.account[slot],
      orders.texts.bytes,
      orders.clientIdAt(slot),
      orders.clientIdBytes[slot],
    )
  }
}

function hashId(orderId: number): number {
  const low = orderId | 0
  const high = Math.floor(orderId / 4294967296)
  const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function hashText(account: number, source: Uint8Array, at: number, bytes: number): number {
  let hash = Math.imul(account, 0x9e3779b1)
  for (let i = 0; i < bytes; i++) hash = Math.imul(hash ^ source[at + i], 0x01000193)
  return hash ^ (hash >>> 15)
}
