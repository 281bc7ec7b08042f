import { assert } from '../../../schemas/assert.js'
import { providerSessionsMax } from '../../../schemas/bounds.js'
import { ProviderStatus } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  ConnectProviderCommand,
  LeaveProviderCommand,
  SetProviderCommand,
} from '../../../schemas/generated/commands.js'
import { ProviderChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { publishProvider } from '../../publish/publish-providers.js'
import { leaveRfqs } from '../../rfq/rfq-states.js'
import type { CoreState } from '../../state/core-state.js'
import { isSession, type Provider, type ProviderSession } from '../../state/rfq/provider-table.js'
import { accountFor } from '../steps/announced.js'
import type { MarketOutcome } from '../steps/market-outcome.js'
import { endConnections } from './decide-safety.js'

// Quote providers: the operator decides who is one, and gateways report who is connected. Both are commands, so that a
// replay invites the same providers to every request.

const named = new SetProviderCommand()
const connecting = new ConnectProviderCommand()
const leaving = new LeaveProviderCommand()

/** SetProvider: opens an account for the wallet if it has none. A suspended provider loses its sessions. */
export function setProvider(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  const { status, u8, walletAt } = named.of(command)
  if (status !== ProviderStatus.Active && status !== ProviderStatus.Suspended) {
    return Result.ValueRefused
  }
  const { providers } = state
  const account = accountFor(state, u8, walletAt)
  out.repeat = providers.find(account)?.status === status
  if (out.repeat) return Result.Accepted
  const row = providers.setStatus(account, status)
  if (status === ProviderStatus.Suspended) endWhere(state, row, () => true)
  assert(
    status === ProviderStatus.Active || !row.isConnected,
    'provider: a suspended provider is disconnected',
  )
  publishProvider(state, row, ProviderChange.Status)
  if (status === ProviderStatus.Suspended) leaveRfqs(state, account, true)
  return Result.Accepted
}

/** Guards of a ConnectProvider whose signer and nonce are valid. */
export function checkConnect(state: CoreState, account: number, command: AnyCommand): Result {
  const row = state.providers.find(account)
  if (row === null) return Result.UnknownProvider
  if (row.status !== ProviderStatus.Active) return Result.ProviderSuspended
  if (row.sessions.length >= providerSessionsMax) return Result.LimitExceeded
  const isOpen = row.sessions.some((open) => isSession(open, connecting.of(command)))
  return isOpen ? Result.Conflict : Result.Accepted
}

export function applyConnect(state: CoreState, account: number, command: AnyCommand): void {
  const { gateway, session, signerAt, u8 } = connecting.of(command)
  const opened: ProviderSession = { gateway, session, signer: formatAddress(u8, signerAt) }
  const row = state.providers.find(account)
  assert(row?.status === ProviderStatus.Active, 'provider: it is active')
  assert(row.sessions.length < providerSessionsMax, 'provider: it has room for one more session')
  state.providers.connect(row, opened)
  publishProvider(state, row, ProviderChange.Connected, opened)
}

/** LeaveProvider: changes nothing if the session is unknown, because its provider has been suspended. */
export function leaveProvider(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  const { u8, walletAt } = leaving.of(command)
  const row = state.providers.find(state.accounts.find(u8, walletAt))
  out.repeat = row === null || !endWhere(state, row, (open) => isSession(open, leaving))
  return Result.Accepted
}

/** EndSessions: ends all provider sessions and other connections of a process that has ended. */
export function endSessions(state: CoreState): Result {
  endConnections(state)
  for (const row of state.providers.rows) endWhere(state, row, () => true)
  return Result.Accepted
}

/** Ends the sessions that a revoked agent opened for the wallet. */
export function endSessionsBy(
  state: CoreState,
  account: number,
  agent: Uint8Array,
  agentAt: number,
): void {
  const row = state.providers.find(account)
  if (row === null || !row.isConnected) return
  const signer = formatAddress(agent, agentAt)
  endWhere(state, row, (open) => open.signer === signer)
}

/** @returns true if any session ended. */
function endWhere(
  state: CoreState,
  row: Provider,
  ends: (open: ProviderSession) => boolean,
): boolean {
  const ended = row.sessions.filter(ends)
  for (const session of ended) {
    state.providers.leave(row, session)
    publishProvider(state, row, ProviderChange.Left, session)
  }
  const isSuspended = row.status !== ProviderStatus.Active
  if (ended.length > 0 && !row.isConnected && !isSuspended) leaveRfqs(state, row.account, false)
  return ended.length > 0
}
