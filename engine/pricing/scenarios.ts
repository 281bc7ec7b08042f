import { ScenarioKind } from '../../schemas/domain.js'
import {
  choice,
  defaultsOf,
  type EngineValues,
  fraction,
  number,
  shaped,
  under,
} from '../../schemas/parameter.js'

/** One row of a scenario table; shocks are fractions (-0.4: 40 % down). */
export interface Scenario {
  readonly id: string
  readonly kind: ScenarioKind
  readonly spotShift: number
  readonly volShift: number
  readonly skew: number
  readonly kurtosis: number
  /** In thousandths, so that a weighted sum of micros is exact before its one rounding. */
  readonly weightPermille: number
  readonly isTail: boolean
}

/** Shorts and longs that the option floor nets. */
export const FloorNetting = { Instrument: 0, ExpiryRight: 1 } as const
export const floorNettingNames = ['instrument', 'expiry_right'] as const

const noShock = { spotShift: 0, volShift: 0, skew: 0, kurtosis: 0, weightPermille: 1000 } as const

/** Scenarios of `standard`, in the order of the ids. */
export const standardScenarios: readonly Scenario[] = [
  standard('SP1', ScenarioKind.SpotChange, { spotShift: -0.4, weightPermille: 350 }),
  standard('SP2', ScenarioKind.SpotChange, { spotShift: -0.2 }),
  standard('SP3', ScenarioKind.SpotChange, { spotShift: -0.15 }),
  standard('SP4', ScenarioKind.SpotChange, { spotShift: -0.1 }),
  standard('SP5', ScenarioKind.SpotChange, { spotShift: -0.05 }),
  standard('SP6', ScenarioKind.SpotChange, { spotShift: 0.05 }),
  standard('SP7', ScenarioKind.SpotChange, { spotShift: 0.1 }),
  standard('SP8', ScenarioKind.SpotChange, { spotShift: 0.15 }),
  standard('SP9', ScenarioKind.SpotChange, { spotShift: 0.2 }),
  standard('SP10', ScenarioKind.SpotChange, { spotShift: 0.4, weightPermille: 350 }),
  standard('V1', ScenarioKind.VolChange, { volShift: 0.5 }),
  standard('V2', ScenarioKind.VolChange, { volShift: -0.3 }),
  standard('V3', ScenarioKind.VolChange, { spotShift: -0.15, volShift: 0.5 }),
  standard('V4', ScenarioKind.VolChange, { spotShift: 0.15, volShift: 0.5 }),
  standard('SK1', ScenarioKind.SkewChange, { skew: 0.1 }),
  standard('SK2', ScenarioKind.SkewChange, { skew: -0.1 }),
  standard('K1', ScenarioKind.KurtosisChange, { kurtosis: 0.1 }),
  standard('K2', ScenarioKind.KurtosisChange, { kurtosis: -0.1 }),
]

/** Scenarios of `portfolio`; rows 7, 8 and 11 mirror 3, 2 and 10. */
export const portfolioScenarios: readonly Scenario[] = [
  portfolio('1', 0.12, 0.35),
  portfolio('2', 0.08, 0),
  portfolio('3', 0.04, -0.15),
  portfolio('4', 0, 0.35),
  portfolio('5', 0, 0),
  portfolio('6', 0, -0.15),
  portfolio('7', -0.04, -0.15),
  portfolio('8', -0.08, 0),
  portfolio('9', -0.12, 0.45),
  portfolio('10', 0.12, 0),
  portfolio('11', -0.12, 0),
  portfolio('12', 0.08, 0.25),
  portfolio('13', -0.08, 0.35),
  portfolio('T1', -0.25, 0.7, 600),
  portfolio('T2', 0.25, 0.55, 600),
  portfolio('T3', -0.4, 0.9, 350),
  portfolio('T4', 0.4, 0.7, 350),
]

const factor = [0, 100, 'times'] as const

export const riskTable = {
  ...under(
    'risk.standard',
    { scenarios: shaped('scenarios', standardScenarios, 'scenario rows of the standard model') },
    'standard',
  ),
  ...under(
    'risk.portfolio',
    { scenarios: shaped('scenarios', portfolioScenarios, 'scenario rows of the portfolio model') },
    'portfolio',
  ),
  ...under('risk.standard', {
    imFactor: number(1, factor, 'initial margin per scanned loss'),
    mmFactor: number(0.8, factor, 'maintenance margin per scanned loss'),
    shortMinimumIm: number(0.1, fraction, 'initial minimum of an uncovered short'),
    shortMinimumMm: number(0.075, fraction, 'maintenance minimum of an uncovered short'),
  }),
  ...under('risk', {
    volFloor: number(0.01, fraction, 'lowest shocked volatility'),
    zClip: number(3, [0.1, 10, 'times'], 'bound of the standardised moneyness'),
  }),
  ...under('risk.portfolio', {
    mmRatio: number(0.8, fraction, 'maintenance per initial margin'),
    optionFloorFactor: number(0.015, fraction, 'option floor per short notional'),
    gammaOverlayFactor: number(0.01, fraction, 'overlay per short notional'),
    overlayHours: number(48, [0, 8760, 'hours'], 'time to expiry of the overlay'),
    floorNetting: choice('instrument', floorNettingNames, 'positions that the option floor nets'),
  }),
  ...under(
    'risk.perp',
    {
      initialFraction: number(0.1, fraction, 'initial margin per notional'),
      maintenanceFraction: number(0.05, fraction, 'maintenance margin per notional'),
    },
    'perp',
  ),
}

export type RiskParameters = EngineValues<typeof riskTable>
export const riskParametersDefault = defaultsOf(riskTable)

/** Differences of a scenario from no shock at all. */
type Shock = Partial<Omit<Scenario, 'id' | 'kind' | 'isTail'>>

function standard(id: string, kind: ScenarioKind, shock: Shock): Scenario {
  return { id, kind, ...noShock, ...shock, isTail: false }
}

// The kind of a grid row is that of its spot shock, if it has one. Only tail rows weigh less than 1.
function portfolio(
  id: string,
  spotShift: number,
  volShift: number,
  weightPermille = 1000,
): Scenario {
  const kind = spotShift === 0 ? ScenarioKind.VolChange : ScenarioKind.SpotChange
  const isTail = weightPermille < 1000
  return { id, kind, spotShift, volShift, skew: 0, kurtosis: 0, weightPermille, isTail }
}
