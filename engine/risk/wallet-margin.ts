import { none } from '../core/orders.js'
import { freshen } from './bucket-sums.js'
import { freshenFees } from './buy-fees.js'
import {
  addRequirement,
  BookView,
  clearRequirement,
  type MarginModel,
  MarginModelKind,
  Requirement,
} from './margin-model.js'
import { indexMicrosOf, markOf } from './mark-view.js'
import { valueMicros } from './money.js'
import type { MaintenanceMargin, MarginSummary, PositionMargin } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'

/** Sums over a wallet's buckets in one view of its book, micros. */
export class WalletSums {
  /** Σ m·q of the positions as they are, whatever the view. */
  valueMicros = 0
  /** What working buys reserve, their fees included. */
  premiumMicros = 0
  slippageMicros = 0
  unmarkedShorts = 0
  readonly requirement = new Requirement()
  /** Requirement of the bucket that the view changes; meaningless when it changes none. */
  readonly changed = new Requirement()
}

const keptPositions = 1
const keptSells = 2

/** Requirements of wallets: sums over buckets, of which unchanged ones are kept between calls. */
export class WalletMargin {
  readonly #ledger: RiskLedger
  readonly #bucketRequirement = new Requirement()
  readonly #sums = new WalletSums()
  readonly #positions = new BookView()
  readonly #changed = new BookView()
  readonly #withSells = new BookView()

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
    this.#withSells.withSells = true
  }

  /** Sums over all buckets of an account; those of its underlyings are made fresh first. */
  sum(account: number, view: BookView, out: WalletSums): void {
    const { buckets } = this.#ledger
    const model = this.#ledger.modelOf(account)
    const hasFees = this.#ledger.fees.worst !== 0
    const changed = view.exposure === none ? none : this.#ledger.bucketOf(view.exposure)
    out.valueMicros = 0
    out.premiumMicros = 0
    out.slippageMicros = 0
    out.unmarkedShorts = 0
    clearRequirement(out.requirement)
    let bucket = this.#ledger.firstBucket[account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      freshen(this.#ledger, bucket)
      if (hasFees) freshenFees(this.#ledger, bucket)
      out.valueMicros += buckets.valueMicros[bucket]
      out.premiumMicros += buckets.premiumMicros[bucket] + buckets.feeMicros[bucket]
      out.slippageMicros += buckets.slippageMicros[bucket]
      out.unmarkedShorts += buckets.unmarkedShorts[bucket]
      if (bucket === changed) {
        model.measure(bucket, view, out.changed)
        addRequirement(out.changed, out.requirement)
      } else {
        this.#measureKept(model, bucket, view.withSells)
        addRequirement(this.#bucketRequirement, out.requirement)
      }
    }
    model.combine(out.requirement)
  }

  /** Equity and maintenance margin alone, for the continuous check. */
  maintenance(account: number, out: MaintenanceMargin): void {
    const sums = this.#sums
    this.sum(account, this.#positions, sums)
    out.equityMicros = this.#ledger.cashMicros[account] + sums.valueMicros
    out.requiredMicros = sums.requirement.mmMicros
  }

  /** Maintenance margin of the positions with `moreLots` added to one of them. */
  maintenanceWith(exposure: number, moreLots: number): number {
    const view = this.#changed
    view.exposure = exposure
    view.positionLots = moreLots
    this.sum(this.#ledger.exposures.account[exposure], view, this.#sums)
    return this.#sums.requirement.mmMicros
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
    out.premiumReserved = sums.premiumMicros
    out.openOrdersIm =
      sums.premiumMicros +
      sums.slippageMicros * this.slippageWeight(account) +
      (imWithSells - requirement.imMicros)
    out.totalMarginUsed = out.positionIm + out.openOrdersIm
    out.available = out.equity - out.totalMarginUsed
    const portfolio = out.model === MarginModelKind.Portfolio
    out.gammaOverlay = portfolio ? requirement.overlayMicros : 0
    out.optionFloor = portfolio ? requirement.floorMicros : 0
    out.scanningRisk = portfolio ? requirement.scanningMicros : 0
    // Option value is not cash, and premium set aside is spent: neither can leave.
    out.withdrawable = Math.max(0, Math.min(out.available, cash - sums.premiumMicros))
    out.unrealized = sums.valueMicros - this.#costOf(account)
  }

  /** Whether all of a wallet's book is covered by its equity, and can be told to be. */
  meetsInitial(account: number): boolean {
    const { buckets, firstBucket, marks, modelKind, nowMillis } = this.#ledger
    const sums = this.#sums
    this.sum(account, this.#withSells, sums)
    if (modelKind[account] === MarginModelKind.DefinedRisk) {
      if (sums.requirement.uncoveredLots > 0) return false
    } else if (sums.unmarkedShorts > 0) return false
    let bucket = firstBucket[account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      if (marks.indexIsMissing(buckets.underlying[bucket], nowMillis)) return false
    }
    const equity = this.#ledger.cashMicros[account] + sums.valueMicros
    const slippage = sums.slippageMicros * this.slippageWeight(account)
    return equity >= sums.requirement.imMicros + sums.premiumMicros + slippage
  }

  /** Whether a wallet's cash covers what its working buys reserve, where its model asks for it (section 5.7). */
  coversPremium(account: number): boolean {
    const { cashMicros, modelKind } = this.#ledger
    if (modelKind[account] === MarginModelKind.Portfolio) return true
    this.sum(account, this.#positions, this.#sums)
    return cashMicros[account] >= this.#sums.premiumMicros
  }

  /** 1 where sells below the mark need a reserve, 0 under defined_risk (section 5.5, rule 3). */
  slippageWeight(account: number): number {
    return this.#ledger.modelKind[account] === MarginModelKind.DefinedRisk ? 0 : 1
  }

  positionMargin(exposure: number, out: PositionMargin): void {
    const model = this.#ledger.modelOf(this.#ledger.exposures.account[exposure])
    model.measureAlone(exposure, this.#bucketRequirement)
    out.imMicros = this.#bucketRequirement.imMicros
    out.mmMicros = this.#bucketRequirement.mmMicros
  }

  /**
   * Change of equity, micros, when an order fills in full: its premium against the mark's worth.
   */
  equityChange(exposure: number, signedLots: number, flowMicros: number): number {
    const { exposures, marks } = this.#ledger
    const markMicros = markOf(marks, exposures.instrument[exposure])
    if (!(markMicros >= 0)) return flowMicros
    const position = exposures.positionLots[exposure]
    const before = valueMicros(markMicros, position)
    return flowMicros + valueMicros(markMicros, position + signedLots) - before
  }

  #measureKept(model: MarginModel, bucket: number, withSells: boolean): void {
    const { buckets } = this.#ledger
    const out = this.#bucketRequirement
    const bit = withSells ? keptSells : keptPositions
    // The index may move before the next re-mark, and the short minimum with it.
    const spotMicros = indexMicrosOf(this.#ledger.marks, buckets.underlying[bucket])
    if (spotMicros !== buckets.keptSpotMicros[bucket]) buckets.kept[bucket] = 0
    if (model.timed || (buckets.kept[bucket] & bit) === 0) {
      buckets.keptSpotMicros[bucket] = spotMicros
      model.measure(bucket, withSells ? this.#withSells : this.#positions, out)
      if (withSells) {
        buckets.keptSellsIm[bucket] = out.imMicros
        buckets.keptSellsUncovered[bucket] = out.uncoveredLots
      } else {
        buckets.keptPositionIm[bucket] = out.imMicros
        buckets.keptPositionMm[bucket] = out.mmMicros
        buckets.keptPositionUncovered[bucket] = out.uncoveredLots
      }
      buckets.kept[bucket] |= bit
      return
    }
    clearRequirement(out)
    out.imMicros = withSells ? buckets.keptSellsIm[bucket] : buckets.keptPositionIm[bucket]
    out.mmMicros = withSells ? 0 : buckets.keptPositionMm[bucket]
    out.uncoveredLots = withSells
      ? buckets.keptSellsUncovered[bucket]
      : buckets.keptPositionUncovered[bucket]
  }

  #costOf(account: number): number {
    const { exposures, firstExposure } = this.#ledger
    let cost = 0
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) cost += exposures.costMicros[row]
    return cost
  }
}
