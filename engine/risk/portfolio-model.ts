import { MarginModelKind, Right } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { FloorNetting } from '../pricing/scenarios.js'
import { sideLots, uncoveredLots } from './book-view.js'
import {
  type BookView,
  clearRequirement,
  MarginBound,
  type MarginModel,
  type Requirement,
} from './margin-model.js'
import { indexMicrosOf } from './mark-view.js'
import { notionalUp, Ratio, ratioUp } from './ratio.js'
import type { RiskLedger } from './risk-ledger.js'
import { findWorst, findWorstAlone, ScenarioModel } from './scenario-sums.js'

const millisPerHour = 3_600_000

/**
 * IM = max(Σ scanning risk, Σ option floor) + Σ gamma overlay over the underlyings; MM = mmRatio·IM of the positions.
 */
export class PortfolioModel extends ScenarioModel implements MarginModel {
  readonly kind = MarginModelKind.Portfolio
  // The overlay starts by time alone.
  readonly timed = true
  /** Weights of the scenarios: factors of the worst loss. */
  readonly #ratios: readonly Ratio[]
  readonly #floor: Ratio
  readonly #overlay: Ratio
  readonly #mm: Ratio
  readonly #overlayMillis: number

  constructor(ledger: RiskLedger) {
    const { portfolioScenarios, optionFloorFactor, gammaOverlayFactor, mmRatio, overlayHours } =
      ledger.parameters
    super(ledger, portfolioScenarios)
    this.#ratios = portfolioScenarios.map((row) => Ratio.of(1).weighted(row.weightPermille))
    this.#floor = Ratio.of(optionFloorFactor)
    this.#overlay = Ratio.of(gammaOverlayFactor)
    this.#mm = Ratio.of(mmRatio)
    this.#overlayMillis = overlayHours * millisPerHour
  }

  deltasOf(instrument: number): Float64Array {
    return this.ledger.marks.portfolioDeltasOf(instrument)
  }

  measure(bucket: number, view: BookView, out: Requirement): void {
    const ledger = this.ledger
    findWorst(this, bucket, view)
    let floorLots = 0
    let overlayLots = 0
    const { buckets, groups } = ledger
    for (let row = buckets.firstGroup[bucket]; row !== none; row = groups.nextInBucket[row]) {
      const lots =
        this.#nettedShorts(row, view, Right.Call) + this.#nettedShorts(row, view, Right.Put)
      floorLots += lots
      if (this.#isOverlaid(groups.expiryMillis[row])) overlayLots += lots
    }
    this.#require(buckets.underlying[bucket], floorLots, overlayLots, out)
    out.uncoveredLots = uncoveredLots(ledger, bucket, view)
  }

  measureAlone(exposure: number, out: Requirement): void {
    const { exposures, instruments } = this.ledger
    const instrument = exposures.instrument[exposure]
    const position = exposures.positionLots[exposure]
    findWorstAlone(this, exposure)
    const shorts = this.ledger.isPerp(exposure) ? 0 : Math.max(0, -position)
    const overlaid = this.#isOverlaid(instruments.expiryMillis[instrument]) ? shorts : 0
    this.#require(instruments.underlying[instrument], shorts, overlaid, out)
    out.uncoveredLots = shorts
    this.combine(out)
  }

  combine(sum: Requirement): void {
    const { scanningMicros, floorMicros, overlayMicros } = sum
    sum.imMicros = Math.max(scanningMicros, floorMicros) + overlayMicros
    sum.mmMicros = ratioUp(sum.imMicros, this.#mm)
    sum.bound = scanningMicros >= floorMicros ? MarginBound.Scenario : MarginBound.OptionFloor
  }

  #require(underlying: number, floorLots: number, overlayLots: number, out: Requirement): void {
    const { index, lossMicros } = this.worst
    const spotMicros = indexMicrosOf(this.ledger.marks, underlying)
    clearRequirement(out)
    out.scanningMicros = ratioUp(Math.max(0, lossMicros), this.#ratios[index])
    out.floorMicros = notionalUp(spotMicros, floorLots, this.#floor)
    out.overlayMicros = notionalUp(spotMicros, overlayLots, this.#overlay)
    out.scenario = index
    out.lossMicros = lossMicros
  }

  // Returns the short lots of a right in a group. Instruments of a group differ in strike and right only: one that is
  // net short counts in full, or is netted with the group's longs of its right.
  #nettedShorts(group: number, view: BookView, right: Right): number {
    const shorts = sideLots(this.ledger, view, group, right, 1)
    if (this.ledger.parameters.floorNetting === FloorNetting.Instrument) return shorts
    return Math.max(0, shorts - sideLots(this.ledger, view, group, right, 0))
  }

  #isOverlaid(expiryMillis: number): boolean {
    return expiryMillis - this.ledger.nowMillis < this.#overlayMillis
  }
}
