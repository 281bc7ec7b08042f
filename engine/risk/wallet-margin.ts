import { MarginModelKind } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { refreshSums } from './bucket-sums.js'
import { refreshFees } from './buy-fees.js'
import { FillStates } from './fill-states.js'
import {
  addRequirement,
  BookView,
  clearRequirement,
  type MarginModel,
  Requirement,
} from './margin-model.js'
import { indexMicrosOf } from './mark-view.js'
import type {
  MaintenanceMargin,
  MarginInUse,
  MarginSummary,
  PositionMargin,
} from './order-check.js'
import { PerpMargin, PerpSums } from './perp-margin.js'
import type { RiskLedger } from './risk-ledger.js'

/** Sums over a wallet's buckets in one view of its book, in micros. */
export class WalletSums {
  /** Σ m·q of the options, regardless of the view, plus profit and loss of the perps. */
  valueMicros = 0
  /** Sum of the profits of perps with a profit. */
  perpGainMicros = 0
  /** Reserve of working buys, including fees. */
  premiumMicros = 0
  /** Slippage that the wallet's model reserves. */
  slippageMicros = 0
  /** The other slippage: under `defined_risk` a sell is measured by its worst payoff, and may give value away. */
  unreservedSlippageMicros = 0
  unmarkedShorts = 0
  /** Part of the requirement from perps; 0 under portfolio. */
  perpImMicros = 0
  perpMmMicros = 0
  readonly requirement = new Requirement()
  /** Requirement of the bucket that the view changes; undefined if it changes none. */
  readonly changed = new Requirement()
}

/** Worst of the fill states of a wallet's risk-reducing orders. */
class WorstState {
  /** Equity less reserves and initial margin, in micros. */
  slackMicros = 0
  /** The same without the profits of perps. */
  backedMicros = 0
  uncoveredLots = 0
  unmarkedShorts = 0

  clear(): void {
    this.slackMicros = Number.POSITIVE_INFINITY
    this.backedMicros = Number.POSITIVE_INFINITY
    this.uncoveredLots = 0
    this.unmarkedShorts = 0
  }
}

const cachedPositions = 1
const cachedSells = 2

