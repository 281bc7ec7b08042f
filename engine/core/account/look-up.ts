import type { CommandType } from '../../../schemas/generated/commands.js'
import type { FoundReply, LookupRequest } from '../../../schemas/generated/lookups.js'
import { OutcomeStanding } from '../../../schemas/record-values.js'
import type { Result } from '../../../schemas/results.js'
import { none } from '../../memory/rows.js'
import type { Accounts } from '../../state/accounts/accounts.js'
import type { EventSink } from '../../state/event-sink.js'
import type { EngineConfig } from '../../state/market/engine-config.js'
import type { OrderIndex } from '../../state/orders/order-index.js'
import type { AuctionTable } from '../../state/rfq/auction-table.js'

interface LookUpState {
  readonly accounts: Accounts
  readonly sink: EventSink
  readonly config: EngineConfig
  readonly orderIndex: OrderIndex
  readonly auctions: AuctionTable
}

/**
 * Finds the result of a signed action, as its duplicate would be answered now, without changing anything. Call it only
 * between two batches.
 * @param reply receives everything except its slot.
 */
export function lookUpOutcome(state: LookUpState, request: LookupRequest, reply: FoundReply): void {
  const { accounts, sink } = state
  const account = accounts.findWords(request.u32, request.walletAt >> 2)
  reply.seqNow = sink.seq
  reply.standing = OutcomeStanding.Unknown
  reply.keptMax = state.config.outcomesKept
  if (account < 0) return
  const outcomes = accounts.outcomes[account]!
  reply.keptCount = outcomes.count
  if (outcomes.count > 0) reply.oldestMillis = outcomes.millis(outcomes.oldestPlace)
  const place = outcomes.findDigest(request.i32, request.digestAt >> 2)
  if (place < 0) return
  const { facts } = reply
  outcomes.copyFacts(place, facts)
  accounts.addresses.writeWords(account, facts.i32, facts.walletAt >> 2)
  const slot = state.orderIndex.find(facts.orderId)
  const isWaiting = slot !== none && state.auctions.has(slot)
  reply.standing = isWaiting ? OutcomeStanding.Waiting : OutcomeStanding.Known
  reply.command = outcomes.command(place) as CommandType
  reply.result = outcomes.result(place) as Result
  reply.nonceHigh = outcomes.nonceHigh(place)
  reply.nonceLow = outcomes.nonceLow(place)
  reply.seq = outcomes.seq(place)
  reply.millis = outcomes.millis(place)
}
