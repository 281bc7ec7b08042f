import { dataAnswer } from '../../wire/answers.js'
import { mmpConfigJson } from '../../wire/mmp-text.js'
import { readModelEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import type { ReadRoute } from '../texts/route-context.js'
import { frozenUntilAt, windowMicrosAt } from '../views/mmp-views.js'

/**
 * GET /mmp-config: a wallet's protections, of one underlying or of all; sums and freeze as of the latest engine
 * time.
 */
export const mmpConfigRoute: ReadRoute = route(
  readModelEndpoints['GET /mmp-config'],
  ({ wallet, currency: wanted }, context) => {
    const { accounts, market, mmp, seq, timeMillis } = context.views
    const configs = []
    for (const [underlying, view] of mmp.of(accounts.find(wallet))) {
      const currency = market.instruments.underlyingNames[underlying]!
      if (wanted !== null && wanted !== currency) continue
      const frozenUntilMillis = frozenUntilAt(view, timeMillis)
      const windowMicros = windowMicrosAt(view, timeMillis)
      configs.push(mmpConfigJson({ ...view, wallet, currency, frozenUntilMillis, windowMicros }))
    }
    return dataAnswer(configs, seq)
  },
)
