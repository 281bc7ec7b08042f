import { pushEndpointBytesMax, pushKeyBytes } from '../../../schemas/bounds.js'
import {
  type AnyCommand,
  DropPushCommand,
  PushActionCommand,
} from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { PushActionKind, PushChange, pushTopicsAll } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { type PublishPushState, publishPush } from '../../publish/publish-push.js'
import type { PushTable } from '../../state/accounts/push-table.js'
import type { MarketOutcome } from '../steps/market-outcome.js'

const action = new PushActionCommand()
const gone = new DropPushCommand()

/** PushAction: adds or removes a subscription of a wallet, or selects its topics. */
export function checkPush(state: PublishPushState, account: number, command: AnyCommand): Result {
  const { kind, mask, topics, endpointBytes } = action.of(command)
  if (kind === PushActionKind.Preferences) {
    const areTopics = mask > 0 && (mask & ~pushTopicsAll) === 0 && (topics & ~mask) === 0
    return areTopics ? Result.Accepted : Result.ValueRefused
  }
  const isKind = kind === PushActionKind.Subscribe || kind === PushActionKind.Unsubscribe
  const isEndpoint = endpointBytes > 0 && endpointBytes <= pushEndpointBytesMax
  if (!isKind || !isEndpoint) return Result.ValueRefused
  const fits = kind === PushActionKind.Unsubscribe || state.push.hasRoom(account)
  return fits ? Result.Accepted : Result.LimitExceeded
}

export function applyPush(
  state: PublishPushState,
  account: number,
  command: AnyCommand,
  out: OrderFacts,
): void {
  const { kind, mask, topics } = action.of(command)
  if (kind === PushActionKind.Subscribe) subscribe(state, account)
  else if (kind === PushActionKind.Unsubscribe) {
    const endpoint = endpointOf(action)
    out.removedCount = remove(state, account, (one) => one.endpoint === endpoint)
  } else {
    state.push.setTopics(account, (state.push.topicsOf(account) & ~mask) | topics)
    publishPush(state, account, PushChange.Preferences, null)
  }
  out.pushTopics = state.push.topicsOf(account)
}

/** DropPush: a subscription that is gone already changes nothing. */
export function dropPush(state: PublishPushState, command: AnyCommand, out: MarketOutcome): Result {
  const { subscriptionId, u8, walletAt } = gone.of(command)
  const account = state.accounts.find(u8, walletAt)
  const isGone = account >= 0 && remove(state, account, ({ id }) => id === subscriptionId) > 0
  out.repeat = !isGone
  return Result.Accepted
}

function subscribe(state: PublishPushState, account: number): void {
  const { u8, keysAt } = action
  const keys = u8.subarray(keysAt, keysAt + pushKeyBytes)
  const { removed, added } = state.push.subscribe(account, endpointOf(action), keys)
  for (const one of removed) publishPush(state, account, PushChange.Removed, one)
  publishPush(state, account, PushChange.Subscribed, added)
}

/** @returns the number of removed subscriptions. */
function remove(
  state: PublishPushState,
  account: number,
  isEnding: Parameters<PushTable['remove']>[1],
): number {
  const removed = state.push.remove(account, isEnding)
  for (const one of removed) publishPush(state, account, PushChange.Removed, one)
  return removed.length
}

function endpointOf({ u8, endpointAt, endpointBytes }: PushActionCommand): string {
  let text = ''
  for (let i = 0; i < endpointBytes; i++) text += String.fromCharCode(u8[endpointAt + i])
  return text
}
