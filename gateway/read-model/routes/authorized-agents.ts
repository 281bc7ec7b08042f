import { readModelEndpoints } from '../../endpoints/read-endpoints.js'
import { bareAnswer } from '../answers.js'
import { route } from '../route.js'
import type { ReadRoute } from '../route-context.js'

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
