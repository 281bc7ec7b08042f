import { scenariosPerModel } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import type { Scenario } from '../pricing/scenarios.js'
import type { BookView } from './margin-model.js'
import { isMarked, markOf } from './mark-view.js'
import { moveValues, Part, SizeMove, valueMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'
import type { UncoveredShorts } from './uncovered-shorts.js'

/** The binding scenario and its loss before the weight; negative for a profit. */
export class WorstScenario {
  index = 0
  lossMicros = 0
}

/** Common part of the models with scenarios. */
export abstract class ScenarioModel {
  readonly scenarioCount: number
  /** Weights of the scenario table in permille, in one array for the loops over them. */
  readonly weights: Float64Array
  /** Latest result of the functions below. */
  readonly worst = new WorstScenario()
  readonly ledger: RiskLedger

  constructor(ledger: RiskLedger, scenarios: readonly Scenario[]) {
    this.ledger = ledger
    this.scenarioCount = scenarios.length
    this.weights = Float64Array.from(scenarios, ({ weightPermille }) => weightPermille)
  }

  /** Returns the risk arrays of the model, row-major by instrument. Only the row of `instrument` is current. */
  abstract deltasOf(instrument: number): Float64Array
}

/**
 * Writes the largest weighted loss over the scenarios, E + O: positions plus the worst subset of working sells. The
 * bucket's sums must be current. The first of equal losses wins. The caller applies the weight, because it rounds once.
 */
export function findWorst(model: ScenarioModel, bucket: number, view: BookView): void {
  const { ledger, weights, worst: out } = model
  const { positionPnl, sellLoss } = ledger.buckets
  const { withSells } = view
  const from = ledger.buckets.scenariosAt(bucket)
  const isChanged = changesLoss(ledger, bucket, view)
  if (isChanged) computeChange(model, view)
  let worst = Number.NEGATIVE_INFINITY
  let worstIndex = 0
  let worstLoss = 0
  for (let j = 0; j < weights.length; j++) {
    let loss = -positionPnl[from + j]
    if (withSells) loss += sellLoss[from + j]
    if (isChanged) loss += change[j]
    const weighted = loss * weights[j]
    if (weighted <= worst) continue
    worst = weighted
    worstIndex = j
    worstLoss = loss
  }
  out.index = worstIndex
  out.lossMicros = worstLoss + 0
}

/** `findWorst` for one position as if it were the whole book. A profit in every scenario is a loss of 0. */
export function findWorstAlone(model: ScenarioModel, exposure: number): void {
  const { ledger, weights, worst: out } = model
  const instrument = ledger.exposures.instrument[exposure]
  const position = ledger.exposures.positionLots[exposure]
  out.index = 0
  out.lossMicros = 0
  if (!(markOf(ledger.marks, instrument) >= 0)) return
  const deltas = model.deltasOf(instrument)
  const at = instrument * weights.length
  let worst = 0
  for (let j = 0; j < weights.length; j++) {
    const loss = -valueMicros(deltas[at + j], position)
    const weighted = loss * weights[j]
    if (weighted <= worst) continue
    worst = weighted
    out.index = j
    out.lossMicros = loss
  }
}

/** `findWorst` for short lots as if they were the whole book. A short without a mark counts 0. */
export function findWorstOf(model: ScenarioModel, shorts: UncoveredShorts): void {
  const { ledger, weights, worst: out } = model
  out.index = 0
  out.lossMicros = 0
  let worst = 0
  for (let j = 0; j < weights.length; j++) {
    let loss = 0
    for (let i = 0; i < shorts.count; i++) {
      const instrument = ledger.exposures.instrument[shorts.exposure[i]]
      if (!isMarked(ledger.marks, instrument)) continue
      const deltas = model.deltasOf(instrument)
      loss += valueMicros(deltas[instrument * weights.length + j], shorts.lots[i])
    }
    const weighted = loss * weights[j]
    if (weighted <= worst) continue
    worst = weighted
    out.index = j
    out.lossMicros = loss
  }
}

/** Returns the value of a bucket's options at the marks, in a view. */
export function positionValue(ledger: RiskLedger, bucket: number, view: BookView): number {
  const value = ledger.buckets.valueMicros[bucket]
  const { exposure } = view
  if (view.positionLots === 0 || exposure === none || ledger.bucketOf(exposure) !== bucket) {
    return value
  }
  if (ledger.isPerp(exposure)) return value
  const markMicros = markOf(ledger.marks, ledger.exposures.instrument[exposure])
  if (!(markMicros >= 0)) return value
  const before = ledger.exposures.positionLots[exposure]
  return (
    value - valueMicros(markMicros, before) + valueMicros(markMicros, before + view.positionLots)
  )
}

/** Returns true if the losses of a view differ from the bucket's own sums. */
function changesLoss(ledger: RiskLedger, bucket: number, view: BookView): boolean {
  const { exposure } = view
  if (exposure === none || ledger.bucketOf(exposure) !== bucket) return false
  const hasOrders = view.withSells && (view.sellLots !== 0 || view.buyLots !== 0)
  if (view.positionLots === 0 && !hasOrders) return false
  return isMarked(ledger.marks, ledger.exposures.instrument[exposure])
}

/** Loss that a view's change adds, by scenario. */
const change = new Float64Array(scenariosPerModel)

/** Lots of the changed exposure, for `moveValues`. */
const resized = new SizeMove()

function computeChange(model: ScenarioModel, view: BookView): void {
  const { ledger, weights } = model
  const { instrument, positionLots, workingBuyLots, workingSellLots } = ledger.exposures
  const { exposure } = view
  const count = weights.length
  const deltas = model.deltasOf(instrument[exposure])
  const at = instrument[exposure] * count
  change.fill(0, 0, count)
  if (view.positionLots !== 0) {
    // The loss of the larger position is the gain of moving back from it.
    resized.after = positionLots[exposure]
    resized.before = resized.after + view.positionLots
    resized.part = Part.All
    moveValues(change, 0, deltas, at, count, resized)
  }
  if (view.withSells && view.sellLots !== 0) {
    resized.before = workingSellLots[exposure]
    resized.after = resized.before + view.sellLots
    resized.part = Part.Gains
    moveValues(change, 0, deltas, at, count, resized)
  }
  if (view.withSells && view.buyLots !== 0) {
    resized.before = workingBuyLots[exposure]
    resized.after = resized.before + view.buyLots
    resized.part = Part.Losses
    moveValues(change, 0, deltas, at, count, resized)
  }
}
