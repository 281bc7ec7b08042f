import {
  CommandType,
  commandDigestAt,
  commandNonceHighAt,
  commandNonceLowAt,
  commandSignerAt,
  commandWalletAt,
} from '../../schemas/commands.js'
import { Result } from '../../schemas/results.js'
import { addressWords } from './address-table.js'
import { type Batch, TicketState } from './batch.js'
import { areBytesEqual } from './bytes.js'
import type { CoreState } from './core-state.js'
import type { RecordViews } from './event-sink.js'
import { none } from './orders.js'
import type { FactsScratch } from './publish-orders.js'

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

/** Whether the wallet can no longer use the command's nonce; `account` is -1 when it has none. */
export function isNonceBurned(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
): boolean {
  if (account < 0) return false
  const high = views.i32[(at + commandNonceHighAt) >> 2]
  const low = views.i32[(at + commandNonceLowAt) >> 2]
  return state.accounts.nonces[account].isBurned(high, low)
}

/** Place of the remembered outcome when the command repeats an accepted action to the letter, or -1. */
export function repeatOf(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
): number {
  if (!isNonceBurned(state, account, views, at)) return -1
  const signedAt = (at + commandNonceHighAt) >> 2
  return Math.max(-1, state.accounts.outcomes[account].find(views.i32, signedAt))
}

/**
 * Whether the signer of a command may act for its wallet.
 * @param account of the wallet, or -1 when it has none; then only the wallet itself may sign.
 */
export function checkSigner(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  walletAt: number,
): Result {
  const { u8, u32 } = views
  const signerAt = at + commandSignerAt
  const signer = signerAt >> 2
  const wallet = walletAt >> 2
  let i = 0
  while (i < addressWords && u32[signer + i] === u32[wallet + i]) i++
  if (i === addressWords) return Result.Accepted
  if (account >= 0 && state.accounts.agents.has(account, u8, signerAt)) return Result.Accepted
  return Result.Unauthorized
}

/** An action is accepted: its nonce is burned and its outcome kept for repeats. */
export function acceptAction(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  command: number,
  result: number,
  facts: FactsScratch,
): void {
  const high = views.i32[(at + commandNonceHighAt) >> 2]
  const low = views.i32[(at + commandNonceLowAt) >> 2]
  state.burnNonce(account, high, low)
  state.rememberOutcome(account, views, at, command, result, facts)
}
