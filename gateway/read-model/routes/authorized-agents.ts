import { formatAddress } from '../../../schemas/wallet.js'
import { type Answer, bareAnswer, Envelope, refusedAnswer } from '../answers.js'
import type { QueryReader } from '../query-reader.js'
import type { RouteContext } from '../route-context.js'

/**
 * GET /authorized-agents: agents in the order of their approval.
 */
export function authorizedAgentsRoute(query: QueryReader, context: RouteContext): Answer {
  const wallet = formatAddress(query.wallet('wallet'), 0)
  if (query.refusal !== null) return refusedAnswer(Envelope.Bare, query.refusal)
  const { accounts, seq } = context.views
  return bareAnswer({ agents: [...accounts.agentsOf(wallet)] }, seq)
}
