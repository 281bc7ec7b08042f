// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { doublesAt, grownMemory, none, rowCells, wordsAt } from '../../memory/rows.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'
import { touched } from '../../memory/touched.js'

/** Columns of exposures: a wallet's position and orders in one instrument. */
export class ExposureRows {
  /** Rows that there is memory for. */
  capacity: number
  /** Rows ever taken: every live one is among them. */
  high = 0
  /** Derived: its key in the snapshot. */
  account!: Int32Array
  /** Derived: its key in the snapshot. */
  instrument!: Int32Array
  /** Signed: short is negative. */
  positionLots!: Float64Array
  /** Signed like the position: what a long paid, or minus what a short received. */
  costMicros!: Float64Array
  /** Realized since the row exists; the wallet's permanent total is separate. */
  realizedMicros!: Float64Array
  /** Derived: working orders. */
  workingBuyLots!: Float64Array
  /** Derived: working orders. */
  workingSellLots!: Float64Array
  /**
   * Of risk-reducing orders on either side: they reserve nothing and are not in the two above.
   * Derived: working orders.
   */
  riskReducingLots!: Float64Array
  /** Reduce-only part of all three above. Derived: working orders. */
  reduceOnlyBuyLots!: Float64Array
  /** Derived: working orders. */
  reduceOnlySellLots!: Float64Array
  /** Head of the list of working orders in the order store. Derived: working orders. */
  firstOrder!: Int32Array
  /** Derived: positions and working orders. */
  nextInAccount!: Int32Array
  /** Derived: positions and working orders. */
  prevInAccount!: Int32Array
  /**
   * The wallet's (underlying, expiry) group, and the group's list by rising strike. Derived:
   * positions and working orders.
   */
  group!: Int32Array
  /** Derived: positions and working orders. */
  nextInGroup!: Int32Array
  /** Derived: positions and working orders. */
  prevInGroup!: Int32Array
  #doubles: ArrayBuffer
  #words: ArrayBuffer
  #freeHead = none

  constructor(capacity = 64) {
    const cells = capacity * rowCells
    this.capacity = capacity
    this.#doubles = new ArrayBuffer(cells * 8)
    this.#words = new ArrayBuffer(cells * 4)
    this.#layColumns()
  }

  /** A free row, or a new one, with what a row has at first; the other columns are the caller's to set. */
  take(): number {
    let row = this.#freeHead
    if (row !== none) this.#freeHead = this.nextInAccount[row]!
    else {
      if (this.high === this.capacity) this.growTo(this.nextCapacity())
      row = this.high++ * rowCells
    }
    this.positionLots[row] = 0
    this.costMicros[row] = 0
    this.realizedMicros[row] = 0
    this.workingBuyLots[row] = 0
    this.workingSellLots[row] = 0
    this.riskReducingLots[row] = 0
    this.reduceOnlyBuyLots[row] = 0
    this.reduceOnlySellLots[row] = 0
    this.firstOrder[row] = none
    return row
  }

  /** Frees a row that has no reader. */
  give(row: number): void {
    this.nextInAccount[row] = this.#freeHead
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
    this.#layColumns()
  }

  /** Makes all of its memory resident. */
  touch(): void {
    touched(new Uint8Array(this.#doubles))
    touched(new Uint8Array(this.#words))
  }

  #layColumns(): void {
    this.positionLots = doublesAt(this.#doubles, 0)
    this.costMicros = doublesAt(this.#doubles, 1)
    this.realizedMicros = doublesAt(this.#doubles, 2)
    this.workingBuyLots = doublesAt(this.#doubles, 3)
    this.workingSellLots = doublesAt(this.#doubles, 4)
    this.riskReducingLots = doublesAt(this.#doubles, 5)
    this.reduceOnlyBuyLots = doublesAt(this.#doubles, 6)
    this.reduceOnlySellLots = doublesAt(this.#doubles, 7)
    this.account = wordsAt(this.#words, 0)
    this.instrument = wordsAt(this.#words, 1)
    this.firstOrder = wordsAt(this.#words, 2)
    this.nextInAccount = wordsAt(this.#words, 3)
    this.prevInAccount = wordsAt(this.#words, 4)
    this.group = wordsAt(this.#words, 5)
    this.nextInGroup = wordsAt(this.#words, 6)
    this.prevInGroup = wordsAt(this.#words, 7)
  }

  /** Writes all of a row that is state. */
  saveRow(row: number, sink: StateSink): void {
    sink.f64(this.positionLots[row])
    sink.f64(this.costMicros[row])
    sink.f64(this.realizedMicros[row])
  }

  /** Reads into a row what `saveRow` wrote. */
  loadRow(row: number, reader: StateReader): void {
    this.positionLots[row] = reader.f64()
    this.costMicros[row] = reader.f64()
    this.realizedMicros[row] = reader.f64()
  }

  /** Names of the columns of state in which a row is not as that of another table. */
  differences(row: number, other: ExposureRows, otherRow: number): string[] {
    const names: string[] = []
    if (!Object.is(this.positionLots[row], other.positionLots[otherRow])) names.push('positionLots')
    if (!Object.is(this.costMicros[row], other.costMicros[otherRow])) names.push('costMicros')
    if (!Object.is(this.realizedMicros[row], other.realizedMicros[otherRow])) names.push('realizedMicros')
    return names
  }

  /** Adds a row to the hash, or takes it out of it: around every change of what is state. */
  hashRow(row: number, hash: StateHash, adds: boolean): void {
    rowDoubles[0] = this.positionLots[row] + 0
    rowDoubles[1] = this.costMicros[row] + 0
    rowDoubles[2] = this.realizedMicros[row] + 0
    rowWords[6] = this.account[row]
    rowWords[7] = this.instrument[row]
    hash.put(HashKind.Exposure, 8, adds)
  }
}
