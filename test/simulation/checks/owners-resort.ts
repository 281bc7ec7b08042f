import type { Core } from '../../../engine/core/core.js'
import type { ApiWallet } from '../../../engine/state/accounts/api-wallets.js'
import type { CoreState } from '../../../engine/state/core-state.js'
import {
  type AnyCommand,
  RevokeAllAgentsCommand,
  UpdateApiWalletCommand,
} from '../../../schemas/generated/commands.js'
import { commandOf } from '../clients/command-record.js'
import { mustHold } from '../run/simulation-errors.js'
import { reloaded } from './invariants.js'

type Nonce = Pick<AnyCommand, 'nonceHigh' | 'nonceLow'>

/**
 * Checks, on a copy of the state, that owners can revoke everything their agents and trading keys can do, even under a
 * nonce that an agent has already used.
 * @throws Violation
 */
export function checkOwnersResort(state: CoreState): void {
  const { accounts } = state
  const core = reloaded(state)
  for (let account = 0; account < accounts.count; account++) {
    const nonce = nonceOfAgents(state, account)
    if (nonce === null) continue
    const [key] = state.apiWallets.of(account)
    if (key !== undefined) removeKey(core, account, key, nonce)
    if (accounts.agents.count(account) === 0) continue
    // The command above has used up the nonce.
    if (key !== undefined) continue
    const command = commandOf(RevokeAllAgentsCommand, nonce)
    accounts.addresses.write(account, command.u8, command.signerAt)
    core.replay(state.nowMillis, command.views, 0, command.recordBytes)
    const left = core.state.accounts.agents.count(account)
    mustHold(left === 0, () => `account ${account} cannot end its ${left} agents`)
  }
}

function removeKey(core: Core, account: number, { name }: ApiWallet, nonce: Nonce): void {
  const { accounts, apiWallets, nowMillis } = core.state
  const command = commandOf(UpdateApiWalletCommand, nonce)
  command.u8.set(name, command.nameAt)
  accounts.addresses.write(account, command.u8, command.walletAt)
  accounts.addresses.write(account, command.u8, command.signerAt)
  core.replay(nowMillis, command.views, 0, command.recordBytes)
  const isThere = apiWallets.named(account, name, 0) !== null
  mustHold(!isThere, () => `account ${account} cannot take a key away`)
}

/** Returns the highest nonce that agents of the account have used and the account itself has not. */
function nonceOfAgents({ accounts }: CoreState, account: number): Nonce | null {
  const found: Nonce[] = []
  accounts.agentNonces[account]?.forEach((nonceHigh, nonceLow) => {
    if (!accounts.nonces[account].isBurned(nonceHigh, nonceLow)) found.push({ nonceHigh, nonceLow })
  })
  return found.at(-1) ?? null
}
