// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { doublesAt, grownMemory, none, rowCells, wordsAt } from '../../memory/rows.js'
import { touched } from '../../memory/touched.js'

/**
 * Columns of buckets: a wallet's exposures in one underlying, with everything that margin sums over
 * them.
 */
export class BucketRows {
  /** Rows that there is memory for. */
  capacity: number
  /** Rows ever taken: every live one is among them. */
  high = 0
  /**
   * Equal to that of the underlying's marks while the sums are valid. Derived: positions, working
   * orders and marks.
   */
  version!: Float64Array
  /** Derived: positions, working orders and marks. */
  premiumMicros!: Float64Array
  /**
   * Σ m·q of the options; positions without a mark count 0. Derived: positions, working orders and
   * marks.
   */
  valueMicros!: Float64Array
  /** Of working sells of options. Derived: positions, working orders and marks. */
  slippageMicros!: Float64Array
  /** Index of the cached requirements. Derived: positions, working orders and marks. */
  keptSpotMicros!: Float64Array
  /** Derived: positions, working orders and marks. */
  keptSellsIm!: Float64Array
  /** Derived: positions, working orders and marks. */
  keptSellsUncovered!: Float64Array
  /** Fee reserve of the working buys. Derived: positions, working orders and marks. */
  feeMicros!: Float64Array
  /** Derived: positions, working orders and marks. */
  keptPositionIm!: Float64Array
  /** Derived: positions, working orders and marks. */
  keptPositionMm!: Float64Array
  /** Derived: positions, working orders and marks. */
  keptPositionUncovered!: Float64Array
  /**
   * Index of `feeMicros`; NaN if it must be recomputed. Derived: positions, working orders and
   * marks.
   */
  feeSpotMicros!: Float64Array
  /** Of working orders of perps, either side. Derived: positions, working orders and marks. */
  perpSlippageMicros!: Float64Array
  /** Derived: positions, working orders and marks. */
  keptSellsMm!: Float64Array
  /** Derived: positions, working orders and marks. */
  account!: Int32Array
  /** Derived: positions, working orders and marks. */
  underlying!: Int32Array
  /** Derived: positions, working orders and marks. */
  nextInAccount!: Int32Array
  /** Derived: positions, working orders and marks. */
  firstGroup!: Int32Array
  /**
   * Exposures without a mark that are short, or would be with all sells filled; perps on either
   * side. Derived: positions, working orders and marks.
   */
  unmarkedShorts!: Int32Array
  /**
   * Bit 1: the cached requirement of the positions is valid; bit 2: that with all working sells.
   * Derived: positions, working orders and marks.
   */
  kept!: Int32Array
  #doubles: ArrayBuffer
  #doubles2: ArrayBuffer
  #words: ArrayBuffer
  #freeHead = none

  constructor(capacity = 64) {
    const cells = capacity * rowCells
    this.capacity = capacity
    this.#doubles = new ArrayBuffer(cells * 8)
    this.#doubles2 = new ArrayBuffer(cells * 8)
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
    this.version[row] = -1
    this.premiumMicros[row] = 0
    this.feeMicros[row] = 0
    this.feeSpotMicros[row] = Number.NaN
    this.nextInAccount[row] = none
    this.firstGroup[row] = none
    this.kept[row] = 0
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
    this.#doubles2 = grownMemory(this.#doubles2, cells * 8)
    this.#words = grownMemory(this.#words, cells * 4)
    this.#layColumns()
  }

  /** Makes all of its memory resident. */
  touch(): void {
    touched(new Uint8Array(this.#doubles))
    touched(new Uint8Array(this.#doubles2))
    touched(new Uint8Array(this.#words))
  }

  #layColumns(): void {
    this.version = doublesAt(this.#doubles, 0)
    this.premiumMicros = doublesAt(this.#doubles, 1)
    this.valueMicros = doublesAt(this.#doubles, 2)
    this.slippageMicros = doublesAt(this.#doubles, 3)
    this.keptSpotMicros = doublesAt(this.#doubles, 4)
    this.keptSellsIm = doublesAt(this.#doubles, 5)
    this.keptSellsUncovered = doublesAt(this.#doubles, 6)
    this.feeMicros = doublesAt(this.#doubles, 7)
    this.keptPositionIm = doublesAt(this.#doubles2, 0)
    this.keptPositionMm = doublesAt(this.#doubles2, 1)
    this.keptPositionUncovered = doublesAt(this.#doubles2, 2)
    this.feeSpotMicros = doublesAt(this.#doubles2, 3)
    this.perpSlippageMicros = doublesAt(this.#doubles2, 4)
    this.keptSellsMm = doublesAt(this.#doubles2, 5)
    this.account = wordsAt(this.#words, 0)
    this.underlying = wordsAt(this.#words, 1)
    this.nextInAccount = wordsAt(this.#words, 2)
    this.firstGroup = wordsAt(this.#words, 3)
    this.unmarkedShorts = wordsAt(this.#words, 4)
    this.kept = wordsAt(this.#words, 5)
  }
}
