// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { doublesAt, grownMemory, none, rowCells, wordsAt } from '../../memory/rows.js'
import { touched } from '../../memory/touched.js'

/** Columns of expiry groups: a wallet's exposures in one underlying and expiry. */
export class ExpiryGroupRows {
  /** Rows that there is memory for. */
  capacity: number
  /** Rows ever taken: every live one is among them. */
  high = 0
  /** Derived: positions and working orders. */
  expiryMillis!: Float64Array
  /**
   * Worst payoff without and with sells; valid if `lossKnown` has the bit 1 << with sells. Derived:
   * positions and working orders.
   */
  maxLossMicros!: Float64Array
  /** Derived: positions and working orders. */
  maxLossWithSellsMicros!: Float64Array
  /** Derived: positions and working orders. */
  bucket!: Int32Array
  /** Derived: positions and working orders. */
  firstExposure!: Int32Array
  /** Derived: positions and working orders. */
  nextInBucket!: Int32Array
  /** Derived: positions and working orders. */
  lossKnown!: Int32Array
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
    if (row !== none) this.#freeHead = this.nextInBucket[row]!
    else {
      if (this.high === this.capacity) this.growTo(this.nextCapacity())
      row = this.high++ * rowCells
    }
    this.firstExposure[row] = none
    this.nextInBucket[row] = none
    this.lossKnown[row] = 0
    return row
  }

  /** Frees a row that has no reader. */
  give(row: number): void {
    this.nextInBucket[row] = this.#freeHead
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
    this.expiryMillis = doublesAt(this.#doubles, 0)
    this.maxLossMicros = doublesAt(this.#doubles, 1)
    this.maxLossWithSellsMicros = doublesAt(this.#doubles, 2)
    this.bucket = wordsAt(this.#words, 0)
    this.firstExposure = wordsAt(this.#words, 1)
    this.nextInBucket = wordsAt(this.#words, 2)
    this.lossKnown = wordsAt(this.#words, 3)
  }
}
