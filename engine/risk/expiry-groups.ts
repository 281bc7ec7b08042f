import { assert } from '../../schemas/assert.js'
import { Right } from '../../schemas/domain.js'
import { doublesAt, grownMemory, none, rowCells, wordsAt } from '../memory/rows.js'

/** Cells of `lots`, all of a row's: [with sells 0 | 1][call 0 | put 1][long 0 | short 1]. */
const lotsPerGroup = rowCells

/** Of a row: other doubles, and words (memory/rows.ts). */
const doubleCell = { expiryMillis: 0, maxLossMicros: 1, maxLossWithSellsMicros: 2 } as const
const wordCell = { bucket: 0, firstExposure: 1, nextInBucket: 2, lossKnown: 3 } as const

/** Place in `lots` of the long side; the short side follows it. */
export function lotsAt(group: number, withSells: boolean, right: number): number {
  return group + (withSells ? 4 : 0) + 2 * right
}

/**
 * Groups as rows (memory/rows.ts): a wallet's exposures in one underlying and expiry, with the lots that
 * its instruments are net long and net short. A bucket's groups hang in one list from the latest
 * expiry to the earliest, a group's exposures in one by rising strike.
 */
export class ExpiryGroups {
  high = 0
  bucket!: Int32Array
  expiryMillis!: Float64Array
  firstExposure!: Int32Array
  nextInBucket!: Int32Array
  lots!: Float64Array
  /** Worst payoff without and with sells, valid where `lossKnown` has the bit 1 << with sells. */
  maxLossMicros!: Float64Array
  maxLossWithSellsMicros!: Float64Array
  lossKnown!: Int32Array
  #capacity = 64
  #lots = new ArrayBuffer(64 * rowCells * 8)
  #doubles = new ArrayBuffer(64 * rowCells * 8)
  #words = new ArrayBuffer(64 * rowCells * 4)
  #freeHead = none

  constructor() {
    this.#layColumns()
  }

  /** Adds an empty group; linking it is the caller's. */
  add(bucket: number, expiryMillis: number): number {
    const row = this.#take()
    this.bucket[row] = bucket
    this.expiryMillis[row] = expiryMillis
    this.firstExposure[row] = none
    this.nextInBucket[row] = none
    this.lots.fill(0, row, row + lotsPerGroup)
    this.lossKnown[row] = 0
    return row
  }

  /** Gives a group back that no list holds and no exposure is in. */
  free(row: number): void {
    assert(this.firstExposure[row] === none, 'groups: freed with exposures')
    this.bucket[row] = none
    this.nextInBucket[row] = this.#freeHead
    this.#freeHead = row
  }

  /**
   * Moves one view of a group from an instrument's net lots before to those after; a perp, of no right, covers nothing
   * and asks for no cover.
   */
  moveNet(row: number, withSells: boolean, right: number, before: number, after: number): void {
    if (right === Right.None) return
    const at = lotsAt(row, withSells, right)
    this.lots[at] += Math.max(0, after) - Math.max(0, before)
    this.lots[at + 1] += Math.max(0, -after) - Math.max(0, -before)
  }

  #take(): number {
    if (this.#freeHead !== none) {
      const row = this.#freeHead
      this.#freeHead = this.nextInBucket[row]
      return row
    }
    if (this.high === this.#capacity) this.#grow()
    return this.high++ * rowCells
  }

  #grow(): void {
    this.#capacity *= 2
    const cells = this.#capacity * rowCells
    this.#lots = grownMemory(this.#lots, cells * 8)
    this.#doubles = grownMemory(this.#doubles, cells * 8)
    this.#words = grownMemory(this.#words, cells * 4)
    this.#layColumns()
  }

  #layColumns(): void {
    this.lots = new Float64Array(this.#lots)
    const doubles = this.#doubles
    this.expiryMillis = doublesAt(doubles, doubleCell.expiryMillis)
    this.maxLossMicros = doublesAt(doubles, doubleCell.maxLossMicros)
    this.maxLossWithSellsMicros = doublesAt(doubles, doubleCell.maxLossWithSellsMicros)
    const words = this.#words
    this.bucket = wordsAt(words, wordCell.bucket)
    this.firstExposure = wordsAt(words, wordCell.firstExposure)
    this.nextInBucket = wordsAt(words, wordCell.nextInBucket)
    this.lossKnown = wordsAt(words, wordCell.lossKnown)
  }
}
