import { assert } from '../../schemas/assert.js'
import { Right } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'
import { none, rowCells } from '../memory/rows.js'
import { ExpiryGroupRows } from '../tables/generated/expiry-group-rows.js'

/** Cells of `lots` per row: [with sells 0 | 1][call 0 | put 1][long 0 | short 1]. */
const lotsPerGroup = rowCells

/** Returns the index of the long side in `lots`; the short side follows it. */
export function lotsAt(group: number, withSells: boolean, right: number): number {
  return group + (withSells ? 4 : 0) + 2 * right
}

/**
 * Groups as rows (memory/rows.ts). A group is a wallet's exposures in one underlying and expiry, with the net long and
 * net short lots of its instruments. The groups of a bucket form a list from the latest expiry to the earliest. The
 * exposures of a group form a list by rising strike.
 */
export class ExpiryGroups extends ExpiryGroupRows {
  lots = new Float64Array(this.capacity * rowCells)

  /** Adds an empty group. The caller links it. */
  add(bucket: number, expiryMillis: number): number {
    const row = this.take()
    this.bucket[row] = bucket
    this.expiryMillis[row] = expiryMillis
    this.lots.fill(0, row, row + lotsPerGroup)
    return row
  }

  /** Frees a group that is in no list and has no exposures. */
  free(row: number): void {
    assert(this.firstExposure[row] === none, 'expiry groups: a freed row has no exposures')
    assert(this.#hasNoLots(row), 'expiry groups: a freed row has no lots')
    this.bucket[row] = none
    this.give(row)
  }

  /**
   * Moves one view of a group from an instrument's old net lots to the new ones. A perp has no right: it covers nothing
   * and needs no cover.
   */
  moveNet(row: number, withSells: boolean, right: number, before: number, after: number): void {
    if (right === Right.None) return
    const at = lotsAt(row, withSells, right)
    this.lots[at] += Math.max(0, after) - Math.max(0, before)
    this.lots[at + 1] += Math.max(0, -after) - Math.max(0, -before)
    assert(this.lots[at] >= 0 && this.lots[at + 1] >= 0, 'expiry groups: lots are not negative')
  }

  /** Returns true if every cell of the row is 0. Cells are never negative. */
  #hasNoLots(row: number): boolean {
    const { lots } = this
    const alone = lots[row] + lots[row + 1] + lots[row + 2] + lots[row + 3]
    return alone + lots[row + 4] + lots[row + 5] + lots[row + 6] + lots[row + 7] === 0
  }

  override growTo(capacity: number): void {
    super.growTo(capacity)
    this.lots = grown(this.lots, new Float64Array(capacity * rowCells))
  }
}
