import { DeliveryStatus, DirectiveAction, DomainStatus } from '../../schemas/domain.js'
import type { AnyCommand } from '../../schemas/generated/commands.js'
import { DirectiveEvent } from '../../schemas/generated/events.js'
import { Result } from '../../schemas/results.js'
import { writeDirectiveId } from '../../schemas/uuid.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { EventSink } from '../state/event-sink.js'
import { Fund, type Funds } from '../state/money/funds.js'
import type { Withdrawal, WithdrawalTable } from '../state/money/withdrawal-table.js'

export interface PublishDirectiveState {
  readonly nowMillis: number
  readonly withdrawals: WithdrawalTable
  readonly sink: EventSink
  readonly funds: Funds
  readonly accounts: Accounts
}

// Directives as they stand: readers keep the latest of each id.

const event = new DirectiveEvent()

/** One that is final with its decision. @param reason why it was refused; `Accepted`: it was carried out. */
export function publishDecided(
  state: PublishDirectiveState,
  account: number,
  action: DirectiveAction,
  { u8, digestAt }: AnyCommand,
  reason: Result,
): void {
  if (!claim(state, account, action)) return
  const isAccepted = reason === Result.Accepted
  writeDirectiveId(u8, digestAt, event.u8, event.directiveIdAt)
  event.createdMillis = state.nowMillis
  event.domain = isAccepted ? DomainStatus.Completed : DomainStatus.Rejected
  event.delivery = isAccepted ? DeliveryStatus.Finalized : DeliveryStatus.CoreRejected
  event.reason = reason
}

/** A withdrawal as it stands, or has ended with a word of its own. */
export function publishWithdrawal(
  state: PublishDirectiveState,
  row: Withdrawal,
  domain: DomainStatus = row.domain,
): void {
  if (!claim(state, row.account, DirectiveAction.SendAsset)) return
  event.u8.set(row.id, event.directiveIdAt)
  event.amountMicros = row.amountMicros
  event.createdMillis = row.createdMillis
  event.domain = domain
  event.delivery = row.delivery
  event.u8.set(row.destination, event.destinationAt)
  event.u8.set(row.txHash, event.txHashAt)
}

/** Every withdrawal whose money is in transit, for readers that know of none. */
export function republishWithdrawals(state: PublishDirectiveState, makeRoom: () => void): void {
  for (const row of state.withdrawals.rows) {
    makeRoom()
    publishWithdrawal(state, row)
  }
}

/** @returns whether anybody is told; then the rest of the event is the caller's to fill in. */
function claim(state: PublishDirectiveState, account: number, action: DirectiveAction): boolean {
  if (!event.claim(state.sink)) return false
  event.clear()
  event.action = action
  event.account = account
  event.inTransitMicros = state.funds.balanceMicros[Fund.InTransit]
  state.accounts.addresses.write(account, event.u8, event.walletAt)
  return true
}
