import { selfTradeModeNames } from '../../../schemas/domain.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { type Answer, dataAnswer, Envelope, refusedAnswer } from '../answers.js'
import type { QueryReader } from '../query-reader.js'
import type { RouteContext } from '../route-context.js'

/** GET /self-trade-prevention; a wallet never seen has the default mode. */
export function selfTradePreventionRoute(query: QueryReader, context: RouteContext): Answer {
  const wallet = formatAddress(query.wallet('wallet'), 0)
  if (query.refusal !== null) return refusedAnswer(Envelope.Data, query.refusal)
  const { accounts, seq } = context.views
  const mode = selfTradeModeNames[accounts.selfTradeModeOf(accounts.find(wallet))]
  return dataAnswer({ wallet, mode }, seq)
}
