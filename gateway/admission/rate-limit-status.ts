import { RateCategory, rateCategoryNames, tierNames } from '../../schemas/domain.js'
import type { DataOf } from '../../schemas/interface/answer.js'
import type { gatewayReads } from '../../schemas/interface/reads.js'
import { addressKeyOf } from '../limits/address-limits.js'
import type { RateVerdict } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'

type RateLimits = DataOf<(typeof gatewayReads)['GET /rate-limits']>

/**
 * Returns the use of a wallet's windows, and of this client's windows for reads of it. It uses up none of them.
 * @param address bytes of the client. @param wallet lower-case text.
 */
export function rateLimitsOf(
  { limits, nowMillis }: GatewayContext,
  address: Uint8Array,
  wallet: string,
): RateLimits {
  const now = nowMillis()
  const windows = Object.values(RateCategory).map((category) =>
    windowText(category, limits.stateOf(wallet, category, now)),
  )
  const client = addressKeyOf(address)
  const reads = windowText(RateCategory.ApiRequest, limits.readStateOf(client, wallet, now))
  return { wallet, tier: tierNames[limits.directory.tierOf(wallet)], windows, reads }
}

function windowText(
  category: RateCategory,
  { limit, remaining, resetSeconds }: RateVerdict,
): RateLimits['reads'] {
  return { category: rateCategoryNames[category], limit, remaining, reset: resetSeconds }
}
