import {
  CommandType,
  commandDigestAt,
  commandNonceHighAt,
  commandNonceLowAt,
  commandSignerAt,
  commandWalletAt,
} from '../../schemas/commands.js'
import { Result } from '../../schemas/results.js'
import { type Batch, TicketState } from './batch.js'
import type { CoreState } from './core-state.js'
import type { RecordViews } from './event-sink.js'
import { none } from './orders.js'
import type { FactsScratch } from './publish-orders.js'

/** Where the wallet of a signed command stands: the signer's field in structs without a wallet. */
export function walletAtOf(type: number, at: number): number {
  const signerIsWallet =
    type === CommandType.ApproveAgent ||
    type === CommandType.RevokeAgent ||
    type === CommandType.RevokeAllAgents
  return at + (signerIsWallet ? commandSignerAt : commandWalletAt)
}

/**
 * Whether a command of this account must wait for the next batch: an earlier one in this batch carries the same
 * nonce and may still be accepted, so nobody knows yet whether this one is a repeat.
 */
export function hasUndecidedNonce(
  batch: Batch,
  account: number,
  views: RecordViews,
  at: number,
): boolean {
  const high = views.u32[(at + commandNonceHighAt) >> 2]
  const low = views.u32[(at + commandNonceLowAt) >> 2]
  for (let ticket = batch.lastOf(account); ticket !== none; ticket = batch.previous[ticket]) {
    if (batch.state[ticket] !== TicketState.Matching && batch.state[ticket] !== TicketState.Again)
      continue
    const earlier = batch.views[ticket].u32
    const earlierAt = batch.at[ticket]
    if (
      earlier[(earlierAt + commandNonceLowAt) >> 2] === low &&
      earlier[(earlierAt + commandNonceHighAt) >> 2] === high
    ) {
      return true
    }
  }
  return false
}

/** Place of the remembered outcome when the command repeats an accepted action to the letter, or -1. */
export function repeatOf(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
): number {
  if (account < 0) return -1
  const high = views.u32[(at + commandNonceHighAt) >> 2]
  const low = views.u32[(at + commandNonceLowAt) >> 2]
  if (!state.accounts.nonces[account].isBurned(high, low)) return -1
  return Math.max(
    -1,
    state.accounts.outcomes[account].find(high, low, views.u8, at + commandDigestAt),
  )
}

/**
 * Nonce and agent of a signed command, in that order (decision 35).
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
  if (account >= 0) {
    const high = u32[(at + commandNonceHighAt) >> 2]
    const low = u32[(at + commandNonceLowAt) >> 2]
    if (state.accounts.nonces[account].isBurned(high, low)) return Result.NonceUsed
  }
  const signerAt = at + commandSignerAt
  let i = 0
  while (i < 20 && u8[signerAt + i] === u8[walletAt + i]) i++
  if (i === 20) return Result.Accepted
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
  const high = views.u32[(at + commandNonceHighAt) >> 2]
  const low = views.u32[(at + commandNonceLowAt) >> 2]
  state.burnNonce(account, high, low)
  const digestAt = at + commandDigestAt
  const outcomes = state.accounts.outcomes[account]
  outcomes.remember(high, low, views.u8, digestAt, command, result, facts.u8, 0)
}
