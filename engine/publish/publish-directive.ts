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

// Current state of directives; readers keep the latest event per id.

const event = new DirectiveEvent()

/**
 * Publishes a directive that is final when it is decided. @param reason of its rejection; `Accepted` if it was
 * executed.
 */
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

/** Publishes the current state of a withdrawal, or its end with a status of its own. */
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

/** Publishes every withdrawal in transit, for readers without state. */
export function republishWithdrawals(state: PublishDirectiveState, makeRoom: () => void): void {
  for (const row of state.withdrawals.rows) {
    makeRoom()
    publishWithdrawal(state, row)
  }
}

/** Claims an event. @returns false if it is not published; otherwise the caller fills in the other fields. */
function claim(state: PublishDirectiveState, account: number, action: DirectiveAction): boolean {
  if (!event.claim(state.sink)) return false
  event.clear()
  event.action = action
  event.account = account
  event.inTransitMicros = state.funds.balanceMicros[Fund.InTransit]
  state.accounts.addresses.write(account, event.u8, event.walletAt)
  return true
}
