/** A scenario of GET /risk/grid, as far as it is shown; fractions and money as texts. */
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

/** Points of a curve: shocks, rising, and profits at them; null where a curve has none. */
export interface RiskCurve {
  readonly shocks: number[]
  /** Of shocks of this kind alone, and of nothing at all. */
  readonly alone: (number | null)[]
  /** Where the other kind is shocked, too. */
  readonly together: (number | null)[]
  /** The worst scenario alone. */
  readonly worst: (number | null)[]
}

/** What a scenario counts in the margin: its weight is part of it. */
export function weighedProfit({ total_pnl, pnl_weight }: GridScenario): number {
  return Number(total_pnl) * Number(pnl_weight)
}

/** The scenario by which most is lost; null where by none is. */
export function worstScenario(scenarios: readonly GridScenario[]): GridScenario | null {
  let worst: GridScenario | null = null
  for (const scenario of scenarios) {
    if (weighedProfit(scenario) < (worst === null ? 0 : weighedProfit(worst))) worst = scenario
  }
  return worst
}

/** Profit against shocks of price, or of volatility; weights are left out: it is what would be lost. */
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
    // Of several that shock the other kind differently the worst is shown.
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

/** A scenario in words: what it moves, and how far. */
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

/** A shock with its sign, without decimals that say nothing. */
export function signedPercent(fraction: number): string {
  const percent = Number((fraction * 100).toPrecision(4))
  return `${percent > 0 ? '+' : ''}${percent}%`
}