/** Requirements of wallets: sums over buckets. Requirements of unchanged buckets are cached. */
export class WalletMargin {
  readonly #ledger: RiskLedger
  readonly #bucketRequirement = new Requirement()
  readonly #sums = new WalletSums()
  readonly #positions = new BookView()
  readonly #changed = new BookView()
  readonly #withSells = new BookView()
  readonly #perps: PerpMargin
  readonly #perpSums = new PerpSums()
  readonly #states: FillStates
  readonly #worst = new WorstState()

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
    this.#perps = new PerpMargin(ledger)
    this.#states = new FillStates(ledger)
    this.#withSells.withSells = true
  }

  /** Sums over all buckets of an account, after refreshing stale ones. */
  sum(account: number, view: BookView, out: WalletSums): void {
    const { buckets } = this.#ledger
    const model = this.#ledger.modelOf(account)
    const hasFees = this.#ledger.fees.worst !== 0
    const changed = view.exposure === none ? none : this.#ledger.bucketOf(view.exposure)
    // Under defined_risk a sell is measured by its worst payoff, not by marks.
    const hasSlippage = model.kind !== MarginModelKind.DefinedRisk
    out.valueMicros = 0
    out.premiumMicros = 0
    out.slippageMicros = 0
    out.unreservedSlippageMicros = 0
    out.unmarkedShorts = 0
    out.perpImMicros = 0
    out.perpGainMicros = 0
    out.perpMmMicros = 0
    clearRequirement(out.requirement)
    let bucket = this.#ledger.firstBucket[account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      refreshSums(this.#ledger, bucket)
      if (hasFees) refreshFees(this.#ledger, bucket)
      out.valueMicros += buckets.valueMicros[bucket]
      out.premiumMicros += buckets.premiumMicros[bucket] + buckets.feeMicros[bucket]
      if (hasSlippage) out.slippageMicros += buckets.slippageMicros[bucket]
      else out.unreservedSlippageMicros += buckets.slippageMicros[bucket]
      out.unmarkedShorts += buckets.unmarkedShorts[bucket]
      if (bucket === changed) {
        model.measure(bucket, view, out.changed)
        addRequirement(out.changed, out.requirement)
      } else {
        this.#measureCached(model, bucket, view.withSells)
        addRequirement(this.#bucketRequirement, out.requirement)
      }
      if (this.#perps.isIn(bucket)) this.#addPerps(bucket, model.kind, view, out)
    }
    model.combine(out.requirement)
    out.requirement.imMicros += out.perpImMicros
    out.requirement.mmMicros += out.perpMmMicros
  }

  #addPerps(bucket: number, kind: MarginModelKind, view: BookView, out: WalletSums): void {
    const perps = this.#perpSums
    this.#perps.sum(bucket, kind, view, perps)
    out.valueMicros += perps.profitMicros
    out.perpGainMicros += perps.gainMicros
    out.perpImMicros += perps.imMicros
    out.perpMmMicros += perps.mmMicros
    out.slippageMicros += this.#ledger.buckets.perpSlippageMicros[bucket]
  }

  /** Writes equity and maintenance margin, for the continuous liquidation check. */
  maintenance(account: number, out: MaintenanceMargin): void {
    const sums = this.#sums
    this.sum(account, this.#positions, sums)
    out.equityMicros = this.#ledger.cashMicros[account] + sums.valueMicros
    out.requiredMicros = sums.requirement.mmMicros
  }

  /** Returns the maintenance margin of the positions with `moreLots` added to one of them. */
  maintenanceWith(exposure: number, moreLots: number): number {
    const view = this.#changed
    view.exposure = exposure
    view.positionLots = moreLots
    this.sum(this.#ledger.exposures.account[exposure], view, this.#sums)
    return this.#sums.requirement.mmMicros
  }

  /** Writes the margin in use by positions and working orders. */
  inUse(account: number, out: MarginInUse): void {
    const sums = this.#sums
    this.sum(account, this.#withSells, sums)
    // Includes the margin of the positions; a summary lists the part that the sells add separately.
    out.micros = sums.requirement.imMicros + sums.premiumMicros + sums.slippageMicros
  }

  summarize(account: number, out: MarginSummary): void {
    const ledger = this.#ledger
    const sums = this.#sums
    this.sum(account, this.#withSells, sums)
    const imWithSells = sums.requirement.imMicros
    this.sum(account, this.#positions, sums)
    const { requirement } = sums
    const cash = ledger.cashMicros[account]
    out.mode = ledger.marginMode[account] as MarginSummary['mode']
    out.model = ledger.modelKind[account]
    out.cash = cash
    out.equity = cash + sums.valueMicros
    out.positionIm = requirement.imMicros
    out.positionMm = requirement.mmMicros
    out.perpIm = sums.perpImMicros
    out.premiumReserved = sums.premiumMicros
    out.openOrdersIm =
      sums.premiumMicros + sums.slippageMicros + (imWithSells - requirement.imMicros)
    out.totalMarginUsed = out.positionIm + out.openOrdersIm
    out.available = out.equity - out.totalMarginUsed
    const portfolio = out.model === MarginModelKind.Portfolio
    out.gammaOverlay = portfolio ? requirement.overlayMicros : 0
    out.optionFloor = portfolio ? requirement.floorMicros : 0
    out.scanningRisk = portfolio ? requirement.scanningMicros : 0
    out.unrealized = sums.valueMicros - this.#costOf(account)
    const worst = this.#findWorst(account)
    out.worstSlack = worst.slackMicros
    // Option value is not cash, profits of perps are not realized, and the cost of working buys is committed: none of
    // it can be withdrawn.
    const uncommitted = cash - sums.premiumMicros - this.#states.buysMicros
    out.withdrawable = Math.max(0, Math.min(worst.backedMicros, uncommitted))
  }

  /** Returns true if a wallet's equity covers its whole book. Returns false if missing prices prevent the decision. */
  meetsInitial(account: number): boolean {
    const { buckets, firstBucket, marks, modelKind, nowMillis } = this.#ledger
    const worst = this.#findWorst(account)
    const isDefinedRisk = modelKind[account] === MarginModelKind.DefinedRisk
    if (isDefinedRisk && worst.uncoveredLots > 0) return false
    if (worst.unmarkedShorts > 0) return false
    let bucket = firstBucket[account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      if (marks.indexIsMissing(buckets.underlying[bucket], nowMillis)) return false
    }
    return worst.slackMicros >= 0
  }

  /**
   * Returns the uncovered short lots with all working sells filled, in the worst fill state of the risk-reducing
   * orders.
   */
  uncoveredLots(account: number): number {
    return this.#findWorst(account).uncoveredLots
  }

  #findWorst(account: number): WorstState {
    const states = this.#states
    const sums = this.#sums
    const worst = this.#worst
    worst.clear()
    states.begin(account, none)
    for (let state = 0; state < states.count; state++) {
      states.enter(state)
      this.sum(account, this.#withSells, sums)
      const equity = this.#ledger.cashMicros[account] + states.cashMicros + sums.valueMicros
      const { imMicros, uncoveredLots } = sums.requirement
      const slack = equity - imMicros - sums.premiumMicros - sums.slippageMicros
      worst.slackMicros = Math.min(worst.slackMicros, slack)
      worst.backedMicros = Math.min(worst.backedMicros, slack - sums.perpGainMicros)
      worst.uncoveredLots = Math.max(worst.uncoveredLots, uncoveredLots)
      worst.unmarkedShorts = Math.max(worst.unmarkedShorts, sums.unmarkedShorts)
    }
    states.leave()
    return worst
  }

  /** Returns true if a wallet's cash covers the reserve of its working buys, where its model requires that. */
  coversPremium(account: number): boolean {
    const { cashMicros, modelKind } = this.#ledger
    if (modelKind[account] === MarginModelKind.Portfolio) return true
    this.sum(account, this.#positions, this.#sums)
    return cashMicros[account] >= this.#sums.premiumMicros
  }

  positionMargin(exposure: number, out: PositionMargin): void {
    const model = this.#ledger.modelOf(this.#ledger.exposures.account[exposure])
    if (this.#ledger.isPerp(exposure) && model.kind !== MarginModelKind.Portfolio) {
      this.#perps.measureAlone(exposure, out)
      return
    }
    model.measureAlone(exposure, this.#bucketRequirement)
    out.imMicros = this.#bucketRequirement.imMicros
    out.mmMicros = this.#bucketRequirement.mmMicros
  }

  #measureCached(model: MarginModel, bucket: number, withSells: boolean): void {
    const { buckets } = this.#ledger
    const out = this.#bucketRequirement
    const bit = withSells ? cachedSells : cachedPositions
    const im = withSells ? buckets.keptSellsIm : buckets.keptPositionIm
    const mm = withSells ? buckets.keptSellsMm : buckets.keptPositionMm
    const uncovered = withSells ? buckets.keptSellsUncovered : buckets.keptPositionUncovered
    // The index may move before the next re-mark, and the short minimum with it.
    const spotMicros = indexMicrosOf(this.#ledger.marks, buckets.underlying[bucket])
    if (spotMicros !== buckets.keptSpotMicros[bucket]) buckets.kept[bucket] = 0
    if (model.timed || (buckets.kept[bucket] & bit) === 0) {
      buckets.keptSpotMicros[bucket] = spotMicros
      model.measure(bucket, withSells ? this.#withSells : this.#positions, out)
      im[bucket] = out.imMicros
      mm[bucket] = out.mmMicros
      uncovered[bucket] = out.uncoveredLots
      buckets.kept[bucket] |= bit
      return
    }
    clearRequirement(out)
    out.imMicros = im[bucket]
    out.mmMicros = mm[bucket]
    out.uncoveredLots = uncovered[bucket]
  }

  /** Returns the cost of the options. The profit and loss of perps already excludes their cost. */
  #costOf(account: number): number {
    const { exposures, firstExposure } = this.#ledger
    let cost = 0
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      if (!this.#ledger.isPerp(row)) cost += exposures.costMicros[row]
    }
    return cost
  }
}
