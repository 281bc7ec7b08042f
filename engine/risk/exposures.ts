import { assert } from '../../schemas/assert.js'
import { none } from '../core/orders.js'
import { grown } from '../memory/grown.js'
import { PairIndex } from './pair-index.js'

/**
 * Exposures as parallel columns: a wallet's place in one instrument, which exists while there is a
 * position or a working order. Rows are used again; columns are replaced when they grow, so nobody
 * keeps one over a change.
 */
export class Exposures {
  /** Rows ever used: every live one is below. */
  high = 0
  account = new Int32Array(64)
  instrument = new Int32Array(64)
  /** Signed: short is negative. */
  positionLots = new Float64Array(64)
  /** Signed like the position: what a long paid, minus what a short received (decision 39). */
  costMicros = new Float64Array(64)
  /** Realized since the row exists; the wallet's total is kept apart and for ever. */
  realizedMicros = new Float64Array(64)
  workingBuyLots = new Float64Array(64)
  workingSellLots = new Float64Array(64)
  /** Parts of the two above that are reduce-only. */
  reduceOnlyBuyLots = new Float64Array(64)
  reduceOnlySellLots = new Float64Array(64)
  /** Head of the list of working orders in the order store. */
  firstOrder = new Int32Array(64)
  nextInAccount = new Int32Array(64)
  prevInAccount = new Int32Array(64)
  /** The wallet's (underlying, expiry) group, and the group's list by rising strike. */
  group = new Int32Array(64)
  nextInGroup = new Int32Array(64)
  prevInGroup = new Int32Array(64)
  readonly #index = new PairIndex()
  #freeHead = none

  /** @returns the row, or -1. */
  find(account: number, instrument: number): number {
    return this.#index.find(account, instrument, this.account, this.instrument)
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
    const opening = this.workingBuyLots[row] + this.workingSellLots[row]
    return opening > this.reduceOnlyBuyLots[row] + this.reduceOnlySellLots[row]
  }

  #take(): number {
    if (this.#freeHead !== none) {
      const row = this.#freeHead
      this.#freeHead = this.nextInAccount[row]
      return row
    }
    if (this.high === this.account.length) this.#grow()
    return this.high++
  }

  #grow(): void {
    const length = this.account.length * 2
    this.account = grown(this.account, new Int32Array(length))
    this.instrument = grown(this.instrument, new Int32Array(length))
    this.positionLots = grown(this.positionLots, new Float64Array(length))
    this.costMicros = grown(this.costMicros, new Float64Array(length))
    this.realizedMicros = grown(this.realizedMicros, new Float64Array(length))
    this.workingBuyLots = grown(this.workingBuyLots, new Float64Array(length))
    this.workingSellLots = grown(this.workingSellLots, new Float64Array(length))
    this.reduceOnlyBuyLots = grown(this.reduceOnlyBuyLots, new Float64Array(length))
    this.reduceOnlySellLots = grown(this.reduceOnlySellLots, new Float64Array(length))
    this.firstOrder = grown(this.firstOrder, new Int32Array(length))
    this.nextInAccount = grown(this.nextInAccount, new Int32Array(length))
    this.prevInAccount = grown(this.prevInAccount, new Int32Array(length))
    this.group = grown(this.group, new Int32Array(length))
    this.nextInGroup = grown(this.nextInGroup, new Int32Array(length))
    this.prevInGroup = grown(this.prevInGroup, new Int32Array(length))
  }
}
