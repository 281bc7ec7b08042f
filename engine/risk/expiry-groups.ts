import { assert } from '../../schemas/assert.js'
import { none } from '../core/orders.js'
import { grown } from '../memory/grown.js'

/** Cells of `lots` per group: [with sells 0 | 1][call 0 | put 1][long 0 | short 1]. */
export const lotsPerGroup = 8

/** Place in `lots` of the long side; the short side follows it. */
export function lotsAt(group: number, withSells: boolean, right: number): number {
  return group * lotsPerGroup + (withSells ? 4 : 0) + 2 * right
}

/**
 * Groups as parallel columns: a wallet's exposures in one underlying and expiry, with the lots that
 * its instruments are net long and net short. A bucket's groups hang in one list from the latest
 * expiry to the earliest, a group's exposures in one by rising strike.
 */
export class ExpiryGroups {
  high = 0
  bucket = new Int32Array(64)
  expiryMillis = new Float64Array(64)
  firstExposure = new Int32Array(64)
  nextInBucket = new Int32Array(64)
  lots = new Float64Array(64 * lotsPerGroup)
  /**
   * Worst payoff, [group × 2 + with sells], valid where `lossKnown` has the bit 1 << with sells.
   */
  maxLossMicros = new Float64Array(128)
  lossKnown = new Uint8Array(64)
  #freeHead = none

  /** Adds an empty group; linking it is the caller's. */
  add(bucket: number, expiryMillis: number): number {
    const row = this.#take()
    this.bucket[row] = bucket
    this.expiryMillis[row] = expiryMillis
    this.firstExposure[row] = none
    this.nextInBucket[row] = none
    this.lots.fill(0, row * lotsPerGroup, (row + 1) * lotsPerGroup)
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

  /** Moves one view of a group from an instrument's net lots before to those after. */
  moveNet(row: number, withSells: boolean, right: number, before: number, after: number): void {
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
    if (this.high === this.bucket.length) this.#grow()
    return this.high++
  }

  #grow(): void {
    const length = this.bucket.length * 2
    this.bucket = grown(this.bucket, new Int32Array(length))
    this.expiryMillis = grown(this.expiryMillis, new Float64Array(length))
    this.firstExposure = grown(this.firstExposure, new Int32Array(length))
    this.nextInBucket = grown(this.nextInBucket, new Int32Array(length))
    this.lots = grown(this.lots, new Float64Array(length * lotsPerGroup))
    this.maxLossMicros = grown(this.maxLossMicros, new Float64Array(length * 2))
    this.lossKnown = grown(this.lossKnown, new Uint8Array(length))
  }
}
