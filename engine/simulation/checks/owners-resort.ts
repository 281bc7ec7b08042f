import { RevokeAllAgentsCommand } from '../../../schemas/generated/commands.js'
import { StateReader, StateWriter } from '../../memory/state-codec.js'
import type { CoreState } from '../../state/core-state.js'
import { loadState, saveState } from '../../state/state-snapshot.js'
import { commandOf } from '../clients/command-record.js'
import { replayCore } from '../replay-core.js'
import { mustHold } from '../simulation-errors.js'

/**
 * Whatever agents have signed, their owners can end them: tried out on a copy of the state, under the very nonces that
 * agents were faster with. @throws Violation
 */
export function checkOwnersResort(state: CoreState): void {
  const { accounts } = state
  const writer = new StateWriter()
  saveState(state, writer)
  const core = replayCore(state.config, 1)
  loadState(core.state, new StateReader(writer.result()))
  for (let account = 0; account < accounts.count; account++) {
    const nonce = nonceOfAgents(state, account)
    if (nonce === null || accounts.agents.count(account) === 0) continue
    const command = commandOf(RevokeAllAgentsCommand, {
      nonceHigh: nonce.high,
      nonceLow: nonce.low,
    })
    accounts.addresses.write(account, command.u8, command.signerAt)
    core.replay(state.nowMillis, command.views, 0, command.recordBytes)
    const left = core.state.accounts.agents.count(account)
    mustHold(left === 0, () => `account ${account} cannot end its ${left} agents`)
  }
}

/** The highest nonce that agents of the account have used, and it has not. */
function nonceOfAgents({ accounts }: CoreState, account: number) {
  let found: { readonly high: number; readonly low: number } | null = null
  accounts.agentNonces[account]?.forEach((high, low) => {
    if (!accounts.nonces[account].isBurned(high, low)) found = { high, low }
  })
  return found as { readonly high: number; readonly low: number } | null
}
