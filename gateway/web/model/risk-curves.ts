/** Shown fields of a scenario of GET /risk/grid. Fractions and amounts are texts. */
export interface GridScenario {
  readonly id: string
  readonly kind: string
  readonly spot_shock_pct: string
  readonly vol_shock_pct: string
  readonly skew_shock: string
  readonly kurtosis_shock: string
  readonly pnl_weight: string
  readonly total_pnl: string
}

/** Points of a curve: ascending shocks with profits; null if a curve has no point there. */
export interface RiskCurve {
  readonly shocks: number[]
  /** Profits with shocks of this kind alone, and without any shock. */
  readonly alone: (number | null)[]
  /** Profits with shocks of the other kind, too. */
  readonly together: (number | null)[]
  /** Profit of the worst scenario only. */
  readonly worst: (number | null)[]
}

/** Returns the weighted profit of a scenario, as the margin counts it. */
export function weighedProfit({ total_pnl, pnl_weight }: GridScenario): number {
  return Number(total_pnl) * Number(pnl_weight)
}

/** Returns the scenario with the largest loss; null if none has a loss. */
export function worstScenario(scenarios: readonly GridScenario[]): GridScenario | null {
  let worst: GridScenario | null = null
  for (const scenario of scenarios) {
    if (weighedProfit(scenario) < (worst === null ? 0 : weighedProfit(worst))) worst = scenario
  }
  return worst
}

/** Returns the profit over shocks of price or volatility. It is unweighted, so it is the real profit or loss. */
export function riskCurve(
  scenarios: readonly GridScenario[],
  of: 'price' | 'volatility',
): RiskCurve {
  const isOfShape = ({ skew_shock, kurtosis_shock }: GridScenario) =>
    Number(skew_shock) !== 0 || Number(kurtosis_shock) !== 0
  const shockOf = ({ spot_shock_pct, vol_shock_pct }: GridScenario) => {
    const shocks = [Number(spot_shock_pct), Number(vol_shock_pct)] as const
    return of === 'price' ? shocks : ([shocks[1], shocks[0]] as const)
  }
  const worst = worstScenario(scenarios)
  const alone = new Map<number, number>([[0, 0]])
  const together = new Map<number, number>()
  const marked = new Map<number, number>()
  for (const scenario of scenarios) {
    if (scenario.kind === 'SkewChange' || scenario.kind === 'KurtosisChange') continue
    if (isOfShape(scenario)) continue
    const [shock, other] = shockOf(scenario)
    const profit = Number(scenario.total_pnl)
    const target = other === 0 ? alone : together
    // If several scenarios shock the other kind differently, the worst is shown.
    target.set(shock, Math.min(profit, other === 0 ? profit : (together.get(shock) ?? profit)))
    if (scenario === worst) marked.set(shock, profit)
  }
  const shocks = [...new Set([...alone.keys(), ...together.keys()])].sort((one, two) => one - two)
  const pointsOf = (points: ReadonlyMap<number, number>) =>
    shocks.map((shock) => points.get(shock) ?? null)
  return {
    shocks,
    ...{ alone: pointsOf(alone), together: pointsOf(together), worst: pointsOf(marked) },
  }
}

/** Describes the shocks of a scenario. */
export function scenarioWords(scenario: GridScenario): string {
  const parts = (
    [
      ['price', scenario.spot_shock_pct],
      ['volatility', scenario.vol_shock_pct],
    ] as const
  )
    .filter(([, shock]) => Number(shock) !== 0)
    .map(([name, shock]) => `${name} ${signedPercent(Number(shock))}`)
  if (Number(scenario.skew_shock) !== 0) parts.push(`skew ${scenario.skew_shock}`)
  if (Number(scenario.kurtosis_shock) !== 0) parts.push(`kurtosis ${scenario.kurtosis_shock}`)
  if (parts.length > 0) return parts.join(', ')
  return scenario.kind === 'SkewChange' ? 'skew' : 'kurtosis'
}

/** Formats a shock with its sign, to four significant figures. */
export function signedPercent(fraction: number): string {
  const percent = Number((fraction * 100).toPrecision(4))
  return `${percent > 0 ? '+' : ''}${percent}%`
}
