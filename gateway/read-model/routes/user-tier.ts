import type { TierLimits } from '../../../engine/state/engine-config.js'
import { Tier, tierNames } from '../../../schemas/domain.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { type Answer, dataAnswer, Envelope, refusedAnswer } from '../answers.js'
import type { QueryReader } from '../query-reader.js'
import type { RouteContext } from '../route-context.js'

/** GET /user-tier; a wallet never seen has the default tier. */
export function userTierRoute(query: QueryReader, context: RouteContext): Answer {
  const wallet = formatAddress(query.wallet('wallet'), 0)
  if (query.refusal !== null) return refusedAnswer(Envelope.Data, query.refusal)
  const { accounts, seq } = context.views
  const account = accounts.find(wallet)
  const tier = account < 0 ? Tier.Default : accounts.risk.tier[account]
  return dataAnswer(tierView(wallet, tier as Tier, context.config.engine.tiers), seq)
}

/** A wallet's tier and its limits as clients read them; -1 is unlimited. */
export function tierView(wallet: string, tier: Tier, tiers: readonly TierLimits[]) {
  const limits = tiers[tier]!
  return {
    wallet_address: wallet,
    tier: tierNames[tier],
    limits: {
      max_open_orders: limits.openOrdersMax,
      max_open_positions: limits.positionsMax,
      orders_per_minute: limits.ordersPerMinute,
      cancels_per_minute: limits.cancelsPerMinute,
      api_requests_per_minute: limits.requestsPerMinute,
    },
  }
}
