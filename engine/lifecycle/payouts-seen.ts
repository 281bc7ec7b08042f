import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { payoutIdsMax, seenCountAt, seenIdsAt, seenValueAt } from '../../schemas/settlement.js'
import { publishPayoutsSeen } from '../publish/publish-settlement.js'
import type { CoreState } from '../state/core-state.js'

// Whether somebody has looked at a payout decides nothing in the engine, so the engine keeps no payouts: it orders
// these requests with everything else and tells them on, and the history store, which has the rows, marks them.

/** MarkPayoutsSeen. @returns `ValueRefused` for no ids, or for more than a request may have. */
export function checkPayoutsSeen(views: RecordViews, at: number): Result {
  const count = views.i32[(at + seenCountAt) >> 2]
  return count >= 1 && count <= payoutIdsMax ? Result.Accepted : Result.ValueRefused
}

/** Carries an accepted MarkPayoutsSeen out. */
export function markPayoutsSeen(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
): void {
  const isSeen = views.i32[(at + seenValueAt) >> 2] === 1
  const count = views.i32[(at + seenCountAt) >> 2]
  publishPayoutsSeen(state, account, isSeen, views, at + seenIdsAt, count)
}
