import { type AnyCommand, RevokeAllAgentsCommand } from '../../../schemas/generated/commands.js'
import type { CoreState } from '../../state/core-state.js'
import { commandOf } from '../clients/command-record.js'
import { mustHold } from '../run/simulation-errors.js'
import { reloaded } from './invariants.js'

type Nonce = Pick<AnyCommand, 'nonceHigh' | 'nonceLow'>

/**
 * Whatever agents have signed, their owners can end them: tried out on a copy of the state, under the very nonces that
 * agents were faster with. @throws Violation
 */
export function checkOwnersResort(state: CoreState): void {
  const { accounts } = state
  const core = reloaded(state)
  for (let account = 0; account < accounts.count; account++) {
    const nonce = nonceOfAgents(state, account)
    if (nonce === null || accounts.agents.count(account) === 0) continue
    const command = commandOf(RevokeAllAgentsCommand, nonce)
    accounts.addresses.write(account, command.u8, command.signerAt)
    core.replay(state.nowMillis, command.views, 0, command.recordBytes)
    const left = core.state.accounts.agents.count(account)
    mustHold(left === 0, () => `account ${account} cannot end its ${left} agents`)
  }
}

/** The highest nonce that agents of the account have used, and it has not. */
function nonceOfAgents({ accounts }: CoreState, account: number): Nonce | null {
  const found: Nonce[] = []
  accounts.agentNonces[account]?.forEach((nonceHigh, nonceLow) => {
    if (!accounts.nonces[account].isBurned(nonceHigh, nonceLow)) found.push({ nonceHigh, nonceLow })
  })
  return found.at(-1) ?? null
}
