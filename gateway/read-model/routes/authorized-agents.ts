import { bareAnswer, Envelope } from '../../wire/answers.js'
import { route } from '../../wire/route.js'
import type { ReadRoute } from '../texts/route-context.js'

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
