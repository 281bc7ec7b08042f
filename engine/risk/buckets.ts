import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { none } from '../core/orders.js'
import { grown } from '../memory/grown.js'

/** Version of a bucket whose sums have to be computed anew. */
export const staleVersion = -1

/**
 * Buckets as parallel columns: a wallet's exposures in one underlying with everything that margin
 * sums over them. Sums are of integers below 2^53, so their order never shows. A wallet's buckets
 * hang in one list by rising underlying, and those of an underlying in another: who holds or orders
 * something of it, latest first.
 *
 * Sums that depend on marks are valid only while `version` equals the underlying's; the premium
 * reserve depends on none and is always valid.
 */
export class Buckets {
  readonly scenarioCount: number
  high = 0
  account = new Int32Array(64)
  underlying = new Int32Array(64)
  nextInAccount = new Int32Array(64)
  nextInUnderlying = new Int32Array(64)
  prevInUnderlying = new Int32Array(64)
  /** By underlying, or `none`. */
  readonly firstInUnderlying = new Int32Array(underlyingsMax).fill(none)
  firstGroup = new Int32Array(64)
  version = new Float64Array(64)
  premiumMicros = new Float64Array(64)
  /** Σ m·q; positions without a mark count 0. */
  valueMicros = new Float64Array(64)
  slippageMicros = new Float64Array(64)
  /** Exposures without a mark that are short, or would be with all their sells filled. */
  unmarkedShorts = new Int32Array(64)
  /** Σ q·δ, row-major [bucket × scenarioCount + scenario]. */
  positionPnl: Float64Array
  /** Σ s·max(0, δ), same layout. */
  sellLoss: Float64Array
  /** Bit 1: the kept requirement of the positions is valid, bit 2: that with all working sells. */
  kept = new Uint8Array(64)
  /** Index that the kept requirements were worked out with. */
  keptSpotMicros = new Float64Array(64)
  keptPositionIm = new Float64Array(64)
  keptPositionMm = new Float64Array(64)
  keptPositionUncovered = new Float64Array(64)
  keptSellsIm = new Float64Array(64)
  keptSellsUncovered = new Float64Array(64)
  #freeHead = none

  /** @param scenarioCount of the longest scenario table. */
  constructor(scenarioCount: number) {
    this.scenarioCount = scenarioCount
    this.positionPnl = new Float64Array(64 * scenarioCount)
    this.sellLoss = new Float64Array(64 * scenarioCount)
  }

  /** Adds an empty, stale bucket; linking it is the caller's. */
  add(account: number, underlying: number): number {
    const row = this.#take()
    this.account[row] = account
    this.underlying[row] = underlying
    this.nextInAccount[row] = none
    this.#linkIntoUnderlying(row)
    this.firstGroup[row] = none
    this.version[row] = staleVersion
    this.premiumMicros[row] = 0
    this.kept[row] = 0
    return row
  }

  /** Gives a bucket back that no list holds and no group is in. */
  free(row: number): void {
    assert(this.firstGroup[row] === none, 'buckets: freed with exposures')
    assert(this.premiumMicros[row] === 0, 'buckets: freed with a premium reserve')
    this.#unlinkFromUnderlying(row)
    this.account[row] = none
    this.nextInAccount[row] = this.#freeHead
    this.#freeHead = row
  }

  /** Sets the sums that depend on marks to 0. */
  clearSums(row: number): void {
    this.valueMicros[row] = 0
    this.slippageMicros[row] = 0
    this.unmarkedShorts[row] = 0
    const from = row * this.scenarioCount
    this.positionPnl.fill(0, from, from + this.scenarioCount)
    this.sellLoss.fill(0, from, from + this.scenarioCount)
    this.kept[row] = 0
  }

  #linkIntoUnderlying(row: number): void {
    const underlying = this.underlying[row]
    const first = this.firstInUnderlying[underlying]
    this.nextInUnderlying[row] = first
    this.prevInUnderlying[row] = none
    if (first !== none) this.prevInUnderlying[first] = row
    this.firstInUnderlying[underlying] = row
  }

  #unlinkFromUnderlying(row: number): void {
    const next = this.nextInUnderlying[row]
    const prev = this.prevInUnderlying[row]
    if (next !== none) this.prevInUnderlying[next] = prev
    if (prev !== none) this.nextInUnderlying[prev] = next
    else this.firstInUnderlying[this.underlying[row]] = next
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
    this.underlying = grown(this.underlying, new Int32Array(length))
    this.nextInAccount = grown(this.nextInAccount, new Int32Array(length))
    this.nextInUnderlying = grown(this.nextInUnderlying, new Int32Array(length))
    this.prevInUnderlying = grown(this.prevInUnderlying, new Int32Array(length))
    this.firstGroup = grown(this.firstGroup, new Int32Array(length))
    this.version = grown(this.version, new Float64Array(length))
    this.premiumMicros = grown(this.premiumMicros, new Float64Array(length))
    this.valueMicros = grown(this.valueMicros, new Float64Array(length))
    this.slippageMicros = grown(this.slippageMicros, new Float64Array(length))
    this.unmarkedShorts = grown(this.unmarkedShorts, new Int32Array(length))
    this.positionPnl = grown(this.positionPnl, new Float64Array(length * this.scenarioCount))
    this.sellLoss = grown(this.sellLoss, new Float64Array(length * this.scenarioCount))
    this.kept = grown(this.kept, new Uint8Array(length))
    this.keptSpotMicros = grown(this.keptSpotMicros, new Float64Array(length))
    this.keptPositionIm = grown(this.keptPositionIm, new Float64Array(length))
    this.keptPositionMm = grown(this.keptPositionMm, new Float64Array(length))
    this.keptPositionUncovered = grown(this.keptPositionUncovered, new Float64Array(length))
    this.keptSellsIm = grown(this.keptSellsIm, new Float64Array(length))
    this.keptSellsUncovered = grown(this.keptSellsUncovered, new Float64Array(length))
  }
}
