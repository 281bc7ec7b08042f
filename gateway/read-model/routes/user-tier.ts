import type { TierLimits } from '../../../engine/state/engine-config.js'
import { Tier, tierNames } from '../../../schemas/domain.js'
import { walletRoute } from '../route-context.js'

/** GET /user-tier; a wallet never seen has the default tier. */
export const userTierRoute = walletRoute((wallet, { views, config }) => {
  const { accounts } = views
  const account = accounts.find(wallet)
  const tier = account < 0 ? Tier.Default : accounts.risk.tier[account]
  return tierView(wallet, tier as Tier, config.engine.tiers)
})

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
