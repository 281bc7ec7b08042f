import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { RfqKind, RfqStatus } from '../../schemas/domain.js'
import type { RfqEvent } from '../../schemas/generated/events.js'
import { RfqChange } from '../../schemas/record-values.js'

const { Created, Executed, Expired, Failed, NoQuotes } = RfqStatus

/** Counter of auctions that reach a status, by status. */
const counterOf: Readonly<Partial<Record<RfqStatus, CounterName>>> = {
  [Created]: CounterName.AuctionsBegun,
  [Executed]: CounterName.AuctionsExecuted,
  [NoQuotes]: CounterName.AuctionsNoQuotes,
  [Expired]: CounterName.AuctionsExpired,
  [Failed]: CounterName.AuctionsFailed,
}

/** Counts auctions that begin and end. A repeated status was already counted. */
export function countAuction({ change, kind, status }: RfqEvent, counters: Counters): void {
  if (kind !== RfqKind.Auction || change !== RfqChange.Status) return
  const counter = counterOf[status]
  if (counter !== undefined) counters.add(counter, 1)
}
