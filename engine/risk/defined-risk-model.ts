import { lotsPerContract } from '../../schemas/bounds.js'
import { Right } from '../../schemas/domain.js'
import { none } from '../core/orders.js'
import { netLots, sideLots } from './book-view.js'
import {
  type BookView,
  clearRequirement,
  MarginBound,
  type MarginModel,
  MarginModelKind,
  type Requirement,
} from './margin-model.js'
import { markOf } from './mark-view.js'
import { mulDivDown, mulDivRest, valueMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'
import { positionValue } from './scenario-sums.js'

/**
 * IM = MM = Σ m·q + Σ max_loss per expiry, the worst payoff over the strikes; shorts without a long
 * of their right and expiry are naked and refused.
 */
export class DefinedRiskModel implements MarginModel {
  readonly kind = MarginModelKind.DefinedRisk
  readonly scenarioCount = 0
  readonly timed = false
  readonly #ledger: RiskLedger
  readonly #noDeltas = new Float64Array(0)

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
  }

  deltas(): Float64Array {
    return this.#noDeltas
  }

  measure(bucket: number, view: BookView, out: Requirement): void {
    const ledger = this.#ledger
    const { buckets, groups } = ledger
    let maxLoss = 0
    let naked = 0
    for (let row = buckets.firstGroup[bucket]; row !== none; row = groups.nextInBucket[row]) {
      maxLoss += this.#maxLoss(row, view)
      naked += nakedLots(ledger, row, view, Right.Call) + nakedLots(ledger, row, view, Right.Put)
    }
    clearRequirement(out)
    out.imMicros = positionValue(ledger, bucket, view) + maxLoss
    out.mmMicros = out.imMicros
    out.uncoveredLots = naked
    out.bound = MarginBound.MaxLoss
  }

  /** A short call alone has no worst payoff; like any negative requirement it is shown as 0. */
  measureAlone(exposure: number, out: Requirement): void {
    const { exposures, instruments, marks } = this.#ledger
    const instrument = exposures.instrument[exposure]
    const position = exposures.positionLots[exposure]
    const markMicros = markOf(marks, instrument)
    const value = markMicros >= 0 ? valueMicros(markMicros, position) : 0
    const shortPut = position < 0 && instruments.right[instrument] === Right.Put
    const maxLoss = shortPut
      ? -mulDivDown(instruments.strikeMicros[instrument], position, lotsPerContract)
      : 0
    clearRequirement(out)
    out.imMicros = Math.max(0, value + maxLoss)
    out.mmMicros = out.imMicros
    out.uncoveredLots = Math.max(0, -position)
    out.bound = MarginBound.MaxLoss
  }

  combine(_sum: Requirement): void {}

  #maxLoss(group: number, view: BookView): number {
    const { exposures, groups } = this.#ledger
    if (view.exposure !== none && exposures.group[view.exposure] === group) {
      return worstPayoffLoss(this.#ledger, group, view)
    }
    const bit = view.withSells ? 2 : 1
    const kept = view.withSells ? groups.maxLossWithSellsMicros : groups.maxLossMicros
    if ((groups.lossKnown[group] & bit) === 0) {
      kept[group] = worstPayoffLoss(this.#ledger, group, view)
      groups.lossKnown[group] |= bit
    }
    return kept[group]
  }
}

/** Lots of a right that a group is short on balance, as a view sees it. */
export function nakedLots(ledger: RiskLedger, group: number, view: BookView, right: Right): number {
  const shorts = sideLots(ledger, view, group, right, 1)
  return shorts === 0 ? 0 : Math.max(0, shorts - sideLots(ledger, view, group, right, 0))
}

/**
 * max(0, -min payoff) over x = 0 and the strikes held, up to the next micro. The payoff is
 * piecewise linear: it starts with every put in the money, and its slope rises by the size at each
 * strike, of puts and calls alike. It is carried exactly as whole micros and a rest in micros ×
 * lots.
 */
function worstPayoffLoss(ledger: RiskLedger, group: number, view: BookView): number {
  const { exposures, groups, instruments } = ledger
  let micros = 0
  let rest = 0
  let slopeLots = 0
  let row = groups.firstExposure[group]
  for (; row !== none; row = exposures.nextInGroup[row]) {
    const instrument = exposures.instrument[row]
    if (instruments.right[instrument] !== Right.Put) continue
    const lots = netLots(ledger, view, row)
    micros += mulDivDown(instruments.strikeMicros[instrument], lots, lotsPerContract)
    rest += mulDivRest()
    slopeLots -= lots
  }
  // Whole micros rounded down make the loss round up; the rest may hold several of them.
  let worst = Math.min(0, micros + Math.floor(rest / lotsPerContract))
  let strikeBefore = 0
  for (row = groups.firstExposure[group]; row !== none; row = exposures.nextInGroup[row]) {
    const lots = netLots(ledger, view, row)
    if (lots === 0) continue
    const strikeMicros = instruments.strikeMicros[exposures.instrument[row]]
    micros += mulDivDown(strikeMicros - strikeBefore, slopeLots, lotsPerContract)
    rest += mulDivRest()
    worst = Math.min(worst, micros + Math.floor(rest / lotsPerContract))
    slopeLots += lots
    strikeBefore = strikeMicros
  }
  return -worst + 0
}
