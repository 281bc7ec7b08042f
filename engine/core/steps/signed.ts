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
    toldSeq: number,
  ): void
  readonly safety: SafetyTable
  readonly nowMillis: number
}

const digestBytes = 32

/**
 * The earlier ticket of this batch that carries the same nonce and may still be accepted, or `none`: as long as
 * there is one, nobody knows whether this command is a repeat.
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

/** Whether two tickets were signed over the same digest. */
export function isSamePayload(batch: Batch, one: number, other: number): boolean {
  const { u8, digestAt } = batch.command(one)
  const second = batch.command(other)
  return areBytesEqual(u8, digestAt, second.u8, second.digestAt, digestBytes)
}

/**
 * Whether the signer can no longer use the command's nonce for the wallet. Owner and agents have a window each, whose
 * overflow shuts out its own kind only; a nonce that either has used is used for both. But by nothing that an agent
 * signs, its owner's revocations, withdrawals and changes of mode are shut out: those know the nonces of the owner alone.
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

/** Place of the remembered outcome when the command repeats an accepted action to the letter, or below 0. */
export function repeatOf(state: SignedState, account: number, command: AnyCommand): number {
  return state.accounts.outcomes[account].find(command)
}

/**
 * Who has signed a command: looked at before anything else of it. A stranger learns nothing of the wallet, of its
 * nonces and outcomes least of all, and so does who was an agent once. A key for trading counts as an agent where the
 * command was signed as a directive for trading, and is a stranger to the wallet everywhere else.
 * @param account of the wallet, or -1 when it has none; then only the wallet itself may sign.
 */
export function signerOf(state: SignedState, account: number, command: AnyCommand): Signer {
  const { u32, signerAt } = command
  const own = signerAt >> 2
  const wallet = walletAtOf(command) >> 2
  let i = 0
  while (i < addressWords && u32[own + i] === u32[wallet + i]) i++
  if (i === addressWords) return Signer.Owner
  // What an owner alone may sign is no agent's business, as it is no stranger's.
  if (account < 0 || isOwnersOnly(command.recordType)) return Signer.Stranger
  if (state.accounts.agents.has(account, command.u8, signerAt)) return Signer.Agent
  const isKey = state.apiWallets.has(account, command.u8, signerAt) && isTradingDirective(command)
  return isKey ? Signer.Agent : Signer.Stranger
}

/** What no agent may sign. */
function isOwnersOnly(type: number): boolean {
  return (
    type === CommandType.WithdrawUsdc ||
    type === CommandType.UpdateApiWallet ||
    type === CommandType.SetAbstraction
  )
}

/** What an owner must be able to do whatever its agents have done. */
function isOwnersResort(type: number): boolean {
  return (
    isOwnersOnly(type) ||
    type === CommandType.RevokeAgent ||
    type === CommandType.RevokeAllAgents ||
    type === CommandType.SetMarginMode ||
    type === CommandType.SetSelfTrade
  )
}

/** An action is accepted: its nonce is burned and its outcome kept for repeats. */
export function acceptAction(
  state: SignedState,
  batch: Batch,
  ticket: number,
  result: Result,
  facts: OrderFacts,
  toldSeq: number,
): void {
  assert(
    (batch.flags[ticket] & TicketFlag.Repeat) === 0,
    'action: a duplicate is not executed again',
  )
  const { nonceHigh, nonceLow } = batch.command(ticket)
  state.burnNonce(batch.account[ticket], signerOfAccepted(batch, ticket), nonceHigh, nonceLow)
  state.rememberOutcome(batch, ticket, result, facts, toldSeq)
  state.safety.renew(batch.account[ticket], state.nowMillis)
}
