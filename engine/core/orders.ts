import { assert } from '../../schemas/assert.js'
import { OrderStatus } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'
import { touched } from '../memory/touched.js'
import { builderWords, clientIdWords, OrderTexts } from './order-texts.js'

/** Ends every linked list of slots. */
export const none = -1

/** Up to here the columns double when they grow; from there on a sixteenth is added: they are what fills memory. */
const doublingMax = 1 << 16

/**
 * Orders as slots of parallel columns. A slot is handed to the matcher as the order's handle and stays the
 * order's until `free`. Working orders hang in one list per exposure (a wallet's place in one instrument),
 * in no particular order (those columns belong to the exposure's owner), and in one list per instrument, in
 * order of their ids.
 */
export class OrderStore {
  capacity: number
  /** Slots ever used: every live slot is below. */
  high = 0
  orderId: Float64Array
  account: Int32Array
  instrument: Int32Array
  exposure: Int32Array
  side: Uint8Array
  tif: Uint8Array
  flags: Uint8Array
  status: Uint8Array
  priceMicros: Float64Array
  sizeLots: Float64Array
  /** Size less fills while working; 0 once final. */
  openLots: Float64Array
  filledLots: Float64Array
  filledMicros: Float64Array
  createdMillis: Float64Array
  nextInExposure: Int32Array
  prevInExposure: Int32Array
  nextInInstrument: Int32Array
  prevInInstrument: Int32Array
  clientIdBytes: Uint8Array
  /** 1 where the order has a builder. */
  hasBuilder: Uint8Array
  /** Block of `texts` with client id and builder; `none` without either. */
  text: Int32Array
  readonly texts = new OrderTexts()
  /** Per instrument: its working orders, oldest first; `none` where there are none. */
  firstInInstrument: Int32Array = new Int32Array(64).fill(none)
  lastInInstrument: Int32Array = new Int32Array(64).fill(none)
  #freeHead = none

  constructor(capacity = 1024) {
    this.capacity = capacity
    this.orderId = new Float64Array(capacity)
    this.account = new Int32Array(capacity)
    this.instrument = new Int32Array(capacity)
    this.exposure = new Int32Array(capacity)
    this.side = new Uint8Array(capacity)
    this.tif = new Uint8Array(capacity)
    this.flags = new Uint8Array(capacity)
    this.status = new Uint8Array(capacity)
    this.priceMicros = new Float64Array(capacity)
    this.sizeLots = new Float64Array(capacity)
    this.openLots = new Float64Array(capacity)
    this.filledLots = new Float64Array(capacity)
    this.filledMicros = new Float64Array(capacity)
    this.createdMillis = new Float64Array(capacity)
    this.nextInExposure = new Int32Array(capacity)
    this.prevInExposure = new Int32Array(capacity)
    this.nextInInstrument = new Int32Array(capacity)
    this.prevInInstrument = new Int32Array(capacity)
    this.clientIdBytes = new Uint8Array(capacity)
    this.hasBuilder = new Uint8Array(capacity)
    this.text = new Int32Array(capacity).fill(none)
  }

  /** Takes a free slot; all its columns are the caller's to set, client id and builder by `setTexts`. */
  allocate(): number {
    if (this.#freeHead !== none) {
      const slot = this.#freeHead
      this.#freeHead = this.nextInExposure[slot]
      return slot
    }
    if (this.high === this.capacity) this.#grow()
    return this.high++
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
    this.nextInExposure[slot] = this.#freeHead
    this.#freeHead = slot
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

  /** Appends a working order to its instrument's list; ids only rise, so the list stays in order of ids. */
  linkInstrument(slot: number): void {
    const instrument = this.instrument[slot]
    while (instrument >= this.firstInInstrument.length) this.#growInstruments()
    const last = this.lastInInstrument[instrument]
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
    if (previous === none) this.firstInInstrument[instrument] = next
    else this.nextInInstrument[previous] = next
    if (next === none) this.lastInInstrument[instrument] = previous
    else this.prevInInstrument[next] = previous
  }

  /** Oldest working order of the instrument, or `none`. */
  firstOf(instrument: number): number {
    return instrument < this.firstInInstrument.length ? this.firstInInstrument[instrument] : none
  }

  /** Takes the memory of so many slots at once, if it has fewer, and of client ids for them. */
  reserve(capacity: number): void {
    if (capacity <= this.capacity) return
    this.#growTo(capacity)
    for (const column of Object.values(this)) if (ArrayBuffer.isView(column)) touched(column)
    this.texts.reserve(capacity)
  }

  #growInstruments(): void {
    const length = this.firstInInstrument.length * 2
    this.firstInInstrument = grown(this.firstInInstrument, new Int32Array(length).fill(none))
    this.lastInInstrument = grown(this.lastInInstrument, new Int32Array(length).fill(none))
  }

  #grow(): void {
    const { capacity } = this
    this.#growTo(capacity < doublingMax ? capacity * 2 : capacity + (capacity >> 4))
  }

  #growTo(capacity: number): void {
    this.orderId = grown(this.orderId, new Float64Array(capacity))
    this.account = grown(this.account, new Int32Array(capacity))
    this.instrument = grown(this.instrument, new Int32Array(capacity))
    this.exposure = grown(this.exposure, new Int32Array(capacity))
    this.side = grown(this.side, new Uint8Array(capacity))
    this.tif = grown(this.tif, new Uint8Array(capacity))
    this.flags = grown(this.flags, new Uint8Array(capacity))
    this.status = grown(this.status, new Uint8Array(capacity))
    this.priceMicros = grown(this.priceMicros, new Float64Array(capacity))
    this.sizeLots = grown(this.sizeLots, new Float64Array(capacity))
    this.openLots = grown(this.openLots, new Float64Array(capacity))
    this.filledLots = grown(this.filledLots, new Float64Array(capacity))
    this.filledMicros = grown(this.filledMicros, new Float64Array(capacity))
    this.createdMillis = grown(this.createdMillis, new Float64Array(capacity))
    this.nextInExposure = grown(this.nextInExposure, new Int32Array(capacity))
    this.prevInExposure = grown(this.prevInExposure, new Int32Array(capacity))
    this.nextInInstrument = grown(this.nextInInstrument, new Int32Array(capacity))
    this.prevInInstrument = grown(this.prevInInstrument, new Int32Array(capacity))
    this.clientIdBytes = grown(this.clientIdBytes, new Uint8Array(capacity))
    this.hasBuilder = grown(this.hasBuilder, new Uint8Array(capacity))
    this.text = grown(this.text, new Int32Array(capacity).fill(none))
    this.capacity = capacity
  }
}
