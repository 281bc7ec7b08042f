import { assert } from '../../schemas/assert.js'
import { OrderStatus } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'
import { bytesAt, doublesAt, grownMemory, none, rowCells, wordsAt } from '../memory/rows.js'
import { touched } from '../memory/touched.js'
import { builderWords, clientIdWords, OrderTexts } from './order-texts.js'

/** Up to here the store doubles when it grows; from there on a thirty-second is added: orders are what fills memory. */
const doublingMax = 1 << 16

/** Of an order: doubles, words and bytes in this order, each in a table of its own (memory/rows.ts). */
const doubleCell = {
  orderId: 0,
  priceMicros: 1,
  sizeLots: 2,
  openLots: 3,
  filledLots: 4,
  filledMicros: 5,
  createdMillis: 6,
  toldSeq: 7,
} as const
const wordCell = {
  account: 0,
  instrument: 1,
  exposure: 2,
  nextInExposure: 3,
  prevInExposure: 4,
  nextInInstrument: 5,
  prevInInstrument: 6,
  text: 7,
} as const
const byteCell = { side: 0, tif: 1, flags: 2, status: 3, clientIdBytes: 4, hasBuilder: 5 } as const

/** The order's name to its matcher, which numbers them densely. */
export function handleOf(slot: number): number {
  return slot / rowCells
}

/** Slot of the order that its matcher calls by `handle`. */
export function slotOf(handle: number): number {
  return handle * rowCells
}

/**
 * Orders as rows (memory/rows.ts); a slot is a row's number. It is the order's from `allocate` to `free`; its matcher
 * knows the order by `handleOf` it. Working orders hang in one list per exposure (a wallet's place in one instrument),
 * in no particular order (those columns belong to the exposure's owner), and in one list per instrument, in
 * order of their ids.
 */
export class OrderStore {
  capacity: number
  /** Rows ever used: every live slot is of one of them. */
  high = 0
  orderId!: Float64Array
  account!: Int32Array
  instrument!: Int32Array
  exposure!: Int32Array
  side!: Uint8Array
  tif!: Uint8Array
  flags!: Uint8Array
  status!: Uint8Array
  priceMicros!: Float64Array
  sizeLots!: Float64Array
  /** Size less fills while working; 0 once final. */
  openLots!: Float64Array
  filledLots!: Float64Array
  filledMicros!: Float64Array
  createdMillis!: Float64Array
  /** Sequence of its latest event; means something within the step only, and is no part of the state. */
  toldSeq!: Float64Array
  nextInExposure!: Int32Array
  prevInExposure!: Int32Array
  nextInInstrument!: Int32Array
  prevInInstrument!: Int32Array
  clientIdBytes!: Uint8Array
  /** 1 where the order has a builder. */
  hasBuilder!: Uint8Array
  /** Block of `texts` with client id and builder; `none` without either. */
  text!: Int32Array
  readonly texts = new OrderTexts()
  /** Per instrument: its working orders, oldest first; `none` where there are none. */
  firstInInstrument: Int32Array = new Int32Array(64).fill(none)
  lastInInstrument: Int32Array = new Int32Array(64).fill(none)
  #doubles: ArrayBuffer
  #words: ArrayBuffer
  #bytes: ArrayBuffer
  #freeHead = none

  constructor(capacity = 1024) {
    const cells = capacity * rowCells
    this.capacity = capacity
    this.#doubles = new ArrayBuffer(cells * 8)
    this.#words = new ArrayBuffer(cells * 4)
    this.#bytes = new ArrayBuffer(cells)
    this.#layColumns()
  }

  /** Takes a free slot; all its columns are the caller's to set, client id and builder by `setTexts`. */
  allocate(): number {
    if (this.#freeHead !== none) {
      const slot = this.#freeHead
      this.#freeHead = this.nextInExposure[slot]
      return slot
    }
    if (this.high === this.capacity) this.#grow()
    const slot = this.high++ * rowCells
    this.text[slot] = none
    return slot
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
    for (const memory of [this.#doubles, this.#words, this.#bytes]) touched(new Uint8Array(memory))
    this.texts.reserve(capacity)
  }

  #growInstruments(): void {
    const length = this.firstInInstrument.length * 2
    this.firstInInstrument = grown(this.firstInInstrument, new Int32Array(length).fill(none))
    this.lastInInstrument = grown(this.lastInInstrument, new Int32Array(length).fill(none))
  }

  #grow(): void {
    const { capacity } = this
    this.#growTo(capacity < doublingMax ? capacity * 2 : capacity + (capacity >> 5))
  }

  #growTo(capacity: number): void {
    this.capacity = capacity
    const cells = capacity * rowCells
    this.#doubles = grownMemory(this.#doubles, cells * 8)
    this.#words = grownMemory(this.#words, cells * 4)
    this.#bytes = grownMemory(this.#bytes, cells)
    this.#layColumns()
  }

  #layColumns(): void {
    const doubles = this.#doubles
    this.orderId = doublesAt(doubles, doubleCell.orderId)
    this.priceMicros = doublesAt(doubles, doubleCell.priceMicros)
    this.sizeLots = doublesAt(doubles, doubleCell.sizeLots)
    this.openLots = doublesAt(doubles, doubleCell.openLots)
    this.filledLots = doublesAt(doubles, doubleCell.filledLots)
    this.filledMicros = doublesAt(doubles, doubleCell.filledMicros)
    this.createdMillis = doublesAt(doubles, doubleCell.createdMillis)
    this.toldSeq = doublesAt(doubles, doubleCell.toldSeq)
    const words = this.#words
    this.account = wordsAt(words, wordCell.account)
    this.instrument = wordsAt(words, wordCell.instrument)
    this.exposure = wordsAt(words, wordCell.exposure)
    this.nextInExposure = wordsAt(words, wordCell.nextInExposure)
    this.prevInExposure = wordsAt(words, wordCell.prevInExposure)
    this.nextInInstrument = wordsAt(words, wordCell.nextInInstrument)
    this.prevInInstrument = wordsAt(words, wordCell.prevInInstrument)
    this.text = wordsAt(words, wordCell.text)
    const bytes = this.#bytes
    this.side = bytesAt(bytes, byteCell.side)
    this.tif = bytesAt(bytes, byteCell.tif)
    this.flags = bytesAt(bytes, byteCell.flags)
    this.status = bytesAt(bytes, byteCell.status)
    this.clientIdBytes = bytesAt(bytes, byteCell.clientIdBytes)
    this.hasBuilder = bytesAt(bytes, byteCell.hasBuilder)
  }
}
