import { assert } from '../../../schemas/assert.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { grown } from '../../memory/grown.js'
import { none, rowCells } from '../../memory/rows.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'
import { OrderRows } from '../../tables/generated/order-rows.js'
import { builderWords, clientIdWords, OrderTexts } from './order-texts.js'

/**
 * Capacity up to which the store doubles when it grows; beyond it grows by a 32nd, because orders fill most of the
 * memory.
 */
const doublingMax = 1 << 16

/** Returns the order's handle for its matcher. Handles are dense. */
export function handleOf(slot: number): number {
  return slot / rowCells
}

/** Returns the slot of the order with this matcher handle. */
export function slotOf(handle: number): number {
  return handle * rowCells
}

/**
 * Orders as rows (memory/rows.ts); a slot is the number of a row. It belongs to the order from `take` to `free`, and
 * `handleOf` the slot identifies the order to its matcher. A working order is in one list per exposure (a wallet's
 * position in one instrument), unsorted; the owner of exposures has those columns. It is also in one list per
 * instrument, in the order in which orders entered the book: by id, except for orders from auctions.
 */
export class OrderStore extends OrderRows {
  readonly texts = new OrderTexts()
  /** Working orders per instrument, oldest first; `none` if there are none. */
  firstInInstrument: Int32Array = new Int32Array(64).fill(none)
  lastInInstrument: Int32Array = new Int32Array(64).fill(none)

  constructor(capacity = 1024) {
    super(capacity)
  }

  /** Frees a slot after its last reader. */
  free(slot: number): void {
    assert(this.orderId[slot] !== 0, 'orders: slot freed twice')
    if (this.text[slot] !== none) {
      this.texts.free(this.text[slot], this.clientIdBytes[slot], this.hasBuilder[slot] === 1)
      this.text[slot] = none
    }
    this.orderId[slot] = 0
    this.status[slot] = OrderStatus.None
    this.give(slot)
  }

  /**
   * Sets client id and builder of a newly taken slot.
   * @param words has the client id from `clientIdAt` on, NUL padded, and the builder from `builderAt` on, zeros without
   * one.
   */
  setTexts(
    slot: number,
    words: Int32Array,
    clientIdBytes: number,
    clientIdAt: number,
    builderAt: number,
  ): void {
    assert(this.text[slot] === none, 'orders: texts are set once')
    let builder = 0
    for (let i = 0; i < builderWords; i++) builder |= words[builderAt + i]
    this.clientIdBytes[slot] = clientIdBytes
    this.hasBuilder[slot] = builder === 0 ? 0 : 1
    if (clientIdBytes === 0 && builder === 0) return
    const block = this.texts.allocate(clientIdBytes, builder !== 0)
    this.text[slot] = block
    this.texts.setClientId(block, clientIdBytes, words, clientIdAt)
    if (builder !== 0) this.texts.setBuilder(block, clientIdBytes, words, builderAt)
  }

  /** Copies the client id to `target`, from `to` on, NUL padded to all its words. */
  copyClientId(slot: number, target: Int32Array, to: number): void {
    const block = this.text[slot]
    if (block !== none) this.texts.copyClientId(block, this.clientIdBytes[slot], target, to)
    else for (let i = 0; i < clientIdWords; i++) target[to + i] = 0
  }

  /** Copies the builder's address to `target`, from `to` on; zeros without one. */
  copyBuilder(slot: number, target: Int32Array, to: number): void {
    if (this.hasBuilder[slot] === 1) {
      this.texts.copyBuilder(this.text[slot], this.clientIdBytes[slot], target, to)
    } else {
      for (let i = 0; i < builderWords; i++) target[to + i] = 0
    }
  }

  /** Returns the byte of `texts.bytes` where the slot's client id begins; the order must have one. */
  clientIdAt(slot: number): number {
    return this.text[slot] * 4
  }

  /** Returns the byte of `texts.bytes` where the builder's address begins; the order must have one. */
  builderAt(slot: number): number {
    return this.texts.builderAt(this.text[slot], this.clientIdBytes[slot]) * 4
  }

  /** Adds client id and builder of a slot to the hash, or removes them, if it has any. */
  hashTexts(slot: number, hash: StateHash, adds: boolean): void {
    if (this.text[slot] === none) return
    rowDoubles[0] = this.orderId[slot]
    rowWords[2] = this.clientIdBytes[slot]
    this.copyClientId(slot, rowWords, 3)
    this.copyBuilder(slot, rowWords, 3 + clientIdWords)
    hash.put(HashKind.OrderTexts, 3 + clientIdWords + builderWords, adds)
  }

  /** Appends a working order to its instrument's list, which has the order of the book's queue. */
  linkInstrument(slot: number): void {
    const instrument = this.instrument[slot]
    while (instrument >= this.firstInInstrument.length) this.#growInstruments()
    const last = this.lastInInstrument[instrument]
    assert(last !== slot, 'orders: an order is in its queue once')
    this.prevInInstrument[slot] = last
    this.nextInInstrument[slot] = none
    if (last === none) this.firstInInstrument[instrument] = slot
    else this.nextInInstrument[last] = slot
    this.lastInInstrument[instrument] = slot
  }

  /** Removes an ended order from its instrument's list. */
  unlinkInstrument(slot: number): void {
    const instrument = this.instrument[slot]
    const previous = this.prevInInstrument[slot]
    const next = this.nextInInstrument[slot]
    const before =
      previous === none ? this.firstInInstrument[instrument] : this.nextInInstrument[previous]
    assert(before === slot, 'orders: the order is in its queue')
    if (previous === none) this.firstInInstrument[instrument] = next
    else this.nextInInstrument[previous] = next
    if (next === none) this.lastInInstrument[instrument] = previous
    else this.prevInInstrument[next] = previous
  }

  /** Yields all working orders by instrument, oldest first, as their books queue them. */
  *working(): Generator<number> {
    for (const first of this.firstInInstrument) {
      for (let slot = first; slot !== none; slot = this.nextInInstrument[slot]) yield slot
    }
  }

  /** Returns the oldest working order of the instrument, or `none`. */
  firstOf(instrument: number): number {
    return instrument < this.firstInInstrument.length ? this.firstInInstrument[instrument] : none
  }

  /** Allocates at once the memory of `capacity` slots and of client ids for them, unless there is as much. */
  reserve(capacity: number): void {
    if (capacity <= this.capacity) return
    this.growTo(capacity)
    this.touch()
    this.texts.reserve(capacity)
  }

  #growInstruments(): void {
    const length = this.firstInInstrument.length * 2
    this.firstInInstrument = grown(this.firstInInstrument, new Int32Array(length).fill(none))
    this.lastInInstrument = grown(this.lastInInstrument, new Int32Array(length).fill(none))
  }

  protected override nextCapacity(): number {
    const { capacity } = this
    return capacity < doublingMax ? capacity * 2 : capacity + (capacity >> 5)
  }
}
