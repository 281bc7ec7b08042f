import { assert } from '../../../schemas/assert.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { grown } from '../../memory/grown.js'
import { none, rowCells } from '../../memory/rows.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'
import { OrderRows } from '../../tables/generated/order-rows.js'
import { builderWords, clientIdWords, OrderTexts } from './order-texts.js'

/** Up to here the store doubles when it grows; from there on a thirty-second is added: orders are what fills memory. */
const doublingMax = 1 << 16

/** The order's name to its matcher, which numbers them densely. */
export function handleOf(slot: number): number {
  return slot / rowCells
}

/** Slot of the order that its matcher calls by `handle`. */
export function slotOf(handle: number): number {
  return handle * rowCells
}

/**
 * Orders as rows (memory/rows.ts); a slot is a row's number. It is the order's from `take` to `free`; its matcher
 * knows the order by `handleOf` it. Working orders hang in one list per exposure (a wallet's place in one instrument),
 * in no particular order (those columns belong to the exposure's owner), and in one list per instrument, in
 * the order in which they came to their book: that of their ids, but for those that had waited for quotes.
 */
export class OrderStore extends OrderRows {
  readonly texts = new OrderTexts()
  /** Per instrument: its working orders, oldest first; `none` where there are none. */
  firstInInstrument: Int32Array = new Int32Array(64).fill(none)
  lastInInstrument: Int32Array = new Int32Array(64).fill(none)

  constructor(capacity = 1024) {
    super(capacity)
  }

  /** Gives a slot back; its last reader has read it. */
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
   * Sets client id and builder of a slot just taken.
   * @param words of the client id from `clientIdAt` on, NUL padded, and of the builder from `builderAt` on,
   * zeros without one.
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

  /** Copies the client id to `target[to]` on, NUL padded to all its words. */
  copyClientId(slot: number, target: Int32Array, to: number): void {
    const block = this.text[slot]
    if (block !== none) this.texts.copyClientId(block, this.clientIdBytes[slot], target, to)
    else for (let i = 0; i < clientIdWords; i++) target[to + i] = 0
  }

  /** Copies the builder's address to `target[to]` on, zeros without one. */
  copyBuilder(slot: number, target: Int32Array, to: number): void {
    if (this.hasBuilder[slot] === 1) {
      this.texts.copyBuilder(this.text[slot], this.clientIdBytes[slot], target, to)
    } else {
      for (let i = 0; i < builderWords; i++) target[to + i] = 0
    }
  }

  /** Byte of `texts.bytes` where the slot's client id begins; only where it has one. */
  clientIdAt(slot: number): number {
    return this.text[slot] * 4
  }

  /** Byte of `texts.bytes` where the address of the slot's builder begins; only where it has one. */
  builderAt(slot: number): number {
    return this.texts.builderAt(this.text[slot], this.clientIdBytes[slot]) * 4
  }

  /** Adds client id and builder of a slot to the hash, or takes them out of it, where it has any. */
  hashTexts(slot: number, hash: StateHash, adds: boolean): void {
    if (this.text[slot] === none) return
    rowDoubles[0] = this.orderId[slot]
    rowWords[2] = this.clientIdBytes[slot]
    this.copyClientId(slot, rowWords, 3)
    this.copyBuilder(slot, rowWords, 3 + clientIdWords)
    hash.put(HashKind.OrderTexts, 3 + clientIdWords + builderWords, adds)
  }

  /** Appends a working order to its instrument's list, which is in the order in which its book queues them. */
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

  /** Takes an order that ended out of its instrument's list. */
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

  /** All working orders, instrument by instrument and oldest first, as their books queue them. */
  *working(): Generator<number> {
    for (const first of this.firstInInstrument) {
      for (let slot = first; slot !== none; slot = this.nextInInstrument[slot]) yield slot
    }
  }

  /** Oldest working order of the instrument, or `none`. */
  firstOf(instrument: number): number {
    return instrument < this.firstInInstrument.length ? this.firstInInstrument[instrument] : none
  }

  /** Takes the memory of so many slots at once, if it has fewer, and of client ids for them. */
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
