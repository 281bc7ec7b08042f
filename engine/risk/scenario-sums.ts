import { scenariosPerModel } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import type { Scenario } from '../pricing/scenarios.js'
import type { BookView } from './margin-model.js'
import { isMarked, markOf } from './mark-view.js'
import { moveValues, Part, SizeMove, valueMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'
import type { UncoveredShorts } from './uncovered-shorts.js'

/** The scenario that binds, with its loss before the weight; negative: a profit. */
export class WorstScenario {
  index = 0
  lossMicros = 0
}

/** What the models of scenarios have alike. */
export abstract class ScenarioModel {
  readonly scenarioCount: number
  /** Of the table's rows side by side, permille: for the loops over them. */
  readonly weights: Float64Array
  /** What the functions below have found last. */
  readonly worst = new WorstScenario()
  readonly ledger: RiskLedger

  constructor(ledger: RiskLedger, scenarios: readonly Scenario[]) {
    this.ledger = ledger
    this.scenarioCount = scenarios.length
    this.weights = Float64Array.from(scenarios, ({ weightPermille }) => weightPermille)
  }

  /** Risk arrays of the model, row-major by instrument, of which that of `instrument` is current. */
  abstract deltasOf(instrument: number): Float64Array
}

/**
 * The largest weighted loss over the scenarios, E + O: positions, and the worst subset of working sells, for a bucket
 * whose sums are fresh. Ties go to the first. The weight of the result is left to the caller, who
 * rounds once.
 */
export function findWorst(model: ScenarioModel, bucket: number, view: BookView): void {
  const { ledger, weights, worst: out } = model
  const { positionPnl, sellLoss } = ledger.buckets
  const { withSells } = view
  const from = ledger.buckets.scenariosAt(bucket)
  const isChanged = changesLoss(ledger, bucket, view)
  if (isChanged) workOutChange(model, view)
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

/**
 * `findWorst` for one position as if it were the whole book; a profit everywhere is a loss of 0.
 */
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

/** `findWorst` for short lots as if they were the whole book; one without a mark counts 0. */
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

/** Value of a bucket's options at marks, as a view sees it. */
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

/** Whether a view sees other losses in a bucket than the bucket's own sums. */
function changesLoss(ledger: RiskLedger, bucket: number, view: BookView): boolean {
  const { exposure } = view
  if (exposure === none || ledger.bucketOf(exposure) !== bucket) return false
  const hasOrders = view.withSells && (view.sellLots !== 0 || view.buyLots !== 0)
  if (view.positionLots === 0 && !hasOrders) return false
  return isMarked(ledger.marks, ledger.exposures.instrument[exposure])
}

/** Loss that a view's change adds, per scenario: for the loop of `findWorst`. */
const change = new Float64Array(scenariosPerModel)

/** Lots of the changed exposure, for `moveValues`. */
const resized = new SizeMove()

function workOutChange(model: ScenarioModel, view: BookView): void {
  const { ledger, weights } = model
  const { instrument, positionLots, workingBuyLots, workingSellLots } = ledger.exposures
  const { exposure } = view
  const count = weights.length
  const deltas = model.deltasOf(instrument[exposure])
  const at = instrument[exposure] * count
  change.fill(0, 0, count)
  if (view.positionLots !== 0) {
    // What the position loses is what going back from then would gain.
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
