import { type AnyCommand, MarkPayoutsSeenCommand } from '../../schemas/generated/commands.js'
import { PayoutsSeenEvent, SettlementEvent } from '../../schemas/generated/events.js'
import type { PriceSource, SettlementPhase } from '../../schemas/record-values.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { EventSink } from '../state/event-sink.js'

export interface PublishSettlementState {
  readonly sink: EventSink
  readonly accounts: Accounts
}

const settlement = new SettlementEvent()
const payoutsSeen = new PayoutsSeenEvent()
const request = new MarkPayoutsSeenCommand()

/** Contents of a Settlement event. */
export interface SettlementTerms {
  readonly underlying: number
  readonly expiryMillis: number
  readonly phase: SettlementPhase
  /** Estimate up to `Pending`, then the price; NaN if there is none. */
  readonly priceMicros: number
  readonly source: PriceSource
  readonly validCount: number
}

/** Publishes an expiry in a new phase, or with a new estimate. */
export function publishSettlement(
  state: PublishSettlementState,
  terms: SettlementTerms,
  dustMicros = 0,
  borneMicros = 0,
): void {
  if (!settlement.claim(state.sink)) return
  settlement.underlying = terms.underlying
  settlement.phase = terms.phase
  settlement.expiryMillis = terms.expiryMillis
  settlement.priceMicros = terms.priceMicros
  settlement.dustMicros = dustMicros
  settlement.borneMicros = borneMicros
  settlement.source = terms.source
  settlement.valid = terms.validCount
}

/** Publishes that a wallet marked payouts as seen or unseen. */
export function publishPayoutsSeen(
  state: PublishSettlementState,
  account: number,
  command: AnyCommand,
): void {
  const { count, seen } = request.of(command)
  if (!payoutsSeen.claim(state.sink, PayoutsSeenEvent.bytesWith(count))) return
  payoutsSeen.account = account
  payoutsSeen.seen = seen === 1 ? 1 : 0
  state.accounts.addresses.write(account, payoutsSeen.u8, payoutsSeen.walletAt)
  payoutsSeen.count = count
  for (let i = 0; i < count; i++) payoutsSeen.setIds(i, request.ids(i))
}
