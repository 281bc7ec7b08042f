// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { bytesAt, doublesAt, grownMemory, none, rowCells, wordsAt } from '../../memory/rows.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'
import { touched } from '../../memory/touched.js'

/** Columns of orders, working and recently ended. */
export class OrderRows {
  /** Rows that there is memory for. */
  capacity: number
  /** Rows ever taken: every live one is among them. */
  high = 0
  orderId!: Float64Array
  account!: Int32Array
  instrument!: Int32Array
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
  /** Sequence of its latest event. Derived: the current step; only valid within it. */
  publishedSeq!: Float64Array
  /**
   * Exposure of the wallet in the instrument; `none` once final. Derived: the lists of working
   * orders.
   */
  exposure!: Int32Array
  /** Derived: the lists of working orders. */
  nextInExposure!: Int32Array
  /** Derived: the lists of working orders. */
  prevInExposure!: Int32Array
  /** Derived: the lists of working orders. */
  nextInInstrument!: Int32Array
  /** Derived: the lists of working orders. */
  prevInInstrument!: Int32Array
  /**
   * Block of client id and builder; `none` without either. Derived: its client id and builder,
   * which are saved after it.
   */
  text!: Int32Array
  /** Derived: its client id and builder, which are saved after it. */
  clientIdBytes!: Uint8Array
  /** 1 if the order has a builder. Derived: its client id and builder, which are saved after it. */
  hasBuilder!: Uint8Array
  #doubles: ArrayBuffer
  #words: ArrayBuffer
  #bytes: ArrayBuffer
  #freeHead = none

  constructor(capacity = 64) {
    const cells = capacity * rowCells
    this.capacity = capacity
    this.#doubles = new ArrayBuffer(cells * 8)
    this.#words = new ArrayBuffer(cells * 4)
    this.#bytes = new ArrayBuffer(cells)
    this.#layColumns()
  }

  /** A free row, or a new one, with what a row has at first; the other columns are the caller's to set. */
  take(): number {
    let row = this.#freeHead
    if (row !== none) this.#freeHead = this.nextInExposure[row]!
    else {
      if (this.high === this.capacity) this.growTo(this.nextCapacity())
      row = this.high++ * rowCells
    }
    this.text[row] = none
    return row
  }

  /** Frees a row that has no reader. */
  give(row: number): void {
    this.nextInExposure[row] = this.#freeHead
    this.#freeHead = row
  }

  /** Rows to have memory for when there are too few. */
  protected nextCapacity(): number {
    return this.capacity * 2
  }

  /** Takes memory for so many rows; columns are replaced, so nobody keeps one over it. */
  growTo(capacity: number): void {
    this.capacity = capacity
    const cells = capacity * rowCells
    this.#doubles = grownMemory(this.#doubles, cells * 8)
    this.#words = grownMemory(this.#words, cells * 4)
    this.#bytes = grownMemory(this.#bytes, cells)
    this.#layColumns()
  }

