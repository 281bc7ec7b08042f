import { signal } from '@preact/signals'
import type { Answers } from '../../client/generated/interface.js'
import { agentFault } from '../model/agent-form.js'
import { shortAddress } from '../model/numbers.js'
import { tell } from './notices.js'
import { gathered } from './periodic.js'
import { session } from './session.js'

/** Agents that may sign for the wallet. */
export interface ApprovedAgents {
  /** Addresses in the order of their approval. */
  readonly agents: readonly string[]
  /** Named agents, approved by a directive. They sign trading directives. */
  readonly api_wallets: readonly { readonly name: string; readonly address: string }[]
}

export const agents = signal<ApprovedAgents | null>(null)
/** Text of the address input. */
export const agentText = signal('')

export async function loadAgents(): Promise<void> {
  const client = session.value?.client
  const query = { wallet: client?.wallet }
  const answer =
    client === undefined
      ? null
      : await client.rest.request<ApprovedAgents>('GET', '/authorized-agents', { query })
  if (session.value?.client === client) agents.value = answer
}

/** Reloads the agents after an action. A failed reload is not reported as a failure of the action. */
const refresh = gathered(0, loadAgents)

export async function approveAgent(): Promise<void> {
  const { client } = session.value!
  const agent = agentText.value.trim()
  const fault = agentFault(agent, client.wallet, agents.value?.agents ?? [])
  if (fault !== null) throw new Error(fault)
  checkOwner(await client.account.approveAgent({ agent }))
  agentText.value = ''
  tell(`Agent ${shortAddress(agent)} approved`, 'good')
  refresh()
}

export async function revokeAgent(agent: string): Promise<void> {
  checkOwner(await session.value!.client.account.revokeAgent({ agent }))
  tell(`Agent ${shortAddress(agent)} revoked`)
  refresh()
}

export async function revokeAllAgents(): Promise<void> {
  checkOwner(await session.value!.client.account.revokeAllAgents())
  tell('All agents revoked')
  refresh()
}

/** Checks the wallet that the venue recovered. A signature for another domain recovers another address. */
function checkOwner({ wallet }: Answers['POST /approve-agent']): void {
  const own = session.value?.client.wallet ?? ''
  if (wallet.toLowerCase() !== own) throw new Error(`The venue recovered another signer, ${wallet}`)
}
