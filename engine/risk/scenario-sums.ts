import { none } from '../core/orders.js'
import type { Scenario } from '../pricing/scenarios.js'
import type { BookView } from './margin-model.js'
import { markOf } from './mark-view.js'
import { valueMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'

/** The scenario that binds, with its loss before the weight; negative: a profit. */
export class WorstScenario {
  index = 0
  lossMicros = 0
}

/**
 * The largest weighted loss over the scenarios, E + O of risk-and-pricing.md 5.1, for a bucket
 * whose sums are fresh. Ties go to the first. The weight of the result is left to the caller, who
 * rounds once.
 * @param deltas risk arrays of the model, row-major by instrument.
 */
export function findWorst(
  ledger: RiskLedger,
  scenarios: readonly Scenario[],
  deltas: Float64Array,
  bucket: number,
  view: BookView,
  out: WorstScenario,
): void {
  const { positionPnl, sellLoss, scenarioCount } = ledger.buckets
  const from = bucket * scenarioCount
  const change = changeOf(ledger, bucket, view)
  let worst = Number.NEGATIVE_INFINITY
  for (let j = 0; j < scenarios.length; j++) {
    let loss = -positionPnl[from + j]
    if (view.withSells) loss += sellLoss[from + j]
    if (change) loss += changedLoss(deltas[changedAt + j], view)
    const weighted = loss * scenarios[j].weightPermille
    if (weighted <= worst) continue
    worst = weighted
    out.index = j
    out.lossMicros = loss + 0
  }
}

/**
 * `findWorst` for one position as if it were the whole book; a profit everywhere is a loss of 0.
 */
export function findWorstAlone(
  ledger: RiskLedger,
  scenarios: readonly Scenario[],
  deltas: Float64Array,
  exposure: number,
  out: WorstScenario,
): void {
  const instrument = ledger.exposures.instrument[exposure]
  const position = ledger.exposures.positionLots[exposure]
  out.index = 0
  out.lossMicros = 0
  if (!(markOf(ledger.marks, instrument) >= 0)) return
  const at = instrument * scenarios.length
  let worst = 0
  for (let j = 0; j < scenarios.length; j++) {
    const loss = -valueMicros(deltas[at + j], position)
    const weighted = loss * scenarios[j].weightPermille
    if (weighted <= worst) continue
    worst = weighted
    out.index = j
    out.lossMicros = loss
  }
}

/** Value of a bucket's positions at marks, as a view sees it. */
export function positionValue(ledger: RiskLedger, bucket: number, view: BookView): number {
  const value = ledger.buckets.valueMicros[bucket]
  const { exposure } = view
  if (view.positionLots === 0 || exposure === none || ledger.bucketOf(exposure) !== bucket) {
    return value
  }
  const markMicros = markOf(ledger.marks, ledger.exposures.instrument[exposure])
  if (!(markMicros >= 0)) return value
  const before = ledger.exposures.positionLots[exposure]
  return (
    value - valueMicros(markMicros, before) + valueMicros(markMicros, before + view.positionLots)
  )
}

// What the view changes, for the loop above.
let changedAt = 0
let positionBefore = 0
let sellsBefore = 0

function changeOf(ledger: RiskLedger, bucket: number, view: BookView): boolean {
  const { exposure } = view
  if (exposure === none || ledger.bucketOf(exposure) !== bucket) return false
  const sellLots = view.withSells ? view.sellLots : 0
  if (view.positionLots === 0 && sellLots === 0) return false
  const { exposures, marks } = ledger
  const instrument = exposures.instrument[exposure]
  if (!(markOf(marks, instrument) >= 0)) return false
  changedAt = instrument * ledger.modelOf(exposures.account[exposure]).scenarioCount
  positionBefore = exposures.positionLots[exposure]
  sellsBefore = exposures.workingSellLots[exposure]
  return true
}

function changedLoss(deltaMicros: number, view: BookView): number {
  let loss = 0
  if (view.positionLots !== 0) {
    loss += valueMicros(deltaMicros, positionBefore)
    loss -= valueMicros(deltaMicros, positionBefore + view.positionLots)
  }
  if (view.withSells && view.sellLots !== 0 && deltaMicros > 0) {
    loss += valueMicros(deltaMicros, sellsBefore + view.sellLots)
    if (sellsBefore !== 0) loss -= valueMicros(deltaMicros, sellsBefore)
  }
  return loss
}
