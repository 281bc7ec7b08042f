import { accountWrites } from './account.js'
import { moneyWrites } from './money.js'
import { ordersWrites } from './orders.js'
import { perpsWrites } from './perps.js'
import { pushWrites } from './push.js'
import { referralsWrites } from './referrals.js'
import { rfqWrites } from './rfq.js'
import { riskWrites } from './risk.js'

/** Every write of the public interface. */
export const writes = {
  ...ordersWrites,
  ...perpsWrites,
  ...rfqWrites,
  ...accountWrites,
  ...moneyWrites,
  ...riskWrites,
  ...referralsWrites,
  ...pushWrites,
}
export type WriteKey = keyof typeof writes
