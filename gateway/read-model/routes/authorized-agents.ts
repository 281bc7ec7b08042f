import { bareAnswer, Envelope } from '../answers.js'
import { route } from '../route.js'
import type { ReadRoute } from '../route-context.js'

/**
 * GET /authorized-agents: agents in the order of their approval.
 */
export const authorizedAgentsRoute: ReadRoute = route(
  Envelope.Bare,
  (query) => query.wallet(),
  (wallet, context) => {
    const { accounts, seq } = context.views
    return bareAnswer({ agents: [...accounts.agentsOf(wallet)] }, seq)
  },
)
