import { signal } from '@preact/signals'
import type { Answers } from '../../client/generated/interface.js'
import { agentFault } from '../model/agent-form.js'
import { shortAddress } from '../model/numbers.js'
import { tell } from './notices.js'
import { gathered } from './periodic.js'
import { session } from './session.js'

/** Who may sign for the wallet. */
export interface AgentsTold {
  /** In the order of their approval. */
  readonly agents: readonly string[]
  /** Approved by a directive, under a name: they sign directives for trading. */
  readonly api_wallets: readonly { readonly name: string; readonly address: string }[]
}

export const agents = signal<AgentsTold | null>(null)
/** The address that is being written. */
export const agentText = signal('')

export async function loadAgents(): Promise<void> {
  const client = session.value?.client
  const query = { wallet: client?.wallet }
  const told =
    client === undefined
      ? null
      : await client.rest.request<AgentsTold>('GET', '/authorized-agents', { query })
  if (session.value?.client === client) agents.value = told
}

/** What an act has changed is there soon; that it cannot be asked for is no fault of the act. */
const refresh = gathered(0, loadAgents)

export async function approveAgent(): Promise<void> {
  const { client } = session.value!
  const agent = agentText.value.trim()
  const fault = agentFault(agent, client.wallet, agents.value?.agents ?? [])
  if (fault !== null) throw new Error(fault)
  checkOwner(await client.account.approveAgent({ agent }))
  agentText.value = ''
  tell(`${shortAddress(agent)} may trade for the wallet`, 'good')
  refresh()
}

export async function revokeAgent(agent: string): Promise<void> {
  checkOwner(await session.value!.client.account.revokeAgent({ agent }))
  tell(`${shortAddress(agent)} may trade for the wallet no more`)
  refresh()
}

export async function revokeAllAgents(): Promise<void> {
  checkOwner(await session.value!.client.account.revokeAllAgents())
  tell('Nobody else may trade for the wallet any more')
  refresh()
}

/** What was signed for another domain is somebody else's word to the venue. */
function checkOwner({ wallet }: Answers['POST /approve-agent']): void {
  const own = session.value?.client.wallet ?? ''
  if (wallet.toLowerCase() !== own) throw new Error(`The venue took it for a word of ${wallet}`)
}
