import { bareAnswer } from '../../wire/answers.js'
import { readModelEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import type { ReadRoute } from '../texts/route-context.js'

/**
 * GET /authorized-agents: agents in the order of their approval.
 */
export const authorizedAgentsRoute: ReadRoute = route(
  readModelEndpoints['GET /authorized-agents'],
  ({ wallet }, context) => {
    const { accounts, seq } = context.views
    return bareAnswer({ agents: [...accounts.agentsOf(wallet)] }, seq)
  },
)
