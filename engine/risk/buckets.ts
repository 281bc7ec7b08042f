import { assert } from '../../schemas/assert.js'
import { grown } from '../memory/grown.js'
import { doublesAt, grownMemory, none, rowCells, wordsAt } from '../memory/rows.js'

/** Version of a bucket whose sums have to be computed anew. */
export const staleVersion = -1

/** Of a row: what every check sums up, the other doubles, and words. */
const sumCell = {
  version: 0,
  premiumMicros: 1,
  valueMicros: 2,
  slippageMicros: 3,
  keptSpotMicros: 4,
  keptSellsIm: 5,
  keptSellsUncovered: 6,
  feeMicros: 7,
} as const
const doubleCell = {
  keptPositionIm: 0,
  keptPositionMm: 1,
  keptPositionUncovered: 2,
  feeSpotMicros: 3,
  perpSlippageMicros: 4,
  keptSellsMm: 5,
} as const
const wordCell = {
  account: 0,
  underlying: 1,
  nextInAccount: 2,
  firstGroup: 3,
  unmarkedShorts: 4,
  kept: 5,
} as const

/**
 * Buckets as rows (memory/rows.ts): a wallet's exposures in one underlying with everything that margin
 * sums over them. Sums are of integers below 2^53, so their order never shows. A wallet's buckets
 * hang in one list by rising underlying.
 *
 * Sums that depend on marks are valid only while `version` equals the underlying's; the premium
 * reserve depends on none and is always valid, the fees beside it on the index alone (buy-fees.ts).
 */
export class Buckets {
  readonly scenarioCount: number
  high = 0
  account!: Int32Array
  underlying!: Int32Array
  nextInAccount!: Int32Array
  firstGroup!: Int32Array
  version!: Float64Array
  premiumMicros!: Float64Array
  /** Fees that the working buys reserve. */
  feeMicros!: Float64Array
  /** Σ m·q of the options; positions without a mark count 0. */
  valueMicros!: Float64Array
  /** Of working sells of options. */
  slippageMicros!: Float64Array
  /** Of working orders of perps, either side. */
  perpSlippageMicros!: Float64Array
  /** Exposures without a mark that are short, or would be with all their sells filled; perps on either side. */
  unmarkedShorts!: Int32Array
  /** Σ q·δ, from `scenariosAt` of the bucket on. */
  positionPnl: Float64Array
  /** Σ s·max(0, δ), of working perp buys Σ b·max(0, -δ); same layout. */
  sellLoss: Float64Array
  /** Bit 1: the kept requirement of the positions is valid, bit 2: that with all working sells. */
  kept!: Int32Array
  /** Index that the kept requirements were worked out with. */
  keptSpotMicros!: Float64Array
  keptPositionIm!: Float64Array
  keptPositionMm!: Float64Array
  keptPositionUncovered!: Float64Array
  /** Index that `feeMicros` was worked out with; NaN: it is to be computed anew. */
  feeSpotMicros!: Float64Array
  keptSellsIm!: Float64Array
  keptSellsMm!: Float64Array
  keptSellsUncovered!: Float64Array
  #capacity = 64
  #sums = new ArrayBuffer(64 * rowCells * 8)
  #doubles = new ArrayBuffer(64 * rowCells * 8)
  #words = new ArrayBuffer(64 * rowCells * 4)
  #freeHead = none

  /** @param scenarioCount of the longest scenario table. */
  constructor(scenarioCount: number) {
    this.scenarioCount = scenarioCount
    this.positionPnl = new Float64Array(64 * scenarioCount)
    this.sellLoss = new Float64Array(64 * scenarioCount)
    this.#layColumns()
  }

  /** Place of a bucket's first scenario in `positionPnl` and `sellLoss`. */
  scenariosAt(row: number): number {
    return (row / rowCells) * this.scenarioCount
  }

  /** Adds an empty, stale bucket; linking it is the caller's. */
  add(account: number, underlying: number): number {
    const row = this.#take()
    this.account[row] = account
    this.underlying[row] = underlying
    this.nextInAccount[row] = none
    this.firstGroup[row] = none
    this.version[row] = staleVersion
    this.premiumMicros[row] = 0
    this.feeMicros[row] = 0
    this.feeSpotMicros[row] = Number.NaN
    this.kept[row] = 0
    return row
  }

  /** Gives a bucket back that no list holds and no group is in. */
  free(row: number): void {
    assert(this.firstGroup[row] === none, 'buckets: freed with exposures')
    assert(this.premiumMicros[row] === 0, 'buckets: freed with a premium reserve')
    this.account[row] = none
    this.nextInAccount[row] = this.#freeHead
    this.#freeHead = row
  }

  /** Sets the sums that depend on marks to 0. */
  clearSums(row: number): void {
    this.valueMicros[row] = 0
    this.slippageMicros[row] = 0
    this.perpSlippageMicros[row] = 0
    this.unmarkedShorts[row] = 0
    const from = this.scenariosAt(row)
    this.positionPnl.fill(0, from, from + this.scenarioCount)
    this.sellLoss.fill(0, from, from + this.scenarioCount)
    this.kept[row] = 0
  }

  #take(): number {
    if (this.#freeHead !== none) {
      const row = this.#freeHead
      this.#freeHead = this.nextInAccount[row]
      return row
    }
    if (this.high === this.#capacity) this.#grow()
    return this.high++ * rowCells
  }

  #grow(): void {
    this.#capacity *= 2
    const cells = this.#capacity * rowCells
    this.#sums = grownMemory(this.#sums, cells * 8)
    this.#doubles = grownMemory(this.#doubles, cells * 8)
    this.#words = grownMemory(this.#words, cells * 4)
    const scenarios = this.#capacity * this.scenarioCount
    this.positionPnl = grown(this.positionPnl, new Float64Array(scenarios))
    this.sellLoss = grown(this.sellLoss, new Float64Array(scenarios))
    this.#layColumns()
  }

  #layColumns(): void {
    const sums = this.#sums
    this.version = doublesAt(sums, sumCell.version)
    this.premiumMicros = doublesAt(sums, sumCell.premiumMicros)
    this.valueMicros = doublesAt(sums, sumCell.valueMicros)
    this.slippageMicros = doublesAt(sums, sumCell.slippageMicros)
    this.keptSpotMicros = doublesAt(sums, sumCell.keptSpotMicros)
    this.keptSellsIm = doublesAt(sums, sumCell.keptSellsIm)
    this.keptSellsUncovered = doublesAt(sums, sumCell.keptSellsUncovered)
    this.feeMicros = doublesAt(sums, sumCell.feeMicros)
    const doubles = this.#doubles
    this.keptPositionIm = doublesAt(doubles, doubleCell.keptPositionIm)
    this.keptPositionMm = doublesAt(doubles, doubleCell.keptPositionMm)
    this.keptPositionUncovered = doublesAt(doubles, doubleCell.keptPositionUncovered)
    this.feeSpotMicros = doublesAt(doubles, doubleCell.feeSpotMicros)
    this.perpSlippageMicros = doublesAt(doubles, doubleCell.perpSlippageMicros)
    this.keptSellsMm = doublesAt(doubles, doubleCell.keptSellsMm)
    const words = this.#words
    this.account = wordsAt(words, wordCell.account)
    this.underlying = wordsAt(words, wordCell.underlying)
    this.nextInAccount = wordsAt(words, wordCell.nextInAccount)
    this.firstGroup = wordsAt(words, wordCell.firstGroup)
    this.unmarkedShorts = wordsAt(words, wordCell.unmarkedShorts)
    this.kept = wordsAt(words, wordCell.kept)
  }
}
