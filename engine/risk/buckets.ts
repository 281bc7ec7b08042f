import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { grown } from '../memory/grown.js'
import { none, rowCells } from '../memory/rows.js'
import { BucketRows } from '../tables/generated/bucket-rows.js'

/** Version of a bucket whose sums have to be computed anew. */
export const staleVersion = -1

/**
 * Buckets as rows (memory/rows.ts): a wallet's exposures in one underlying with everything that margin
 * sums over them. Sums are of integers below 2^53, so their order never shows. A wallet's buckets
 * hang in one list by rising underlying.
 *
 * Sums that depend on marks are valid only while `version` equals the underlying's; the premium
 * reserve depends on none and is always valid, the fees beside it on the index alone (buy-fees.ts).
 */
export class Buckets extends BucketRows {
  readonly scenarioCount: number
  /** Σ q·δ, from `scenariosAt` of the bucket on. */
  positionPnl: Float64Array
  /** Σ s·max(0, δ), of working perp buys Σ b·max(0, -δ); same layout. */
  sellLoss: Float64Array

  /** @param scenarioCount of the longest scenario table. */
  constructor(scenarioCount: number) {
    super()
    this.scenarioCount = scenarioCount
    this.positionPnl = new Float64Array(this.capacity * scenarioCount)
    this.sellLoss = new Float64Array(this.capacity * scenarioCount)
  }

  /** Place of a bucket's first scenario in `positionPnl` and `sellLoss`. */
  scenariosAt(row: number): number {
    return (row / rowCells) * this.scenarioCount
  }

  /** Adds an empty, stale bucket; linking it is the caller's. */
  add(account: number, underlying: number): number {
    assert(underlying >= 0 && underlying < underlyingsMax, 'buckets: the underlying index is valid')
    const row = this.take()
    this.account[row] = account
    this.underlying[row] = underlying
    return row
  }

  /** Gives a bucket back that no list holds and no group is in. */
  free(row: number): void {
    assert(this.firstGroup[row] === none, 'buckets: freed with exposures')
    assert(this.premiumMicros[row] === 0, 'buckets: freed with a premium reserve')
    this.account[row] = none
    this.give(row)
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

  override growTo(capacity: number): void {
    super.growTo(capacity)
    const scenarios = capacity * this.scenarioCount
    this.positionPnl = grown(this.positionPnl, new Float64Array(scenarios))
    this.sellLoss = grown(this.sellLoss, new Float64Array(scenarios))
  }
}
