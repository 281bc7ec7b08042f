import { MarginModelKind } from '../../schemas/domain.js'
import { uncoveredLots } from './book-view.js'
import {
  type BookView,
  clearRequirement,
  MarginBound,
  type MarginModel,
  type Requirement,
} from './margin-model.js'
import { indexMicrosOf } from './mark-view.js'
import {
  notional,
  notionalLotsAt,
  notionalPriceAt,
  notionalResultAt,
  Ratio,
  ratioUp,
  workOutNotional,
} from './ratio.js'
import type { RiskLedger } from './risk-ledger.js'
import { findWorst, findWorstAlone, findWorstOf, ScenarioModel } from './scenario-sums.js'
import type { UncoveredShorts } from './uncovered-shorts.js'

/**
 * Per underlying: IM = max(imFactor·L, shortMinimumIm·S·U), and MM likewise with its own factors, where L is the worst
 * scenario loss, S the index and U the uncovered shorts.
 */
export class StandardModel extends ScenarioModel implements MarginModel {
  readonly kind = MarginModelKind.Standard
  readonly timed = false
  /** Factor × weight by scenario, so that a requirement is rounded once. */
  readonly #imRatios: readonly Ratio[]
  readonly #mmRatios: readonly Ratio[]
  readonly #shortIm: Ratio
  readonly #shortMm: Ratio

  constructor(ledger: RiskLedger) {
    const { standardScenarios, imFactor, mmFactor, shortMinimumIm, shortMinimumMm } =
      ledger.parameters
    super(ledger, standardScenarios)
    const im = Ratio.of(imFactor)
    const mm = Ratio.of(mmFactor)
    this.#imRatios = standardScenarios.map((row) => im.weighted(row.weightPermille))
    this.#mmRatios = standardScenarios.map((row) => mm.weighted(row.weightPermille))
    this.#shortIm = Ratio.of(shortMinimumIm)
    this.#shortMm = Ratio.of(shortMinimumMm)
  }

  deltasOf(instrument: number): Float64Array {
    return this.ledger.marks.standardDeltasOf(instrument)
  }

  measure(bucket: number, view: BookView, out: Requirement): void {
    const ledger = this.ledger
    findWorst(this, bucket, view)
    clearRequirement(out)
    out.uncoveredLots = uncoveredLots(ledger, bucket, view)
    this.#require(ledger.buckets.underlying[bucket], out)
  }

  /** Writes the requirement of uncovered shorts of one underlying alone, with the sum of their risk arrays. */
  measureShorts(shorts: UncoveredShorts, out: Requirement): void {
    const { exposures, instruments } = this.ledger
    findWorstOf(this, shorts)
    clearRequirement(out)
    out.uncoveredLots = shorts.totalLots
    this.#require(instruments.underlying[exposures.instrument[shorts.exposure[0]]], out)
  }

  measureAlone(exposure: number, out: Requirement): void {
    const { exposures, instruments } = this.ledger
    const instrument = exposures.instrument[exposure]
    const position = exposures.positionLots[exposure]
    findWorstAlone(this, exposure)
    clearRequirement(out)
    out.uncoveredLots = Math.max(0, -position)
    this.#require(instruments.underlying[instrument], out)
  }

  combine(_sum: Requirement): void {}

  /** Fills in the requirement from the worst scenario and `out.uncoveredLots`. */
  #require(underlying: number, out: Requirement): void {
    this.#requireShorts(underlying, out)
    const { index, lossMicros } = this.worst
    const loss = Math.max(0, lossMicros)
    const scenarioIm = ratioUp(loss, this.#imRatios[index])
    const scenarioMm = ratioUp(loss, this.#mmRatios[index])
    out.scenario = index
    out.lossMicros = lossMicros
    out.bound = scenarioIm >= out.imMicros ? MarginBound.Scenario : MarginBound.ShortMinimum
    out.imMicros = Math.max(scenarioIm, out.imMicros)
    out.mmMicros = Math.max(scenarioMm, out.mmMicros)
  }

  #requireShorts(underlying: number, out: Requirement): void {
    if (out.uncoveredLots === 0) return
    notional[notionalPriceAt] = indexMicrosOf(this.ledger.marks, underlying)
    notional[notionalLotsAt] = out.uncoveredLots
    workOutNotional(this.#shortIm)
    out.imMicros = notional[notionalResultAt]
    workOutNotional(this.#shortMm)
    out.mmMicros = notional[notionalResultAt]
  }
}
