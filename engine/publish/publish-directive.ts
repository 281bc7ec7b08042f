import { txHashBytes } from '../../schemas/bounds.js'
import { type DeliveryStatus, DirectiveAction, type DomainStatus } from '../../schemas/domain.js'
import { DirectiveEvent } from '../../schemas/generated/events.js'
import { Result } from '../../schemas/results.js'
import { addressBytes } from '../../schemas/wallet.js'
import type { CoreState } from '../state/core-state.js'
import { Fund } from '../state/funds.js'
import type { Withdrawal } from '../state/withdrawal-table.js'

/** A directive as it stands. */
export interface DirectiveFacts {
  /** 16 bytes: `directiveIdOf` the digest that asked for it. */
  readonly id: Uint8Array
  readonly account: number
  readonly action: DirectiveAction
  readonly domain: DomainStatus
  readonly delivery: DeliveryStatus
  readonly createdMillis: number
  /** Left out: 0. */
  readonly amountMicros?: number
  /** 20 bytes; left out: there is none. */
  readonly destination?: Uint8Array
  /** 32 bytes; left out: none is known. */
  readonly txHash?: Uint8Array
  /** Why it was refused. */
  readonly reason?: Result
}

const event = new DirectiveEvent()
const noAddress = new Uint8Array(addressBytes)
const noHash = new Uint8Array(txHashBytes)

/** What a directive has come to: readers keep the latest of each id. */
export function publishDirective(state: CoreState, facts: DirectiveFacts): void {
  if (!event.claim(state.sink)) return
  event.u8.set(facts.id, event.directiveIdAt)
  event.amountMicros = facts.amountMicros ?? 0
  event.createdMillis = facts.createdMillis
  event.inTransitMicros = state.funds.balanceMicros[Fund.InTransit]
  event.action = facts.action
  event.domain = facts.domain
  event.delivery = facts.delivery
  event.reason = facts.reason ?? Result.Accepted
  event.account = facts.account
  state.accounts.addresses.write(facts.account, event.u8, event.walletAt)
  event.u8.set(facts.destination ?? noAddress, event.destinationAt)
  event.u8.set(facts.txHash ?? noHash, event.txHashAt)
}

/** A withdrawal as it stands, or has ended with a word of its own. */
export function publishWithdrawal(
  state: CoreState,
  row: Withdrawal,
  domain: DomainStatus = row.domain,
): void {
  const { id, account, delivery, createdMillis, amountMicros, destination, txHash } = row
  const action = DirectiveAction.SendAsset
  const sent = { amountMicros, destination, txHash }
  publishDirective(state, { id, account, action, domain, delivery, createdMillis, ...sent })
}

/** Every withdrawal whose money is in transit, for readers that know of none. */
export function republishWithdrawals(state: CoreState, makeRoom: () => void): void {
  for (const row of state.withdrawals.rows) {
    makeRoom()
    publishWithdrawal(state, row)
  }
}
