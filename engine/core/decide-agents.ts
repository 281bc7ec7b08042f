import { agentsPerWalletMax } from '../../schemas/bounds.js'
import { agentAddressAt } from '../../schemas/commands.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { AgentChange } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { areBytesEqual } from '../memory/bytes.js'
import { HashKind } from '../memory/state-hash.js'
import { publishAgent } from '../publish/publish-market.js'
import { addressNumber } from '../state/address-table.js'
import type { CoreState } from '../state/core-state.js'

const agentScratch = new Uint8Array(20)

/**
 * Guards of an agent command whose nonce and signer are right. An agent equal to its wallet is refused, and one
 * beyond the wallet's number of agents; approving twice and revoking a stranger succeed without effect.
 */
export function checkAgent(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
  walletAt: number,
): Result {
  if (type !== CommandType.ApproveAgent) return Result.Accepted
  const agentAt = at + agentAddressAt
  if (areBytesEqual(views.u8, agentAt, views.u8, walletAt, 20)) return Result.ValueRefused
  if (state.accounts.agents.has(account, views.u8, agentAt)) return Result.Accepted
  return state.accounts.agents.count(account) >= agentsPerWalletMax
    ? Result.LimitExceeded
    : Result.Accepted
}

/** Carries an accepted agent command out. */
export function applyAgent(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
): void {
  const { agents } = state.accounts
  const agentAt = at + agentAddressAt
  if (type === CommandType.RevokeAllAgents) {
    while (agents.count(account) > 0) {
      agents.write(account, 0, agentScratch, 0)
      revoke(state, account, agentScratch, 0)
    }
  } else if (type === CommandType.RevokeAgent) {
    if (agents.has(account, views.u8, agentAt)) revoke(state, account, views.u8, agentAt)
  } else if (!agents.has(account, views.u8, agentAt)) {
    agents.approve(account, views.u8, agentAt)
    state.hash.add(HashKind.Agent, account, 0, addressNumber(views.u8, agentAt))
    publishAgent(state, account, AgentChange.Approved, views.u8, agentAt)
  }
}

function revoke(state: CoreState, account: number, agent: Uint8Array, agentAt: number): void {
  state.hash.remove(HashKind.Agent, account, 0, addressNumber(agent, agentAt))
  publishAgent(state, account, AgentChange.Revoked, agent, agentAt)
  state.accounts.agents.revoke(account, agent, agentAt)
}
