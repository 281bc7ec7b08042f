import { UsernameEvent } from '../../schemas/generated/events.js'
import type { UsernameChange } from '../../schemas/record-values.js'
import type { CoreState } from '../state/core-state.js'

const event = new UsernameEvent()

/** A wallet's names as they are after the change. */
export function publishUsername(state: CoreState, account: number, change: UsernameChange): void {
  if (!event.claim(state.sink)) return
  const { username, pending } = state.usernames.namesOf(account)
  event.account = account
  event.change = change
  event.usernameText = username
  event.pendingText = pending
  state.accounts.addresses.write(account, event.u8, event.walletAt)
}