  /** Makes all of its memory resident. */
  touch(): void {
    touched(new Uint8Array(this.#doubles))
    touched(new Uint8Array(this.#words))
    touched(new Uint8Array(this.#bytes))
  }

  #layColumns(): void {
    this.orderId = doublesAt(this.#doubles, 0)
    this.priceMicros = doublesAt(this.#doubles, 1)
    this.sizeLots = doublesAt(this.#doubles, 2)
    this.openLots = doublesAt(this.#doubles, 3)
    this.filledLots = doublesAt(this.#doubles, 4)
    this.filledMicros = doublesAt(this.#doubles, 5)
    this.createdMillis = doublesAt(this.#doubles, 6)
    this.publishedSeq = doublesAt(this.#doubles, 7)
    this.account = wordsAt(this.#words, 0)
    this.instrument = wordsAt(this.#words, 1)
    this.exposure = wordsAt(this.#words, 2)
    this.nextInExposure = wordsAt(this.#words, 3)
    this.prevInExposure = wordsAt(this.#words, 4)
    this.nextInInstrument = wordsAt(this.#words, 5)
    this.prevInInstrument = wordsAt(this.#words, 6)
    this.text = wordsAt(this.#words, 7)
    this.side = bytesAt(this.#bytes, 0)
    this.tif = bytesAt(this.#bytes, 1)
    this.flags = bytesAt(this.#bytes, 2)
    this.status = bytesAt(this.#bytes, 3)
    this.clientIdBytes = bytesAt(this.#bytes, 4)
    this.hasBuilder = bytesAt(this.#bytes, 5)
  }

  /** Writes all of a row that is state. */
  saveRow(row: number, sink: StateSink): void {
    sink.f64(this.orderId[row])
    sink.i32(this.account[row])
    sink.i32(this.instrument[row])
    sink.i32(this.side[row])
    sink.i32(this.tif[row])
    sink.i32(this.flags[row])
    sink.i32(this.status[row])
    sink.f64(this.priceMicros[row])
    sink.f64(this.sizeLots[row])
    sink.f64(this.openLots[row])
    sink.f64(this.filledLots[row])
    sink.f64(this.filledMicros[row])
    sink.f64(this.createdMillis[row])
  }

  /** Reads into a row what `saveRow` wrote. */
  loadRow(row: number, reader: StateReader): void {
    this.orderId[row] = reader.f64()
    this.account[row] = reader.i32()
    this.instrument[row] = reader.i32()
    this.side[row] = reader.i32()
    this.tif[row] = reader.i32()
    this.flags[row] = reader.i32()
    this.status[row] = reader.i32()
    this.priceMicros[row] = reader.f64()
    this.sizeLots[row] = reader.f64()
    this.openLots[row] = reader.f64()
    this.filledLots[row] = reader.f64()
    this.filledMicros[row] = reader.f64()
    this.createdMillis[row] = reader.f64()
  }

  /** Names of the columns of state in which a row is not as that of another table. */
  differences(row: number, other: OrderRows, otherRow: number): string[] {
    const names: string[] = []
    if (!Object.is(this.orderId[row], other.orderId[otherRow])) names.push('orderId')
    if (!Object.is(this.account[row], other.account[otherRow])) names.push('account')
    if (!Object.is(this.instrument[row], other.instrument[otherRow])) names.push('instrument')
    if (!Object.is(this.side[row], other.side[otherRow])) names.push('side')
    if (!Object.is(this.tif[row], other.tif[otherRow])) names.push('tif')
    if (!Object.is(this.flags[row], other.flags[otherRow])) names.push('flags')
    if (!Object.is(this.status[row], other.status[otherRow])) names.push('status')
    if (!Object.is(this.priceMicros[row], other.priceMicros[otherRow])) names.push('priceMicros')
    if (!Object.is(this.sizeLots[row], other.sizeLots[otherRow])) names.push('sizeLots')
    if (!Object.is(this.openLots[row], other.openLots[otherRow])) names.push('openLots')
    if (!Object.is(this.filledLots[row], other.filledLots[otherRow])) names.push('filledLots')
    if (!Object.is(this.filledMicros[row], other.filledMicros[otherRow])) names.push('filledMicros')
    if (!Object.is(this.createdMillis[row], other.createdMillis[otherRow])) names.push('createdMillis')
    return names
  }

  /** Adds a row to the hash, or takes it out of it: around every change of what is state. */
  hashRow(row: number, hash: StateHash, adds: boolean): void {
    rowDoubles[0] = this.orderId[row] + 0
    rowDoubles[1] = this.priceMicros[row] + 0
    rowDoubles[2] = this.sizeLots[row] + 0
    rowDoubles[3] = this.openLots[row] + 0
    rowDoubles[4] = this.filledLots[row] + 0
    rowDoubles[5] = this.filledMicros[row] + 0
    rowDoubles[6] = this.createdMillis[row] + 0
    rowWords[14] = this.account[row]
    rowWords[15] = this.instrument[row]
    rowWords[16] = this.side[row] | (this.tif[row] << 8) | (this.flags[row] << 16) | (this.status[row] << 24)
    hash.put(HashKind.Order, 17, adds)
  }
}
