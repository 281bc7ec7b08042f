import { Tier } from '../../../schemas/domain.js'
import { tierView } from '../../wire/tier-text.js'
import { walletRoute } from '../texts/route-context.js'

/** GET /user-tier; a wallet never seen has the default tier. */
export const userTierRoute = walletRoute((wallet, { views, config }) => {
  const { accounts } = views
  const account = accounts.find(wallet)
  const tier = account < 0 ? Tier.Default : accounts.risk.tier[account]
  return tierView(wallet, tier as Tier, config.engine.tiers)
})
