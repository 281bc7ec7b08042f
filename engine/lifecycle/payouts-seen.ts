import { payoutIdsMax } from '../../schemas/bounds.js'
import type { MarkPayoutsSeenCommand } from '../../schemas/generated/commands.js'
import { Result } from '../../schemas/results.js'

// Whether somebody has looked at a payout decides nothing in the engine, so the engine keeps no payouts: it orders
// these requests with everything else and tells them on, and the history store, which has the rows, marks them.

/** MarkPayoutsSeen. @returns `ValueRefused` for no ids, or for more than a request may have. */
export function checkPayoutsSeen({ count }: MarkPayoutsSeenCommand): Result {
  return count >= 1 && count <= payoutIdsMax ? Result.Accepted : Result.ValueRefused
}
