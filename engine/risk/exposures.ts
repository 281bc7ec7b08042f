import { assert } from '../../schemas/assert.js'
import { none } from '../memory/rows.js'
import type { StateHash } from '../memory/state-hash.js'
import { ExposureRows } from '../tables/generated/exposure-rows.js'
import { PairIndex } from './pair-index.js'

/**
 * Exposures as rows (memory/rows.ts). An exposure is a wallet's position and working orders in one instrument; it
 * exists while there is either. Rows are reused, and columns are replaced when they grow: never keep a column across a
 * change.
 */
export class Exposures extends ExposureRows {
  readonly #index = new PairIndex()

  /** @returns the row, or -1. */
  find(account: number, instrument: number): number {
    return this.#index.find(account, instrument, this.account, this.instrument)
  }

  /** Reads the index word where a search for the pair starts, to prefetch its cache line. */
  prefetchIndex(account: number, instrument: number): number {
    return this.#index.warm(account, instrument)
  }

  /** Adds an empty row for a pair that has none. The caller links it. */
  add(account: number, instrument: number): number {
    const row = this.take()
    this.account[row] = account
    this.instrument[row] = instrument
    this.#index.add(row, this.account, this.instrument)
    return row
  }

  /** Frees a row that is in no list. */
  free(row: number): void {
    assert(this.isEmpty(row), 'exposures: a freed row has no position or orders')
    const reserved =
      this.workingBuyLots[row] + this.workingSellLots[row] + this.riskReducingLots[row]
    assert(reserved === 0, 'exposures: a freed row has no working lots')
    assert(this.costMicros[row] === 0, 'exposures: a freed row has no cost')
    this.#index.remove(row, this.account, this.instrument)
    this.account[row] = none
    this.give(row)
  }

  /**
   * Returns true if the row is part of the state. The realized amount of a closed position is kept while working orders
   * keep its exposure.
   */
  isKept(row: number): boolean {
    return this.positionLots[row] !== 0 || this.realizedMicros[row] !== 0
  }

  /** `hashRow`, only if the row is part of the state. An emptied wallet therefore hashes like one that never traded. */
  hashKept(row: number, hash: StateHash, adds: boolean): void {
    if (this.isKept(row)) this.hashRow(row, hash, adds)
  }

  /** Returns true if the row has neither a position nor a working order. */
  isEmpty(row: number): boolean {
    return this.positionLots[row] === 0 && this.firstOrder[row] === none
  }

  /** Returns true if position and cost have the same sign. A flat position has no cost. */
  isCostSigned(row: number): boolean {
    const cost = this.costMicros[row]
    const lots = this.positionLots[row]
    return lots > 0 ? cost >= 0 : lots < 0 ? cost <= 0 : cost === 0
  }

  /** Returns true if the row counts against the maximum number of positions: it has one, or an order could open one. */
  isCounted(row: number): boolean {
    if (this.positionLots[row] !== 0) return true
    const opening =
      this.workingBuyLots[row] + this.workingSellLots[row] + this.riskReducingLots[row]
    return opening > this.reduceOnlyBuyLots[row] + this.reduceOnlySellLots[row]
  }
}
