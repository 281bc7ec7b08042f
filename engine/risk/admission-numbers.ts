import { detailsCount } from '../../schemas/bounds.js'
import { MarginModelKind, Side, Tier } from '../../schemas/domain.js'
import { marginDetails } from '../../schemas/results.js'
import type { PriceBand } from '../pricing/price-bands.js'
import type { Scenario } from '../pricing/scenarios.js'
import { AdmissionCheck, type CheckNumbers, type MarginFacts } from './admission-trace.js'
import type { JudgedOrder } from './judged-order.js'
import { BookView, type MarginBound } from './margin-model.js'
import type { RiskLedger } from './risk-ledger.js'
import { RiskReduction } from './risk-reduction.js'
import { type WalletMargin, WalletSums } from './wallet-margin.js'

/**
 * Values that the checks of an ordinary order compare: the worst over the fill states of the wallet's risk-reducing
 * orders.
 */
export class WorstState {
  /** Equity less reserves and initial margin. */
  slackMicros = 0
  /** Premium that the working buys reserve; the same in every state. */
  premiumMicros = 0
  uncoveredLots = 0
  lacksMark = false

  clear(): void {
    this.slackMicros = Number.POSITIVE_INFINITY
    this.uncoveredLots = 0
    this.lacksMark = false
  }
}

/** State of an admission at one of its checks. Only built for a trace. */
export interface CheckContext {
  readonly order: JudgedOrder
  readonly ledger: RiskLedger
  readonly margin: WalletMargin
  /** Valid from the price band check on. */
  readonly band: PriceBand
  /** Valid after the price band check. */
  readonly worst: WorstState
  /** Writes the details of `InsufficientMargin`. */
  readonly writeMarginDetails: (details: Float64Array) => void
}

const numbersByCheck: Readonly<
  Partial<Record<AdmissionCheck, (context: CheckContext) => CheckNumbers | null>>
> = {
  [AdmissionCheck.Funds]: ({ ledger, order }) => ({
    unit: 'micros',
    has: ledger.cashMicros[order.request.account],
    needs: 1,
    reducesRisk: isAdmitted(order),
  }),
  [AdmissionCheck.Tier]: tierNumbers,
  [AdmissionCheck.PriceBand]: bandNumbers,
  [AdmissionCheck.Cash]: cashNumbers,
  [AdmissionCheck.NakedShorts]: ({ ledger, order, worst }) => {
    const kind = ledger.modelKind[order.request.account]
    if (kind !== MarginModelKind.DefinedRisk) return null
    return { unit: 'lots', has: worst.uncoveredLots, limit: 0, reducesRisk: isAdmitted(order) }
  },
  [AdmissionCheck.Margin]: marginNumbers,
}

/** Returns the values that a check compares at that point, or null if it compares no numbers. */
export function numbersOf(check: AdmissionCheck, context: CheckContext): CheckNumbers | null {
  return numbersByCheck[check]?.(context) ?? null
}

function isAdmitted({ riskReduction }: JudgedOrder): boolean {
  return riskReduction === RiskReduction.Admitted
}

function tierNumbers({ ledger, order }: CheckContext): CheckNumbers | null {
  const { account, side, sizeLots } = order.request
  if (ledger.tier[account] !== Tier.Tier1 || side === Side.Buy) return null
  const longLots = Math.max(0, ledger.exposures.positionLots[order.exposure])
  return { unit: 'lots', has: order.workingLots(Side.Sell) + sizeLots, limit: longLots }
}

function bandNumbers({ band, ledger, order }: CheckContext): CheckNumbers | null {
  const { instrument, priceMicros, side } = order.request
  const { marks, options } = ledger
  const isBound = options.bands?.enabled === true && !order.isPerp
  if (!isBound || !(marks.markMicros[instrument] >= 0)) return null
  const price = { unit: 'micros', has: priceMicros } as const
  return side === Side.Buy
    ? { ...price, limit: band.upperMicros }
    : { ...price, needs: band.lowerMicros }
}

function cashNumbers({ ledger, order, worst }: CheckContext): CheckNumbers | null {
  const { account, side } = order.request
  if (side !== Side.Buy || ledger.modelKind[account] === MarginModelKind.Portfolio) return null
  const has = ledger.cashMicros[account]
  return { unit: 'micros', has, needs: worst.premiumMicros, reducesRisk: isAdmitted(order) }
}

function marginNumbers(context: CheckContext): CheckNumbers {
  const details = new Float64Array(detailsCount)
  context.writeMarginDetails(details)
  const [needs, has] = details as unknown as readonly [number, number]
  const reducesRisk = isAdmitted(context.order)
  return { unit: 'micros', has, needs, reducesRisk, margin: factsOf(context, details) }
}

function factsOf({ ledger, margin, order }: CheckContext, details: Float64Array): MarginFacts {
  const { account } = order.request
  const view = new BookView()
  const sums = new WalletSums()
  order.view(true, view)
  view.exposure = order.exposure
  margin.sum(account, view, sums)
  const { changed, requirement } = sums
  const { kind } = ledger.modelOf(account)
  const isPortfolio = kind === MarginModelKind.Portfolio
  const ownMicros = isPortfolio ? 0 : changed.imMicros
  return {
    ...{ model: kind, details, bound: details[marginDetails.bound] as MarginBound },
    scenario: scenarioOf(ledger, kind, changed.scenario),
    lossMicros: details[marginDetails.scenarioLoss],
    underlyingMicros: ownMicros,
    otherUnderlyingsMicros: requirement.imMicros - ownMicros - sums.perpImMicros,
    premiumMicros: order.premiumWith(sums),
    slippageMicros: order.slippageWith(sums),
    perpsMicros: sums.perpImMicros,
    scanningMicros: requirement.scanningMicros,
    floorMicros: requirement.floorMicros,
    overlayMicros: requirement.overlayMicros,
    stateCount: 1 << ledger.riskReducing.count[account],
  }
}

function scenarioOf(
  { parameters }: RiskLedger,
  kind: MarginModelKind,
  index: number,
): Scenario | null {
  if (kind === MarginModelKind.DefinedRisk || index < 0) return null
  const isStandard = kind === MarginModelKind.Standard
  const table = isStandard ? parameters.standardScenarios : parameters.portfolioScenarios
  return table[index]
}
