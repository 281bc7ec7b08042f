import { lotsPerContract } from '../../schemas/bounds.js'
import { MarginModelKind, Right } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { netLots, sideLots } from './book-view.js'
import {
  type BookView,
  clearRequirement,
  MarginBound,
  type MarginModel,
  Requirement,
} from './margin-model.js'
import { markOf } from './mark-view.js'
import { mulDivDown, mulDivRemainder, valueMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'
import { positionValue } from './scenario-sums.js'
import type { StandardModel } from './standard-model.js'
import { UncoveredShorts } from './uncovered-shorts.js'

/**
 * IM = MM = Σ m·q + Σ max_loss per expiry, the worst payoff over the strikes. A short without a long of its right and
 * expiry is naked, and the order is rejected.
 */
export class DefinedRiskModel implements MarginModel {
  readonly kind = MarginModelKind.DefinedRisk
  readonly scenarioCount = 0
  readonly timed = false
  readonly #ledger: RiskLedger
  readonly #standard: StandardModel
  readonly #noDeltas = new Float64Array(0)
  readonly #shorts = new UncoveredShorts()
  readonly #ofShorts = new Requirement()

  constructor(ledger: RiskLedger, standard: StandardModel) {
    this.#ledger = ledger
    this.#standard = standard
  }

  deltasOf(): Float64Array {
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
    out.bound = MarginBound.MaxLoss
    out.uncoveredLots = naked
    if (naked > 0) maxLoss = this.#measureUncovered(bucket, view, out)
    const micros = positionValue(ledger, bucket, view) + maxLoss
    out.imMicros += micros
    out.mmMicros += micros
  }

  /** A single short position is uncovered. */
  measureAlone(exposure: number, out: Requirement): void {
    const { exposures, marks } = this.#ledger
    const position = exposures.positionLots[exposure]
    if (position < 0) {
      this.#standard.measureAlone(exposure, out)
      out.scenario = none
    } else {
      const markMicros = markOf(marks, exposures.instrument[exposure])
      clearRequirement(out)
      out.imMicros = markMicros >= 0 ? valueMicros(markMicros, position) : 0
      out.mmMicros = out.imMicros
    }
    out.bound = MarginBound.MaxLoss
  }

  /**
   * Writes the requirement of uncovered shorts under `standard`, as if they were the whole book, because no worst
   * payoff bounds them. The value of the covered rest excludes their value, which equity therefore still owes.
   * @returns the worst payoffs of the covered rest.
   */
  #measureUncovered(bucket: number, view: BookView, out: Requirement): number {
    const ledger = this.#ledger
    const { buckets, exposures, groups, marks } = ledger
    const shorts = this.#shorts
    let maxLoss = 0
    shorts.clear()
    for (let row = buckets.firstGroup[bucket]; row !== none; row = groups.nextInBucket[row]) {
      shorts.addGroup(ledger, row, view, Right.Call)
      shorts.addGroup(ledger, row, view, Right.Put)
      maxLoss += worstPayoffLoss(ledger, row, view, shorts)
    }
    this.#standard.measureShorts(shorts, this.#ofShorts)
    let value = 0
    for (let i = 0; i < shorts.count; i++) {
      const markMicros = markOf(marks, exposures.instrument[shorts.exposure[i]])
      if (markMicros >= 0) value += valueMicros(markMicros, shorts.lots[i])
    }
    out.imMicros = value + this.#ofShorts.imMicros
    out.mmMicros = value + this.#ofShorts.mmMicros
    return maxLoss
  }

  combine(_sum: Requirement): void {}

  #maxLoss(group: number, view: BookView): number {
    const { exposures, groups } = this.#ledger
    if (view.exposure !== none && exposures.group[view.exposure] === group) {
      return worstPayoffLoss(this.#ledger, group, view, null)
    }
    const bit = view.withSells ? 2 : 1
    const kept = view.withSells ? groups.maxLossWithSellsMicros : groups.maxLossMicros
    if ((groups.lossKnown[group] & bit) === 0) {
      kept[group] = worstPayoffLoss(this.#ledger, group, view, null)
      groups.lossKnown[group] |= bit
    }
    return kept[group]
  }
}

/** Returns the lots of a right that a group is net short, in a view. */
export function nakedLots(ledger: RiskLedger, group: number, view: BookView, right: Right): number {
  const shorts = sideLots(ledger, view, group, right, 1)
  return shorts === 0 ? 0 : Math.max(0, shorts - sideLots(ledger, view, group, right, 0))
}

/**
 * Returns max(0, -min payoff) over x = 0 and the strikes held, rounded up to the next micro. The payoff is piecewise
 * linear. At 0 every put is in the money; at each strike the slope rises by the size, for puts and calls alike. The sum
 * is exact: whole micros and a remainder in micros × lots.
 * @param without short lots to exclude.
 */
function worstPayoffLoss(
  ledger: RiskLedger,
  group: number,
  view: BookView,
  without: UncoveredShorts | null,
): number {
  const { exposures, groups, instruments } = ledger
  let micros = 0
  let remainder = 0
  let slopeLots = 0
  let row = groups.firstExposure[group]
  for (; row !== none; row = exposures.nextInGroup[row]) {
    const instrument = exposures.instrument[row]
    if (instruments.right[instrument] !== Right.Put) continue
    const lots = netLots(ledger, view, row) + (without === null ? 0 : without.lotsOf(row))
    micros += mulDivDown(instruments.strikeMicros[instrument], lots, lotsPerContract)
    remainder += mulDivRemainder()
    slopeLots -= lots
  }
  // Rounding whole micros down rounds the loss up. The remainder may contain several whole micros.
  let worst = Math.min(0, micros + Math.floor(remainder / lotsPerContract))
  let strikeBefore = 0
  for (row = groups.firstExposure[group]; row !== none; row = exposures.nextInGroup[row]) {
    const lots = netLots(ledger, view, row) + (without === null ? 0 : without.lotsOf(row))
    if (lots === 0) continue
    const strikeMicros = instruments.strikeMicros[exposures.instrument[row]]
    micros += mulDivDown(strikeMicros - strikeBefore, slopeLots, lotsPerContract)
    remainder += mulDivRemainder()
    worst = Math.min(worst, micros + Math.floor(remainder / lotsPerContract))
    slopeLots += lots
    strikeBefore = strikeMicros
  }
  return -worst + 0
}
