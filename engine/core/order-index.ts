import { finalFactsKept, finalOrdersKept, underlyingsMax } from '../../schemas/bounds.js'
import { OrderStatus } from '../../schemas/domain.js'
import { touched } from '../memory/touched.js'
import { FinalStates } from './final-states.js'
import { none, type OrderStore } from './orders.js'
import { HashKind, type StateHash } from './state-hash.js'

/**
 * Finds orders by id and by client id. Working orders, and the `finalFactsKept` orders that ended last, stand
 * in the store with all their facts; of the `finalOrdersKept` before those only the final status and the
 * account are known.
 */
export class OrderIndex {
  readonly #orders: OrderStore
  readonly #hash: StateHash
  #idPlaces = new Int32Array(4096).fill(none)
  #idCount = 0
  #clientPlaces = new Int32Array(4096).fill(none)
  #clientCount = 0
  /** Final orders whose slots are still held, oldest first: a ring. */
  readonly #finals = new Int32Array(finalFactsKept)
  #finalHead = 0
  #finalCount = 0
  readonly #states = new FinalStates()
  #counterMax = 0

  /** @param hash holds a fact per final state remembered. */
  constructor(orders: OrderStore, hash: StateHash) {
    this.#orders = orders
    this.#hash = hash
  }

  /** Takes the memory at once that the ends of orders fill by and by, beside `orders` in the store. */
  reserve(orders: number): void {
    this.#states.reserve()
    touched(this.#finals)
    while (isCrowded(orders, this.#idPlaces)) this.#rehashIds()
  }

  /** Slot of the order, working or lately ended, or `none`. */
  find(orderId: number): number {
    return this.#idPlaces[this.#idProbe(orderId)]
  }

  /** Slot of the account's working order with the client id at `source[at]`, or `none`. */
  findClient(account: number, source: Uint8Array, at: number, bytes: number): number {
    return this.#clientPlaces[this.#clientProbe(account, source, at, bytes)]
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
    const bytes = this.#orders.clientIdBytes[slot]
    if (bytes === 0) return
    this.reclaimClient(slot)
    if (isCrowded(this.#clientCount, this.#clientPlaces)) this.#rehashClients()
  }

  /** The order in `slot` is final: its client id is free again, its slot is held while others end. */
  end(slot: number): void {
    this.#removeClient(slot)
    this.#holdFinal(slot)
  }

  #holdFinal(slot: number): void {
    const { orderId, account, status } = this.#orders
    const place = Math.floor(orderId[slot] / underlyingsMax) % finalOrdersKept
    this.#hash.add(HashKind.FinalOrder, place, account[slot], status[slot])
    if (this.#finalCount === finalFactsKept) {
      const oldest = this.#finals[this.#finalHead]
      this.#finalHead = (this.#finalHead + 1) % finalFactsKept
      this.#finalCount--
      this.#forget(oldest)
    }
    this.#finals[(this.#finalHead + this.#finalCount++) % finalFactsKept] = slot
  }

  /** The order in `slot` never came to be (a replace that was refused): as if it had not been added. */
  discard(slot: number): void {
    this.#removeClient(slot)
    this.#removeId(slot)
    this.#orders.free(slot)
  }

  /** Slots of final orders still held, oldest first, for the snapshot. */
  forEachFinal(visit: (slot: number) => void): void {
    for (let i = 0; i < this.#finalCount; i++)
      visit(this.#finals[(this.#finalHead + i) % finalFactsKept])
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
    this.#addId(slot)
    this.#holdFinal(slot)
  }

  /** Restores one word of a run of forgotten states; `counterMax` is restored by `restoreCounterMax`. */
  restoreForgotten(place: number, word: number): void {
    this.#states.restore(place, word)
    const status = this.#states.statusAt(place)
    if (status === OrderStatus.None) return
    this.#hash.add(HashKind.FinalOrder, place, this.#states.accountAt(place), status)
  }

  restoreCounterMax(counter: number): void {
    this.#counterMax = counter
  }

  #addId(slot: number): void {
    this.#idPlaces[this.#idProbe(this.#orders.orderId[slot])] = slot
    if (isCrowded(++this.#idCount, this.#idPlaces)) this.#rehashIds()
  }

  #forget(slot: number): void {
    const { orderId, account, status } = this.#orders
    const counter = Math.floor(orderId[slot] / underlyingsMax)
    const place = counter % finalOrdersKept
    if (counter > this.#counterMax) this.#counterMax = counter
    // An order that rested while millions of others came and went: its place is a later one's.
    if (counter <= this.#counterMax - finalOrdersKept) {
      this.#hash.remove(HashKind.FinalOrder, place, account[slot], status[slot])
    } else {
      this.#dropForgotten(place)
      this.#states.set(place, status[slot], account[slot])
    }
    this.#removeId(slot)
    this.#orders.free(slot)
  }

  #dropForgotten(place: number): void {
    const status = this.#states.statusAt(place)
    if (status === OrderStatus.None) return
    this.#hash.remove(HashKind.FinalOrder, place, this.#states.accountAt(place), status)
  }

  #idProbe(orderId: number): number {
    const mask = this.#idPlaces.length - 1
    let place = hashId(orderId) & mask
    for (;;) {
      const slot = this.#idPlaces[place]
      if (slot === none || this.#orders.orderId[slot] === orderId) return place
      place = (place + 1) & mask
    }
  }

  #removeId(slot: number): void {
    const mask = this.#idPlaces.length - 1
    let hole = this.#idProbe(this.#orders.orderId[slot])
    let place = hole
    for (;;) {
      place = (place + 1) & mask
      const other = this.#idPlaces[place]
      if (other === none) break
      const home = hashId(this.#orders.orderId[other]) & mask
      if (((place - home) & mask) >= ((place - hole) & mask)) {
        this.#idPlaces[hole] = other
        hole = place
      }
    }
    this.#idPlaces[hole] = none
    this.#idCount--
  }

  #rehashIds(): void {
    const before = this.#idPlaces
    this.#idPlaces = new Int32Array(before.length * 2).fill(none)
    for (const slot of before) {
      if (slot !== none) this.#idPlaces[this.#idProbe(this.#orders.orderId[slot])] = slot
    }
  }

  #clientProbe(account: number, source: Uint8Array, at: number, bytes: number): number {
    const mask = this.#clientPlaces.length - 1
    let place = hashText(account, source, at, bytes) & mask
    for (;;) {
      const slot = this.#clientPlaces[place]
      if (slot === none || this.#hasClientId(slot, account, source, at, bytes)) return place
      place = (place + 1) & mask
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
    const mask = this.#clientPlaces.length - 1
    let hole = this.#clientPlace(slot)
    // A replacement may carry its old order's client id: then the place is the newer order's.
    if (this.#clientPlaces[hole] !== slot) return
    let place = hole
    for (;;) {
      place = (place + 1) & mask
      const other = this.#clientPlaces[place]
      if (other === none) break
      const home = this.#clientHash(other) & mask
      if (((place - home) & mask) >= ((place - hole) & mask)) {
        this.#clientPlaces[hole] = other
        hole = place
      }
    }
    this.#clientPlaces[hole] = none
    this.#clientCount--
  }

  /** Gives the slot's client id to it: when it starts, or again after a refused replacement that had it. */
  reclaimClient(slot: number): void {
    if (this.#orders.clientIdBytes[slot] === 0) return
    const place = this.#clientPlace(slot)
    if (this.#clientPlaces[place] === none) this.#clientCount++
    this.#clientPlaces[place] = slot
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

  #rehashClients(): void {
    const before = this.#clientPlaces
    this.#clientPlaces = new Int32Array(before.length * 2).fill(none)
    for (const slot of before) {
      if (slot !== none) this.#clientPlaces[this.#clientPlace(slot)] = slot
    }
  }

  /** Place where the slot's own client id stands or belongs. */
  #clientPlace(slot: number): number {
    const orders = this.#orders
    const bytes = orders.clientIdBytes[slot]
    return this.#clientProbe(
      orders.account[slot],
      orders.texts.bytes,
      orders.clientIdAt(slot),
      bytes,
    )
  }
}

/** Two thirds: probes stay short, and the tables small at a million orders. */
function isCrowded(count: number, places: Int32Array): boolean {
  return count * 3 > places.length * 2
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
