import { assert } from '../../schemas/assert.js'
import { Right } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'
import { none, rowCells } from '../memory/rows.js'
import { ExpiryGroupRows } from '../tables/generated/expiry-group-rows.js'

/** Cells of `lots`, all of a row's: [with sells 0 | 1][call 0 | put 1][long 0 | short 1]. */
const lotsPerGroup = rowCells

/** Place in `lots` of the long side; the short side follows it. */
export function lotsAt(group: number, withSells: boolean, right: number): number {
  return group + (withSells ? 4 : 0) + 2 * right
}

/**
 * Groups as rows (memory/rows.ts): a wallet's exposures in one underlying and expiry, with the lots that
 * its instruments are net long and net short. A bucket's groups hang in one list from the latest
 * expiry to the earliest, a group's exposures in one by rising strike.
 */
export class ExpiryGroups extends ExpiryGroupRows {
  lots = new Float64Array(this.capacity * rowCells)

  /** Adds an empty group; linking it is the caller's. */
  add(bucket: number, expiryMillis: number): number {
    const row = this.take()
    this.bucket[row] = bucket
    this.expiryMillis[row] = expiryMillis
    this.lots.fill(0, row, row + lotsPerGroup)
    return row
  }

  /** Gives a group back that no list holds and no exposure is in. */
  free(row: number): void {
    assert(this.firstExposure[row] === none, 'groups: freed with exposures')
    assert(this.#isLevel(row), 'expiry groups: a freed row has no lots')
    this.bucket[row] = none
    this.give(row)
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
    assert(this.lots[at] >= 0 && this.lots[at + 1] >= 0, 'expiry groups: lots are not negative')
  }

  /** Returns true if every cell of the row is 0. Cells are never negative. */
  #isLevel(row: number): boolean {
    const { lots } = this
    const alone = lots[row] + lots[row + 1] + lots[row + 2] + lots[row + 3]
    return alone + lots[row + 4] + lots[row + 5] + lots[row + 6] + lots[row + 7] === 0
  }

  override growTo(capacity: number): void {
    super.growTo(capacity)
    this.lots = grown(this.lots, new Float64Array(capacity * rowCells))
  }
}
