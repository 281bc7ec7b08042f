import { floorNettingNames, type Scenario } from '../../../engine/pricing/scenarios.js'
import type { MarginModel } from '../../../engine/risk/margin-model.js'
import { valueMicros } from '../../../engine/risk/money.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { MarginModelKind, marginModelNames, scenarioKindNames } from '../../../schemas/domain.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import type { RiskGrid } from '../../../schemas/interface/risk.js'
import { formatNumber } from '../../../schemas/number-text.js'
import { dataAnswer } from '../../wire/answers.js'
import { route } from '../../wire/route.js'
import { markMicrosOf } from '../texts/market-text.js'
import { marginOf, positionRows } from '../texts/portfolio-text.js'
import type { ReadRoute, RouteContext } from '../texts/route-context.js'

/** Position, and its profit in each scenario. */
type HeldRow = {
  readonly symbol: string
  readonly underlying: string
  readonly amount: string
  readonly base_amount: string
  readonly current_value: string
  readonly scenario_pnls: string[]
}

/** A wallet's positions in one underlying under every scenario of its model. */
interface Grid {
  readonly scenarios: readonly Scenario[]
  readonly instruments: readonly HeldRow[]
  /** By scenario, micros, without the weight. */
  readonly totalMicros: Float64Array
}

/**
 * Answers GET /risk/grid. Every listed underlying has its scenarios, even without a position; a model without scenarios
 * has none. Perps are only in the matrix of the portfolio model, because the others margin them separately.
 */
export const riskGridRoute: ReadRoute = route(viewReads['GET /risk/grid'], ({ wallet }, context) =>
  dataAnswer(riskOf(wallet, context), context.views.seq),
)

function riskOf(wallet: string, context: RouteContext): RiskGrid {
  const { views } = context
  const account = views.accounts.find(wallet)
  const summary = marginOf(views, account)
  return {
    model: marginModelNames[modelOf(context, account).kind],
    parameters: parametersOf(context),
    equity: formatMicros(summary.equity),
    position_initial_margin: formatMicros(summary.positionIm),
    position_maintenance_margin: formatMicros(summary.positionMm),
    open_orders_initial_margin: formatMicros(summary.openOrdersIm),
    total_initial_margin: formatMicros(summary.totalMarginUsed),
    scanning_risk: formatMicros(summary.scanningRisk),
    option_floor: formatMicros(summary.optionFloor),
    gamma_overlay: formatMicros(summary.gammaOverlay),
    underlyings: underlyingsOf(context, account),
  }
}

function modelOf({ views, config }: RouteContext, account: number): MarginModel {
  const { risk } = views.accounts
  if (account >= 0) return risk.modelOf(account)
  const { DefinedRisk, Standard } = MarginModelKind
  return risk.models[config.engine.standardIsDefinedRisk ? DefinedRisk : Standard]!
}

function parametersOf({ config }: RouteContext) {
  const { risk } = config.engine
  return {
    im_factor: risk.imFactor,
    mm_factor: risk.mmFactor,
    short_minimum_im: risk.shortMinimumIm,
    short_minimum_mm: risk.shortMinimumMm,
    vol_floor: risk.volFloor,
    z_clip: risk.zClip,
    mm_ratio: risk.mmRatio,
    option_floor_factor: risk.optionFloorFactor,
    gamma_overlay_factor: risk.gammaOverlayFactor,
    overlay_hours: risk.overlayHours,
    floor_netting: floorNettingNames[risk.floorNetting],
    perp_initial_fraction: risk.perpInitialFraction,
    perp_maintenance_fraction: risk.perpMaintenanceFraction,
  }
}

function underlyingsOf(context: RouteContext, account: number) {
  const { instruments } = context.views.market
  const { exposures } = context.views.accounts.risk
  const hasPerps = modelOf(context, account).kind === MarginModelKind.Portfolio
  const rows = positionRows(context.views, account).filter(
    (row) => hasPerps || !instruments.isPerp(exposures.instrument[row]),
  )
  return instruments.underlyingNames.flatMap((name, underlying) => {
    if (instruments.ofUnderlying[underlying]!.length === 0) return []
    const held = rows.filter(
      (row) => instruments.underlying[exposures.instrument[row]] === underlying,
    )
    return [underlyingText(name, gridOf(context, account, name, held))]
  })
}

function gridOf(
  context: RouteContext,
  account: number,
  underlying: string,
  rows: readonly number[],
): Grid {
  const { market, accounts } = context.views
  const { exposures } = accounts.risk
  const model = modelOf(context, account)
  const scenarios = scenariosOf(context, model)
  const totalMicros = new Float64Array(scenarios.length)
  const instruments = rows.map((row): HeldRow => {
    const id = exposures.instrument[row]
    const lots = exposures.positionLots[row]
    const markMicros = markMicrosOf(market, id)
    const deltas = model.deltasOf(id)
    const amount = formatLots(lots)
    const pnls = scenarios.map((_, index) => {
      // Without a mark a position counts as 0 in every scenario, as in the margin.
      const delta = Number.isNaN(markMicros) ? 0 : deltas[id * scenarios.length + index]
      const pnlMicros = valueMicros(delta, lots)
      totalMicros[index] += pnlMicros
      return formatMicros(pnlMicros)
    })
    const value = Number.isNaN(markMicros) ? 0 : valueMicros(markMicros, lots)
    return {
      symbol: market.symbols[id]!,
      underlying,
      amount,
      base_amount: amount,
      current_value: formatMicros(value),
      scenario_pnls: pnls,
    }
  })
  return { scenarios, instruments, totalMicros }
}

function scenariosOf({ config }: RouteContext, { kind }: MarginModel): readonly Scenario[] {
  const { standardScenarios, portfolioScenarios } = config.engine.risk
  if (kind === MarginModelKind.DefinedRisk) return []
  return kind === MarginModelKind.Portfolio ? portfolioScenarios : standardScenarios
}

function underlyingText(underlying: string, { scenarios, instruments, totalMicros }: Grid) {
  const totals = Array.from(totalMicros, formatMicros)
  const definitions = scenarios.map(definitionOf)
  const worst = instruments.length === 0 ? -1 : worstOf(scenarios, totalMicros)
  return {
    underlying,
    scenarios: definitions.map((row, index) => ({ ...row, total_pnl: totals[index]! })),
    extended_risk_matrix: {
      scenarios: definitions,
      instruments,
      total_pnls: totals,
      worst_scenario_index: Math.max(0, worst),
      worst_scenario_pnl: worst < 0 ? '0' : totals[worst]!,
    },
  }
}

function definitionOf(scenario: Scenario) {
  return {
    id: scenario.id,
    kind: scenarioKindNames[scenario.kind],
    spot_shock_pct: formatNumber(scenario.spotShift),
    vol_shock_pct: formatNumber(scenario.volShift),
    skew_shock: formatNumber(scenario.skew),
    kurtosis_shock: formatNumber(scenario.kurtosis),
    pnl_weight: formatNumber(scenario.weightPermille / 1000),
    is_tail: scenario.isTail,
  }
}

/** Returns the index of the smallest weighted profit, the first of equal ones; -1 without scenarios. */
function worstOf(scenarios: readonly Scenario[], totalMicros: Float64Array): number {
  let worst = -1
  let least = Number.POSITIVE_INFINITY
  for (const [index, { weightPermille }] of scenarios.entries()) {
    const weighted = totalMicros[index] * weightPermille
    if (weighted >= least) continue
    least = weighted
    worst = index
  }
  return worst
}
