import {
  commandNonceHighAt,
  commandNonceLowAt,
  commandSignerAt,
  revokeAllAgentsBytes,
} from '../../../schemas/commands.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { StateReader, StateWriter } from '../../memory/state-codec.js'
import type { CoreState } from '../../state/core-state.js'
import { loadState, saveState } from '../../state/state-snapshot.js'
import { CommandRecord } from '../clients/command-record.js'
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
    const record = new CommandRecord(CommandType.RevokeAllAgents, revokeAllAgentsBytes)
    accounts.addresses.write(account, record.u8, commandSignerAt)
    record.setI32(commandNonceHighAt, nonce.high).setI32(commandNonceLowAt, nonce.low)
    core.replay(state.nowMillis, record, 0, revokeAllAgentsBytes)
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
