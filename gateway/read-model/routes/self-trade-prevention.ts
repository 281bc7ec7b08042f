import { selfTradeModeNames } from '../../../schemas/domain.js'
import { walletRoute } from '../texts/route-context.js'

/** GET /self-trade-prevention; a wallet never seen has the default mode. */
export const selfTradePreventionRoute = walletRoute((wallet, { views: { accounts } }) => {
  const mode = selfTradeModeNames[accounts.selfTradeModeOf(accounts.find(wallet))]
  return { wallet, mode }
})
