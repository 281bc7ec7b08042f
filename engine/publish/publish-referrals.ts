import { ReferralEvent } from '../../schemas/generated/events.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { Referral } from '../state/accounts/referral-table.js'
import type { EventSink } from '../state/event-sink.js'

export interface PublishReferralsState {
  readonly sink: EventSink
  readonly accounts: Accounts
}

const event = new ReferralEvent()

/** Publishes code and referrer of a wallet. */
export function publishReferral(state: PublishReferralsState, row: Referral): void {
  if (!event.claim(state.sink)) return
  const { addresses } = state.accounts
  event.clear()
  event.createdMillis = row.createdMillis
  event.number = row.number
  event.account = row.account
  event.codeText = row.code
  addresses.write(row.account, event.u8, event.walletAt)
  if (row.referrer >= 0) addresses.write(row.referrer, event.u8, event.referrerAt)
}
