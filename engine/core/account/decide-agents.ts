import { assert } from '../../../schemas/assert.js'
import { agentsPerWalletMax } from '../../../schemas/bounds.js'
import { AgentCommand, type AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import { walletAtOf } from '../../../schemas/record-rules/commands.js'
import { AgentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { addressBytes } from '../../../schemas/wallet.js'
import { areBytesEqual } from '../../memory/bytes.js'
import { publishAgent } from '../../publish/publish-market.js'
import { endRfqsBy } from '../../rfq/rfq-states.js'
import type { CoreState } from '../../state/core-state.js'
import { revokeAllApiWallets, revokeApiWallets } from './decide-api-wallets.js'
import { endSessionsBy } from './decide-provider.js'

const named = new AgentCommand()
const agentScratch = new Uint8Array(addressBytes)

/**
 * Guards of an agent command whose nonce and signer are valid. It fails if the agent equals its wallet, or exceeds the
 * wallet's number of agents. Approving an agent twice and revoking a stranger succeed without effect.
 */
export function checkAgent(state: CoreState, account: number, command: AnyCommand): Result {
  if (command.recordType !== CommandType.ApproveAgent) return Result.Accepted
  const { u8, agentAt } = named.of(command)
  if (areBytesEqual(u8, agentAt, u8, walletAtOf(command), addressBytes)) return Result.ValueRefused
  const { agents } = state.accounts
  if (agents.has(account, u8, agentAt)) return Result.Accepted
  return agents.count(account) >= agentsPerWalletMax ? Result.LimitExceeded : Result.Accepted
}

/**
 * Executes an accepted agent command. A revoked agent may sign nothing more for the wallet, not even directives as an
 * API wallet. Revoking all agents also removes all API wallets.
 */
export function applyAgent(state: CoreState, account: number, command: AnyCommand): void {
  const { agents } = state.accounts
  if (command.recordType === CommandType.RevokeAllAgents) {
    revokeAllApiWallets(state, account)
    while (agents.count(account) > 0) {
      agents.write(account, 0, agentScratch, 0)
      revoke(state, account, agentScratch, 0)
    }
    return
  }
  const { u8, agentAt } = named.of(command)
  const isKnown = agents.has(account, u8, agentAt)
  if (command.recordType === CommandType.RevokeAgent) {
    revokeApiWallets(state, account, u8, agentAt)
    if (isKnown) revoke(state, account, u8, agentAt)
  } else if (!isKnown) {
    assert(agents.count(account) < agentsPerWalletMax, 'agents: the account has room for one more')
    agents.approve(account, u8, agentAt)
    publishAgent(state, account, AgentChange.Approved, u8, agentAt)
  }
}

function revoke(state: CoreState, account: number, agent: Uint8Array, agentAt: number): void {
  publishAgent(state, account, AgentChange.Revoked, agent, agentAt)
  const { agents } = state.accounts
  agents.revoke(account, agent, agentAt)
  assert(!agents.has(account, agent, agentAt), 'agents: a revoked agent is no longer listed')
  const isSigner = (signer: Uint8Array) => areBytesEqual(signer, 0, agent, agentAt, addressBytes)
  endRfqsBy(state, account, Result.AgentRevoked, isSigner)
  endSessionsBy(state, account, agent, agentAt)
  state.safety.unbindBy(account, agent, agentAt)
}
