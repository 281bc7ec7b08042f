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
 * Finds orders by id and by client id. The store has all facts of working orders and of the `finalFactsKept` orders
 * that ended last. Of the `finalOrdersKept` orders before those, only the final status and the account are kept.
 */
export class OrderIndex {
  readonly #orders: OrderStore
  readonly #hash: StateHash
  readonly #ids = new SlotIndex()
  readonly #clients = new SlotIndex()
  /** Ring of final orders whose slots are kept, oldest first. */
  readonly #finals = new Int32Array(finalFactsKept)
  #finalHead = 0
  #finalCount = 0
  readonly #states = new FinalStates()
  #counterMax = 0

  /** @param hash receives the final orders from here on: rows and their sequence, or the states of forgotten orders. */
  constructor(orders: OrderStore, hash: StateHash) {
    this.#orders = orders
    this.#hash = hash
  }

  /** Allocates at once the memory that ended orders fill over time, in addition to `orders` in the store. */
  reserve(orders: number): void {
    this.#states.reserve()
    touched(this.#finals)
    this.#ids.reserve(orders)
  }

  /** Returns the slot of a working or recently ended order, or `none`. */
  find(orderId: number): number {
    return this.#ids.slotAt(this.#idCell(orderId, hashId(orderId)))
  }

  /** Returns the slot of the account's working order with the client id at `source[at]`, or `none`. */
  findClient(account: number, source: Uint8Array, at: number, bytes: number): number {
    const hash = hashText(account, source, at, bytes)
    return this.#clients.slotAt(this.#clientCell(hash, account, source, at, bytes))
  }

  /** Returns the final status of an order without a slot, or `None` if it never existed or is forgotten. */
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

  /** Adds the new working order in `slot`. */
  add(slot: number): void {
    this.#addId(slot)
    this.#claimClient(slot, true)
  }

  /** Ends the order in `slot`: releases its client id, and keeps its slot while later orders end. */
  end(slot: number): void {
    assert(this.#orders.openLots[slot] === 0, 'order index: a final order has no open lots')
    this.#removeClient(slot)
    this.#holdFinal(slot)
  }

  /** Prefetches the cell where a search for the order begins; returns a word of it. */
  prefetchIndex(orderId: number): number {
    return this.#ids.prefetch(hashId(orderId))
  }

  /** Prefetches the next `count` orders whose slots are freed when others end; returns a sum of their words. */
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

  /** Returns the slot of a kept final order, counted from the oldest. */
  #finalAt(index: number): number {
    return this.#finals[(this.#finalHead + index) % finalFactsKept]
  }

  /** Hashes that two orders ended one right after the other. All pairs together give the sequence. */
  #hashPair(slot: number, next: number, adds: boolean): void {
    const { orderId } = this.#orders
    rowDoubles[0] = orderId[slot]
    rowDoubles[1] = orderId[next]
    this.#hash.put(HashKind.FinalPair, 4, adds)
  }

  /** Removes an order whose replace was rejected, as if it had never been added. */
  discard(slot: number): void {
    this.#removeClient(slot)
    this.#removeId(slot)
    this.#free(slot)
  }

  /** Visits the slots of kept final orders, oldest first, for the snapshot. */
  forEachFinal(visit: (slot: number) => void): void {
    for (let i = 0; i < this.#finalCount; i++) visit(this.#finalAt(i))
  }

  /** Visits the states without facts, for the snapshot; see `FinalStates.forEachRun`. */
  forEachForgotten(visit: (place: number, words: Int32Array) => void): void {
    this.#states.forEachRun(visit)
  }

  /** Highest counter of a forgotten order, for the snapshot. */
  get counterMax(): number {
    return this.#counterMax
  }

  /** Restores a kept final order, oldest first. Its client id may belong to another order by now. */
  restoreFinal(slot: number): void {
    assert(this.#orders.openLots[slot] === 0, 'order index: a final order has no open lots')
    this.#addId(slot)
    this.#orders.hashTexts(slot, this.#hash, true)
    this.#holdFinal(slot)
  }

  /** Restores one word of a run of forgotten states; `restoreCounterMax` restores `counterMax`. */
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
    // If the order rested while millions of others came and went, its position belongs to a later order.
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

  /** Returns the cell of the order, or the empty cell where it belongs. */
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

  /** Returns the cell of the account's order with the client id, or the empty cell where it belongs. */
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
    // A replacement may have its old order's client id; the cell then belongs to the newer order.
    if (this.#clients.slotAt(cell) === slot) this.#clients.remove(cell)
  }

  /**
   * Gives a working order its client id back after its replacement, which had it, was rejected. If another replacement
   * of the order has the id by now, that one keeps it, because the order will end.
   */
  reclaimClient(slot: number): void {
    assert(this.#orders.openLots[slot] > 0, 'order index: a working order has open lots')
    this.#claimClient(slot, false)
  }

  /** @param takes true to take the client id from the order that has it, which is the replaced one. */
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

  /** Returns the cell where the slot's own client id is or belongs. */
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
