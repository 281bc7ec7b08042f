import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { Tier, tierNames } from '../../../schemas/domain.js'
import type { FeeSchedule } from '../../../schemas/interface/market.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { bareAnswer } from '../../wire/answers.js'
import { route } from '../../wire/route.js'
import type { ReadRoute } from '../texts/route-context.js'

const decimals = 12

/** GET /fees: what everybody pays, and with `wallet` what that one does, which no tier changes. */
export const feesRoute: ReadRoute = route(
  viewReads['GET /fees'],
  ({ wallet }, { views, config }) => {
    const schedule = scheduleOf(config.engine)
    if (wallet === null) return bareAnswer(schedule, views.seq)
    const { accounts } = views
    const account = accounts.find(wallet)
    const tier = account < 0 ? Tier.Default : accounts.risk.tier[account]!
    const { options, perps, settlement, liquidation } = schedule
    const applied = {
      wallet,
      tier: tierNames[tier as Tier],
      options,
      perps,
      settlement,
      liquidation,
    }
    return bareAnswer({ ...schedule, applied }, views.seq)
  },
)

function scheduleOf({ fees, settlement, liquidation }: EngineConfig): FeeSchedule {
  const rates = [
    ...[fees.makerRate, fees.takerRate, fees.perpMakerRate, fees.perpTakerRate],
    ...[settlement.feeRate, liquidation.feeRate],
  ]
  return {
    /** Whether anything is charged at all. */
    enabled: rates.some((rate) => rate !== 0),
    /** Of the index, per contract; at most the cap's share of the price. */
    options: {
      maker_rate: share(fees.makerRate),
      taker_rate: share(fees.takerRate),
      price_cap: share(fees.optionCap),
    },
    /** Of the price. */
    perps: { maker_rate: share(fees.perpMakerRate), taker_rate: share(fees.perpTakerRate) },
    /** Of the settlement price, per contract in the money; at most the cap's share of the payoff. */
    settlement: { rate: share(settlement.feeRate), payoff_cap: share(settlement.feeCap) },
    /** Of the index, per contract that a liquidation order takes; to the insurance fund. */
    liquidation: { rate: share(liquidation.feeRate) },
    /** Of a trading fee, to the builder whom the order names. */
    builder: { share: share(fees.builderShare) },
  }
}

/** Without an exponent, and without zeros at the end. */
function share(value: number): string {
  const text = value.toFixed(decimals).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}
