import { formatAddress } from '../../../schemas/wallet.js'
import { type Answer, dataAnswer, Envelope, refusedAnswer } from '../answers.js'
import type { QueryReader } from '../query-reader.js'
import type { RouteContext } from '../route-context.js'
import { frozenUntilAt, windowMicrosAt } from '../views/mmp-views.js'
import { mmpConfigJson } from './mmp-text.js'

/**
 * GET /mmp-config: a wallet's protections, of one underlying or of all; sums and freeze as of the latest engine
 * time.
 */
export function mmpConfigRoute(query: QueryReader, context: RouteContext): Answer {
  const wallet = formatAddress(query.wallet('wallet'), 0)
  const wanted = query.text('currency')
  if (query.refusal !== null) return refusedAnswer(Envelope.Data, query.refusal)
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
}
