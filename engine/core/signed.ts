import {
  commandDigestAt,
  commandNonceHighAt,
  commandNonceLowAt,
  commandSignerAt,
  commandWalletAt,
} from '../../schemas/commands.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { Signer } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { areBytesEqual } from '../memory/bytes.js'
import { none } from '../memory/rows.js'
import type { FactsScratch } from '../publish/publish-orders.js'
import { addressWords } from '../state/address-table.js'
import { type Batch, signerOfAccepted, TicketState } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'

/** Where the wallet that acts stands: the signer's field in structs whose wallet is whoever signed. */
export function walletAtOf(type: number, at: number): number {
  const signerIsWallet =
    type === CommandType.ApproveAgent ||
    type === CommandType.RevokeAgent ||
    type === CommandType.RevokeAllAgents ||
    type === CommandType.SetUserTier
  return at + (signerIsWallet ? commandSignerAt : commandWalletAt)
}

/**
 * The earlier ticket of this batch that carries the same nonce and may still be accepted, or `none`: as long as
 * there is one, nobody knows whether this command is a repeat.
 */
export function undecidedNonce(
  batch: Batch,
  account: number,
  views: RecordViews,
  at: number,
): number {
  if (batch.undecided === 0) return none
  const high = views.i32[(at + commandNonceHighAt) >> 2]
  const low = views.i32[(at + commandNonceLowAt) >> 2]
  for (let ticket = batch.lastOf(account); ticket !== none; ticket = batch.previous[ticket]) {
    const { i32 } = batch.views[ticket]
    const earlierAt = batch.at[ticket]
    if (
      i32[(earlierAt + commandNonceLowAt) >> 2] === low &&
      i32[(earlierAt + commandNonceHighAt) >> 2] === high &&
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
  const [a, aAt] = [batch.views[one].u8, batch.at[one] + commandDigestAt]
  return areBytesEqual(a, aAt, batch.views[other].u8, batch.at[other] + commandDigestAt, 32)
}

/**
 * Whether the signer can no longer use the command's nonce for the wallet. Owner and agents have a window each, whose
 * overflow shuts out its own kind only; a nonce that either has used is used for both. But by nothing that an agent
 * signs, its owner's revocations and changes of mode are shut out: those know the nonces of the owner alone.
 */
export function isNonceBurned(
  state: CoreState,
  account: number,
  signer: Signer,
  views: RecordViews,
  at: number,
  type: number,
): boolean {
  const high = views.i32[(at + commandNonceHighAt) >> 2]
  const low = views.i32[(at + commandNonceLowAt) >> 2]
  if (state.accounts.isAboveAllNonces(account, high, low)) return false
  const own = state.accounts.nonces[account]
  const ofAgents = state.accounts.agentNonces[account]
  if (signer === Signer.Agent) {
    return own.has(high, low) || (ofAgents?.isBurned(high, low) ?? false)
  }
  if (own.isBurned(high, low)) return true
  return ofAgents !== null && !isOwnersResort(type) && ofAgents.has(high, low)
}

/** Place of the remembered outcome when the command repeats an accepted action to the letter, or below 0. */
export function repeatOf(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
): number {
  const signedAt = (at + commandNonceHighAt) >> 2
  return state.accounts.outcomes[account].find(views.i32, signedAt)
}

/**
 * Who has signed a command: looked at before anything else of it. A stranger learns nothing of the wallet, of its
 * nonces and outcomes least of all, and so does who was an agent once.
 * @param account of the wallet, or -1 when it has none; then only the wallet itself may sign.
 */
export function signerOf(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
): Signer {
  const { u32 } = views
  const ownAt = (at + commandSignerAt) >> 2
  const wallet = walletAtOf(type, at) >> 2
  let i = 0
  while (i < addressWords && u32[ownAt + i] === u32[wallet + i]) i++
  if (i === addressWords) return Signer.Owner
  const isAgent = account >= 0 && state.accounts.agents.has(account, views.u8, at + commandSignerAt)
  return isAgent ? Signer.Agent : Signer.Stranger
}

/** What an owner must be able to do whatever its agents have done. */
function isOwnersResort(type: number): boolean {
  return (
    type === CommandType.RevokeAgent ||
    type === CommandType.RevokeAllAgents ||
    type === CommandType.SetMarginMode ||
    type === CommandType.SetSelfTrade
  )
}

/** An action is accepted: its nonce is burned and its outcome kept for repeats. */
export function acceptAction(
  state: CoreState,
  batch: Batch,
  ticket: number,
  result: number,
  facts: FactsScratch,
  toldSeq: number,
): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const account = batch.account[ticket]
  const high = views.i32[(at + commandNonceHighAt) >> 2]
  const low = views.i32[(at + commandNonceLowAt) >> 2]
  const signer = signerOfAccepted(batch, ticket)
  state.burnNonce(account, signer, high, low)
  state.rememberOutcome(batch, ticket, result, facts, toldSeq)
}
