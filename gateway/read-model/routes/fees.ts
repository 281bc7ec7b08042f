import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { Tier, tierNames } from '../../../schemas/domain.js'
import type { FeeSchedule } from '../../../schemas/interface/market.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { bareAnswer } from '../../wire/answers.js'
import { route } from '../../wire/route.js'
import type { ReadRoute } from '../texts/route-context.js'

const decimals = 12

/** Answers GET /fees: the fee schedule, and with `wallet` the fees of that wallet. Tiers do not change them. */
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
    enabled: rates.some((rate) => rate !== 0),
    options: {
      maker_rate: share(fees.makerRate),
      taker_rate: share(fees.takerRate),
      price_cap: share(fees.optionCap),
    },
    perps: { maker_rate: share(fees.perpMakerRate), taker_rate: share(fees.perpTakerRate) },
    settlement: { rate: share(settlement.feeRate), payoff_cap: share(settlement.feeCap) },
    liquidation: { rate: share(liquidation.feeRate) },
    builder: { share: share(fees.builderShare) },
  }
}

/** Formats without an exponent and without trailing zeros. */
function share(value: number): string {
  const text = value.toFixed(decimals).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}
