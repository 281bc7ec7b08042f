import type { TierLimits } from '../../engine/state/market/engine-config.js'
import { type Tier, tierNames } from '../../schemas/domain.js'
import type { UserTier } from '../../schemas/interface/account.js'

/** Returns a wallet's tier and limits for clients; -1 means unlimited. */
export function tierView(wallet: string, tier: Tier, tiers: readonly TierLimits[]): UserTier {
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
