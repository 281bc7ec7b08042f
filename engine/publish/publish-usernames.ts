import { UsernameEvent } from '../../schemas/generated/events.js'
import type { UsernameChange } from '../../schemas/record-values.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { UsernameTable } from '../state/accounts/username-table.js'
import type { EventSink } from '../state/event-sink.js'

export interface PublishUsernamesState {
  readonly sink: EventSink
  readonly usernames: UsernameTable
  readonly accounts: Accounts
}

const event = new UsernameEvent()

/** Publishes a wallet's names after a change. */
export function publishUsername(
  state: PublishUsernamesState,
  account: number,
  change: UsernameChange,
): void {
  if (!event.claim(state.sink)) return
  const { username, pending } = state.usernames.namesOf(account)
  event.account = account
  event.change = change
  event.usernameText = username
  event.pendingText = pending
  state.accounts.addresses.write(account, event.u8, event.walletAt)
}
