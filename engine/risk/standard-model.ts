import { uncoveredLots } from './book-view.js'
import {
  type BookView,
  clearRequirement,
  MarginBound,
  type MarginModel,
  MarginModelKind,
  type Requirement,
} from './margin-model.js'
import { indexMicrosOf } from './mark-view.js'
import { notionalUp, Ratio, ratioUp } from './ratio.js'
import type { RiskLedger } from './risk-ledger.js'
import { findWorst, findWorstAlone, WorstScenario } from './scenario-sums.js'

/**
 * Per underlying: IM = max(imFactor·L, shortMinimumIm·S·U), MM likewise with its own factors, L the
 * worst scenario loss and U the uncovered shorts (risk-and-pricing.md 5.3).
 */
export class StandardModel implements MarginModel {
  readonly kind = MarginModelKind.Standard
  readonly scenarioCount: number
  readonly timed = false
  readonly #ledger: RiskLedger
  readonly #worst = new WorstScenario()
  /** Factor × weight per scenario, so that a requirement is rounded once. */
  readonly #imRatios: readonly Ratio[]
  readonly #mmRatios: readonly Ratio[]
  readonly #shortIm: Ratio
  readonly #shortMm: Ratio

  constructor(ledger: RiskLedger) {
    const { standardScenarios, imFactor, mmFactor, shortMinimumIm, shortMinimumMm } =
      ledger.parameters
    this.#ledger = ledger
    this.scenarioCount = standardScenarios.length
    const im = Ratio.of(imFactor)
    const mm = Ratio.of(mmFactor)
    this.#imRatios = standardScenarios.map((row) => im.weighted(row.weightPermille))
    this.#mmRatios = standardScenarios.map((row) => mm.weighted(row.weightPermille))
    this.#shortIm = Ratio.of(shortMinimumIm)
    this.#shortMm = Ratio.of(shortMinimumMm)
  }

  deltas(): Float64Array {
    return this.#ledger.marks.standardDeltaMicros
  }

  measure(bucket: number, view: BookView, out: Requirement): void {
    const ledger = this.#ledger
    const scenarios = ledger.parameters.standardScenarios
    findWorst(ledger, scenarios, this.deltas(), bucket, view, this.#worst)
    const uncovered = uncoveredLots(ledger, bucket, view)
    this.#require(ledger.buckets.underlying[bucket], uncovered, out)
  }

  measureAlone(exposure: number, out: Requirement): void {
    const { exposures, instruments, parameters } = this.#ledger
    const instrument = exposures.instrument[exposure]
    const position = exposures.positionLots[exposure]
    findWorstAlone(this.#ledger, parameters.standardScenarios, this.deltas(), exposure, this.#worst)
    this.#require(instruments.underlying[instrument], Math.max(0, -position), out)
  }

  combine(_sum: Requirement): void {}

  #require(underlying: number, uncovered: number, out: Requirement): void {
    const { index, lossMicros } = this.#worst
    const loss = Math.max(0, lossMicros)
    const spotMicros = indexMicrosOf(this.#ledger.marks, underlying)
    const scenarioIm = ratioUp(loss, this.#imRatios[index])
    const shortIm = notionalUp(spotMicros, uncovered, this.#shortIm)
    const scenarioMm = ratioUp(loss, this.#mmRatios[index])
    const shortMm = notionalUp(spotMicros, uncovered, this.#shortMm)
    clearRequirement(out)
    out.imMicros = Math.max(scenarioIm, shortIm)
    out.mmMicros = Math.max(scenarioMm, shortMm)
    out.uncoveredLots = uncovered
    out.scenario = index
    out.bound = scenarioIm >= shortIm ? MarginBound.Scenario : MarginBound.ShortMinimum
  }
}
