import { assert } from '../../../schemas/assert.js'
import { type AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { walletAtOf } from '../../../schemas/record-rules/commands.js'
import { Signer } from '../../../schemas/record-values.js'
import type { Result } from '../../../schemas/results.js'
import { areBytesEqual } from '../../memory/bytes.js'
import { none } from '../../memory/rows.js'
import type { Accounts } from '../../state/accounts/accounts.js'
import { addressWords } from '../../state/accounts/address-table.js'
import type { ApiWallets } from '../../state/accounts/api-wallets.js'
import type { SafetyTable } from '../../state/accounts/safety-table.js'
import { type Batch, signerOfAccepted, TicketFlag, TicketState } from '../../state/batch.js'
import { isTradingDirective } from './perp-terms.js'

export interface SignedState {
  readonly accounts: Accounts
  readonly apiWallets: ApiWallets
  burnNonce(account: number, signer: Signer, high: number, low: number): void
  rememberOutcome(
    batch: Batch,
    ticket: number,
    result: Result,
    facts: OrderFacts,
    publishedSeq: number,
  ): void
  readonly safety: SafetyTable
  readonly nowMillis: number
}

const digestBytes = 32

/**
 * Returns the earlier ticket of this batch that has the same nonce and may still be accepted, or `none`. While there is
 * one, this command may turn out to be a duplicate.
 */
export function undecidedNonce(batch: Batch, account: number, command: AnyCommand): number {
  if (batch.undecided === 0) return none
  const { nonceHigh, nonceLow } = command
  for (let ticket = batch.lastOf(account); ticket !== none; ticket = batch.previous[ticket]) {
    const earlier = batch.command(ticket)
    if (
      earlier.nonceLow === nonceLow &&
      earlier.nonceHigh === nonceHigh &&
      batch.isUndecided(ticket) &&
      batch.state[ticket] !== TicketState.Echo
    ) {
      return ticket
    }
  }
  return none
}

/** Returns true if two tickets were signed over the same digest. */
export function isSamePayload(batch: Batch, one: number, other: number): boolean {
  const { u8, digestAt } = batch.command(one)
  const second = batch.command(other)
  return areBytesEqual(u8, digestAt, second.u8, second.digestAt, digestBytes)
}

/**
 * Returns true if the signer can no longer use the command's nonce for the wallet. Owner and agents have a window each.
 * A nonce used by either is used for both, but an overflow of a window blocks its own kind only. The owner's
 * revocations, withdrawals and changes of mode ignore the nonces of agents, so that no agent can block them.
 */
export function isNonceBurned(
  state: SignedState,
  account: number,
  signer: Signer,
  command: AnyCommand,
): boolean {
  const { nonceHigh: high, nonceLow: low } = command
  assert(account >= 0, 'nonce: the wallet has an account')
  if (state.accounts.isAboveAllNonces(account, high, low)) return false
  const own = state.accounts.nonces[account]
  const ofAgents = state.accounts.agentNonces[account]
  if (signer === Signer.Agent) {
    return own.has(high, low) || (ofAgents?.isBurned(high, low) ?? false)
  }
  if (own.isBurned(high, low)) return true
  return ofAgents !== null && !isOwnersResort(command.recordType) && ofAgents.has(high, low)
}

/**
 * Returns the position of the stored result if the command is an exact duplicate of an accepted action, else below 0.
 */
export function repeatOf(state: SignedState, account: number, command: AnyCommand): number {
  return state.accounts.outcomes[account].find(command)
}

/**
 * Determines the signer of a command, before anything else is read. A stranger, and a former agent, learn nothing of
 * the wallet, least of all its nonces and results. An API wallet counts as an agent for commands signed as trading
 * directives, and as a stranger for all others.
 * @param account of the wallet, or -1 if it has none; then only the wallet itself may sign.
 */
export function signerOf(state: SignedState, account: number, command: AnyCommand): Signer {
  const { u32, signerAt } = command
  const own = signerAt >> 2
  const wallet = walletAtOf(command) >> 2
  let i = 0
  while (i < addressWords && u32[own + i] === u32[wallet + i]) i++
  if (i === addressWords) return Signer.Owner
  // Commands of the owner alone treat an agent like a stranger.
  if (account < 0 || isOwnersOnly(command.recordType)) return Signer.Stranger
  if (state.accounts.agents.has(account, command.u8, signerAt)) return Signer.Agent
  const isKey = state.apiWallets.has(account, command.u8, signerAt) && isTradingDirective(command)
  return isKey ? Signer.Agent : Signer.Stranger
}

/** Returns true for commands that no agent may sign. */
function isOwnersOnly(type: number): boolean {
  return (
    type === CommandType.WithdrawUsdc ||
    type === CommandType.UpdateApiWallet ||
    type === CommandType.SetAbstraction
  )
}

/** Returns true for commands that an owner must be able to send whatever its agents have done. */
function isOwnersResort(type: number): boolean {
  return (
    isOwnersOnly(type) ||
    type === CommandType.RevokeAgent ||
    type === CommandType.RevokeAllAgents ||
    type === CommandType.SetMarginMode ||
    type === CommandType.SetSelfTrade
  )
}

/** Burns the nonce of an accepted action and stores its result for duplicates. */
export function acceptAction(
  state: SignedState,
  batch: Batch,
  ticket: number,
  result: Result,
  facts: OrderFacts,
  publishedSeq: number,
): void {
  assert(
    (batch.flags[ticket] & TicketFlag.Repeat) === 0,
    'action: a duplicate is not executed again',
  )
  const { nonceHigh, nonceLow } = batch.command(ticket)
  state.burnNonce(batch.account[ticket], signerOfAccepted(batch, ticket), nonceHigh, nonceLow)
  state.rememberOutcome(batch, ticket, result, facts, publishedSeq)
  state.safety.renew(batch.account[ticket], state.nowMillis)
}
