import { PushEvent } from '../../schemas/generated/events.js'
import { PushChange, pushTopicsAll } from '../../schemas/record-values.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { PushSubscription, PushTable } from '../state/accounts/push-table.js'
import type { EventSink } from '../state/event-sink.js'

export interface PublishPushState {
  readonly sink: EventSink
  readonly push: PushTable
  readonly accounts: Accounts
}

const event = new PushEvent()

/** Publishes a subscription that was added or removed, or the notification topics of a wallet. */
export function publishPush(
  state: PublishPushState,
  account: number,
  change: PushChange,
  subscription: PushSubscription | null,
): void {
  const endpoint = subscription?.endpoint ?? ''
  if (!event.claim(state.sink, PushEvent.bytesWith(endpoint.length))) return
  event.clear()
  event.subscriptionId = subscription?.id ?? 0
  event.change = change
  event.topics = state.push.topicsOf(account)
  event.account = account
  event.endpointBytes = endpoint.length
  state.accounts.addresses.write(account, event.u8, event.walletAt)
  if (subscription !== null) event.u8.set(subscription.keys, event.keysAt)
  for (let i = 0; i < endpoint.length; i++) event.u8[event.endpointAt + i] = endpoint.charCodeAt(i)
}

/** Publishes everything, for readers without state. */
export function republishPush(state: PublishPushState, makeRoom: () => void): void {
  for (const { account, topics, subscriptions } of state.push.rows()) {
    makeRoom()
    if (topics !== pushTopicsAll) publishPush(state, account, PushChange.Bootstrap, null)
    for (const one of subscriptions) publishPush(state, account, PushChange.Bootstrap, one)
  }
}
