import { assert } from '../../schemas/assert.js'
import { none } from '../memory/rows.js'
import type { StateHash } from '../memory/state-hash.js'
import { ExposureRows } from '../tables/generated/exposure-rows.js'
import { PairIndex } from './pair-index.js'

/**
 * Exposures as rows (memory/rows.ts): a wallet's place in one instrument, which exists while there is a
 * position or a working order. Rows are used again; columns are replaced when they grow, so nobody
 * keeps one over a change.
 */
export class Exposures extends ExposureRows {
  readonly #index = new PairIndex()

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
    const row = this.take()
    this.account[row] = account
    this.instrument[row] = instrument
    this.#index.add(row, this.account, this.instrument)
    return row
  }

  /** Gives a row back that no list holds any more. */
  free(row: number): void {
    assert(this.isEmpty(row), 'exposures: freed with a position or orders')
    const reserved = this.workingBuyLots[row] + this.workingSellLots[row] + this.exemptLots[row]
    assert(reserved === 0, 'exposures: a freed row has no working lots')
    assert(this.costMicros[row] === 0, 'exposures: a freed row has no cost')
    this.#index.remove(row, this.account, this.instrument)
    this.account[row] = none
    this.give(row)
  }

  /** Whether it is state: a closed position's realized amount lasts as long as working orders keep its exposure. */
  isKept(row: number): boolean {
    return this.positionLots[row] !== 0 || this.realizedMicros[row] !== 0
  }

  /** `hashRow`, as far as the row is state: a wallet that was never there equals one that is empty again. */
  hashKept(row: number, hash: StateHash, adds: boolean): void {
    if (this.isKept(row)) this.hashRow(row, hash, adds)
  }

  /** Neither a position nor a working order. */
  isEmpty(row: number): boolean {
    return this.positionLots[row] === 0 && this.firstOrder[row] === none
  }

  /** Returns true if position and cost have the same sign. A flat position has no cost. */
  isCostSigned(row: number): boolean {
    const cost = this.costMicros[row]
    const lots = this.positionLots[row]
    return lots > 0 ? cost >= 0 : lots < 0 ? cost <= 0 : cost === 0
  }

  /** Whether it counts against the cap on positions: it is one, or an order could open it. */
  isCounted(row: number): boolean {
    if (this.positionLots[row] !== 0) return true
    const opening = this.workingBuyLots[row] + this.workingSellLots[row] + this.exemptLots[row]
    return opening > this.reduceOnlyBuyLots[row] + this.reduceOnlySellLots[row]
  }
}
