import { assert } from '../../schemas/assert.js'
import { Right } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { netLots, sideLots } from './book-view.js'
import type { BookView } from './margin-model.js'
import type { RiskLedger } from './risk-ledger.js'

/**
 * Short lots of a bucket that no long of their right and expiry covers. Longs are paired with shorts from the deepest
 * in the money, so the remaining shorts are those furthest out of the money.
 */
export class UncoveredShorts {
  count = 0
  totalLots = 0
  /** The exposures, and the lots of each; above 0. */
  readonly exposure: number[] = []
  readonly lots: number[] = []

  clear(): void {
    this.count = 0
    this.totalLots = 0
  }

  /** Adds the uncovered shorts of a group and right, in a view. */
  addGroup(ledger: RiskLedger, group: number, view: BookView, right: Right): void {
    const shorts = sideLots(ledger, view, group, right, 1)
    let left = shorts - sideLots(ledger, view, group, right, 0)
    // The list is by rising strike: the last calls and the first puts are furthest out of the money.
    let row = right === Right.Put ? ledger.groups.firstExposure[group] : lastOf(ledger, group)
    while (left > 0 && row !== none) {
      const { instruments, exposures } = ledger
      if (instruments.right[exposures.instrument[row]] === right) {
        const lots = Math.min(left, Math.max(0, -netLots(ledger, view, row)))
        if (lots > 0) this.#add(row, lots)
        left -= lots
      }
      row = right === Right.Put ? exposures.nextInGroup[row] : exposures.prevInGroup[row]
    }
    assert(left <= 0, 'risk: a group counts exactly the shorts of its exposures')
  }

  /** Returns the uncovered lots of an exposure. */
  lotsOf(exposure: number): number {
    for (let i = 0; i < this.count; i++) if (this.exposure[i] === exposure) return this.lots[i]
    return 0
  }

  #add(exposure: number, lots: number): void {
    this.exposure[this.count] = exposure
    this.lots[this.count++] = lots
    this.totalLots += lots
  }
}

function lastOf({ exposures, groups }: RiskLedger, group: number): number {
  let row = groups.firstExposure[group]
  while (row !== none && exposures.nextInGroup[row] !== none) row = exposures.nextInGroup[row]
  return row
}
