import { activeIn, ordersIn, type StateRowsState } from '../../../engine/invariants/state-rows.js'
import type { Matcher } from '../../../engine/matching/matcher.js'
import { entryAt, type MmpWindow, measureCount } from '../../../engine/matching/mmp-window.js'
import { findGroup } from '../../../engine/matching/protection-table.js'
import type { MmpRow, MmpTable } from '../../../engine/state/accounts/mmp-table.js'
import { OrderFlag } from '../../../schemas/domain.js'
import { mustHold } from '../run/simulation-errors.js'

interface MmpInvariantsState extends StateRowsState {
  readonly mmp: MmpTable
  readonly nowMillis: number
}

/**
 * Checks that no frozen wallet has a protected order in a book: the trigger ended them, and the core has accepted none
 * since.
 */
export function checkFreezes(state: MmpInvariantsState): void {
  const { instruments, orders, mmp } = state
  for (const instrument of activeIn(state)) {
    const underlying = instruments.underlying[instrument]
    for (const slot of ordersIn(state, instrument)) {
      if ((orders.flags[slot] & OrderFlag.MmpEnabled) === 0) continue
      const until = mmp.frozenUntil(orders.account[slot], underlying, state.nowMillis)
      mustHold(until === 0, () => `order ${orders.orderId[slot]} works while its wallet is frozen`)
    }
  }
}

/** Checks that core and matchers keep the same protection windows. */
export function checkWindows(state: MmpInvariantsState, matchers: readonly Matcher[]): void {
  if (matchers.length === 0) return
  const counts = new Array<number>(matchers.length).fill(0)
  for (const row of state.mmp.rows) {
    const place = row.underlying % matchers.length
    const { protections } = matchers[place].pool
    const window = protections.windows[findGroup(protections, row.account, row.underlying)]
    counts[place]++
    const what = () => `account ${row.account}, underlying ${row.underlying}: windows differ`
    mustHold(window !== undefined && isSame(row, window), what)
  }
  for (const [place, { pool }] of matchers.entries()) {
    const found = pool.protections.windows.filter((window) => window !== undefined).length
    mustHold(found === counts[place], () => `matcher ${place} has ${found} windows`)
  }
}

/**
 * A matcher may have dropped entries that the core still keeps: it also updates a window when it tries a fill-or-kill
 * order.
 */
function isSame(row: MmpRow, window: MmpWindow): boolean {
  if (row.frozenUntilMillis !== window.frozenUntilMillis || row.count < window.count) return false
  const dropped = row.count - window.count
  for (let index = 0; index < window.count; index++) {
    const kept = entryAt(row, dropped + index)
    const found = entryAt(window, index)
    for (let i = 0; i <= 2 * measureCount; i++) {
      if (row.entries[kept + i] !== window.entries[found + i]) return false
    }
  }
  for (let measure = 0; measure < measureCount; measure++) {
    if (row.limitMicros[measure] !== window.limitMicros[measure]) return false
  }
  return true
}
