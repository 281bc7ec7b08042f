import { assert } from '../../schemas/assert.js'
import { doublesAt, grownMemory, none, rowCells, wordsAt } from '../memory/rows.js'
import { PairIndex } from './pair-index.js'

/** Of a row: doubles and words, each in a table of its own (memory/rows.ts). */
const doubleCell = {
  positionLots: 0,
  workingBuyLots: 1,
  workingSellLots: 2,
  reduceOnlyBuyLots: 3,
  reduceOnlySellLots: 4,
  costMicros: 5,
  realizedMicros: 6,
  exemptLots: 7,
} as const
const wordCell = {
  account: 0,
  instrument: 1,
  group: 2,
  firstOrder: 3,
  nextInAccount: 4,
  prevInAccount: 5,
  nextInGroup: 6,
  prevInGroup: 7,
} as const

/**
 * Exposures as rows (memory/rows.ts): a wallet's place in one instrument, which exists while there is a
 * position or a working order. Rows are used again; columns are replaced when they grow, so nobody
 * keeps one over a change.
 */
export class Exposures {
  /** Rows ever used: every live one is among them. */
  high = 0
  account!: Int32Array
  instrument!: Int32Array
  /** Signed: short is negative. */
  positionLots!: Float64Array
  /** Signed like the position: what a long paid, minus what a short received. */
  costMicros!: Float64Array
  /** Realized since the row exists; the wallet's total is kept apart and for ever. */
  realizedMicros!: Float64Array
  workingBuyLots!: Float64Array
  workingSellLots!: Float64Array
  /** Of exempt orders, of either side: they reserve nothing, and are no part of the two above. */
  exemptLots!: Float64Array
  /** Of all three above, what is reduce-only. */
  reduceOnlyBuyLots!: Float64Array
  reduceOnlySellLots!: Float64Array
  /** Head of the list of working orders in the order store. */
  firstOrder!: Int32Array
  nextInAccount!: Int32Array
  prevInAccount!: Int32Array
  /** The wallet's (underlying, expiry) group, and the group's list by rising strike. */
  group!: Int32Array
  nextInGroup!: Int32Array
  prevInGroup!: Int32Array
  readonly #index = new PairIndex()
  #capacity = 64
  #doubles = new ArrayBuffer(64 * rowCells * 8)
  #words = new ArrayBuffer(64 * rowCells * 4)
  #freeHead = none

  constructor() {
    this.#layColumns()
  }

  /** @returns the row, or -1. */
  find(account: number, instrument: number): number {
    return this.#index.find(account, instrument, this.account, this.instrument)
  }

  /** A word of the index where a search for the pair begins. */
  warmIndex(account: number, instrument: number): number {
    return this.#index.warm(account, instrument)
  }

  /** Adds an empty row for a pair that has none; lists are the caller's to link. */
  add(account: number, instrument: number): number {
    const row = this.#take()
    this.account[row] = account
    this.instrument[row] = instrument
    this.positionLots[row] = 0
    this.costMicros[row] = 0
    this.realizedMicros[row] = 0
    this.workingBuyLots[row] = 0
    this.workingSellLots[row] = 0
    this.reduceOnlyBuyLots[row] = 0
    this.reduceOnlySellLots[row] = 0
    this.exemptLots[row] = 0
    this.firstOrder[row] = none
    this.#index.add(row, this.account, this.instrument)
    return row
  }

  /** Gives a row back that no list holds any more. */
  free(row: number): void {
    assert(this.isEmpty(row), 'exposures: freed with a position or orders')
    this.#index.remove(row, this.account, this.instrument)
    this.account[row] = none
    this.nextInAccount[row] = this.#freeHead
    this.#freeHead = row
  }

  /** Neither a position nor a working order. */
  isEmpty(row: number): boolean {
    return this.positionLots[row] === 0 && this.firstOrder[row] === none
  }

  /** Whether it counts against the cap on positions: it is one, or an order could open it. */
  isCounted(row: number): boolean {
    if (this.positionLots[row] !== 0) return true
    const opening = this.workingBuyLots[row] + this.workingSellLots[row] + this.exemptLots[row]
    return opening > this.reduceOnlyBuyLots[row] + this.reduceOnlySellLots[row]
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
    this.#doubles = grownMemory(this.#doubles, cells * 8)
    this.#words = grownMemory(this.#words, cells * 4)
    this.#layColumns()
  }

  #layColumns(): void {
    const doubles = this.#doubles
    this.positionLots = doublesAt(doubles, doubleCell.positionLots)
    this.workingBuyLots = doublesAt(doubles, doubleCell.workingBuyLots)
    this.workingSellLots = doublesAt(doubles, doubleCell.workingSellLots)
    this.reduceOnlyBuyLots = doublesAt(doubles, doubleCell.reduceOnlyBuyLots)
    this.reduceOnlySellLots = doublesAt(doubles, doubleCell.reduceOnlySellLots)
    this.costMicros = doublesAt(doubles, doubleCell.costMicros)
    this.realizedMicros = doublesAt(doubles, doubleCell.realizedMicros)
    this.exemptLots = doublesAt(doubles, doubleCell.exemptLots)
    const words = this.#words
    this.account = wordsAt(words, wordCell.account)
    this.instrument = wordsAt(words, wordCell.instrument)
    this.group = wordsAt(words, wordCell.group)
    this.firstOrder = wordsAt(words, wordCell.firstOrder)
    this.nextInAccount = wordsAt(words, wordCell.nextInAccount)
    this.prevInAccount = wordsAt(words, wordCell.prevInAccount)
    this.nextInGroup = wordsAt(words, wordCell.nextInGroup)
    this.prevInGroup = wordsAt(words, wordCell.prevInGroup)
  }
}
