import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { grown } from '../memory/grown.js'
import { none, rowCells } from '../memory/rows.js'
import { BucketRows } from '../tables/generated/bucket-rows.js'

/** Version of a bucket whose sums must be recomputed. */
export const staleVersion = -1

/**
 * Buckets as rows (memory/rows.ts). A bucket is a wallet's exposures in one underlying, with all sums that margin
 * needs. The sums are of integers below 2^53, so the order of additions does not matter. The buckets of a wallet form a
 * list by rising underlying.
 *
 * Mark-dependent sums are valid only while `version` equals the underlying's. The premium reserve depends on no mark
 * and is always valid. The fee reserve depends on the index alone (buy-fees.ts).
 */
export class Buckets extends BucketRows {
  readonly scenarioCount: number
  /** Σ q·δ; starts at `scenariosAt` of the bucket. */
  positionPnl: Float64Array
  /** Σ s·max(0, δ), plus Σ b·max(0, -δ) of working perp buys; same layout. */
  sellLoss: Float64Array

  /** @param scenarioCount length of the longest scenario table. */
  constructor(scenarioCount: number) {
    super()
    this.scenarioCount = scenarioCount
    this.positionPnl = new Float64Array(this.capacity * scenarioCount)
    this.sellLoss = new Float64Array(this.capacity * scenarioCount)
  }

  /** Returns the index of a bucket's first scenario in `positionPnl` and `sellLoss`. */
  scenariosAt(row: number): number {
    return (row / rowCells) * this.scenarioCount
  }

  /** Adds an empty, stale bucket. The caller links it. */
  add(account: number, underlying: number): number {
    assert(underlying >= 0 && underlying < underlyingsMax, 'buckets: the underlying index is valid')
    const row = this.take()
    this.account[row] = account
    this.underlying[row] = underlying
    return row
  }

  /** Frees a bucket that is in no list and has no groups. */
  free(row: number): void {
    assert(this.firstGroup[row] === none, 'buckets: a freed bucket has no exposures')
    assert(this.premiumMicros[row] === 0, 'buckets: a freed bucket has no premium reserve')
    this.account[row] = none
    this.give(row)
  }

  /** Clears the mark-dependent sums. */
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

  override growTo(capacity: number): void {
    super.growTo(capacity)
    const scenarios = capacity * this.scenarioCount
    this.positionPnl = grown(this.positionPnl, new Float64Array(scenarios))
    this.sellLoss = grown(this.sellLoss, new Float64Array(scenarios))
  }
}
