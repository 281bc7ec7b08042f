import { assert } from '../../schemas/assert.js'
import { MarginModelKind, Right, Side, Tier } from '../../schemas/domain.js'
import { Result, scenariosPerModel } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import { isUnmarkedShort } from './bucket-sums.js'
import { nakedLots } from './defined-risk-model.js'
import { exemptOrdersHeld } from './exempt-table.js'
import { differenceOf, Slacks } from './exemption.js'
import { applyFill } from './fill.js'
import { FillStates } from './fill-states.js'
import { holdingOf, restoreHolding } from './holding.js'
import { BookView } from './margin-model.js'
import { isMarked } from './mark-view.js'
import {
  FillEffect,
  FillTerms,
  LiquidationGate,
  type MarginVerdict,
  type PackageCheck,
  type PackageLeg,
} from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { type WalletMargin, WalletSums } from './wallet-margin.js'
import { closesOnly, workingLots } from './working-orders.js'

const statesMax = 1 << exemptOrdersHeld

/** A wallet as it is before a package, or behind it: in each state of its exempt orders, and the worst of these. */
class Standing extends Slacks {
  uncoveredMost = 0
  lacksMark = false
  /** Of the positions, nothing filled. */
  requiredMicros = 0
  equityMicros = 0
  premiumMicros = 0
  /** Cash less all reserves and what the exempt buys may cost. */
  spareMicros = 0
  /** Worst scenario of the package's underlying, and what binds, nothing filled. */
  scenario: number = none
  bound = 0
  readonly uncoveredLots = new Float64Array(statesMax)
  readonly stateEquityMicros = new Float64Array(statesMax)
  readonly stateRequiredMicros = new Float64Array(statesMax)

  override clear(): void {
    super.clear()
    this.uncoveredMost = 0
    this.lacksMark = false
  }

  get isCovered(): boolean {
    return this.imMicros >= 0 && this.mmMicros >= 0 && this.freeMicros >= 0
  }
}

/**
 * Admission of one wallet's side of a package: all legs at their prices in one step. They are tried out on the account
 * and put back, and the wallet is measured before and behind them, in every state of its exempt orders. It passes where
 * it is covered behind them, or where each leg closes a part of a position and the rule of exempt orders holds for all
 * of them as one. What passes leaves no worst slack below 0 and below what it was.
 */
export class PackageAdmission {
  readonly #ledger: RiskLedger
  readonly #margin: WalletMargin
  readonly #states: FillStates
  readonly #view = new BookView()
  readonly #positions = new BookView()
  readonly #sums = new WalletSums()
  readonly #before = new Standing()
  readonly #after = new Standing()
  readonly #terms = new FillTerms()
  readonly #effect = new FillEffect()
  #stateCount = 0
  #reduces = false

  constructor(ledger: RiskLedger, margin: WalletMargin) {
    this.#ledger = ledger
    this.#margin = margin
    this.#states = new FillStates(ledger)
    this.#view.withSells = true
    this.#view.withMaintenance = true
  }

  /** @see RiskEngine.checkPackage */
  check(request: PackageCheck, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    const { account, legs } = request
    assert(legs.length > 0, 'risk: a combo has legs')
    verdict.clear()
    const guarded = this.#checkGuards(request, verdict)
    if (guarded !== Result.Accepted) return guarded
    const cashBefore = ledger.cashMicros[account]
    const countBefore = ledger.positionsCounted[account]
    this.#measure(request, none, this.#before)
    const holdings = legs.map(({ instrument }) => holdingOf(ledger, account, instrument))
    for (const leg of legs) this.#fill(account, leg)
    const { positionsMax } = request
    const count = ledger.positionsCounted[account]
    const isBeyond = positionsMax >= 0 && count > positionsMax && count > countBefore
    this.#measure(request, legs[0].instrument, this.#after)
    const result = this.#judge(request, cashBefore, verdict)
    for (const holding of holdings) restoreHolding(ledger, holding)
    const isBack = ledger.positionsCounted[account] === countBefore
    assert(
      isBack && ledger.cashMicros[account] === cashBefore,
      'risk: a trial of a combo changes nothing',
    )
    if (!isBeyond) return result
    verdict.clear()
    verdict.details[0] = positionsMax
    return Result.PositionsLimit
  }

  /** What needs no measure: tier, liquidation, prices of what is held. */
  #checkGuards(request: PackageCheck, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    const { account, legs, liquidation } = request
    this.#reduces = legs.every((leg) => closesOnly(ledger, account, leg))
    if (ledger.tier[account] === Tier.Tier1) {
      const beyond = legs.find((leg) => this.#sellsBeyondLong(account, leg))
      if (beyond !== undefined) return this.#refuseTier(account, beyond, verdict)
    }
    if (liquidation !== LiquidationGate.Open) {
      const mayReduce = liquidation === LiquidationGate.ReducingOnly && this.#reduces
      if (!mayReduce) return Result.AccountInLiquidation
    }
    const spotless = this.#underlyingWithoutSpot(request)
    if (spotless === none) return Result.Accepted
    verdict.details[0] = spotless
    return Result.NoSpotPrice
  }

  #judge(request: PackageCheck, cashBefore: number, verdict: MarginVerdict): Result {
    const { account, liquidation } = request
    const ledger = this.#ledger
    const after = this.#after
    const mayPassBelow = this.#reduces && this.#isHarmless(request)
    if (mayPassBelow) return Result.Accepted
    if (cashBefore <= 0) return Result.NoFunds
    if (liquidation !== LiquidationGate.Open) return Result.AccountInLiquidation
    const kind = ledger.modelKind[account]
    const cash = ledger.cashMicros[account]
    const isCosting = cash < cashBefore && kind !== MarginModelKind.Portfolio
    if (isCosting && cash < after.premiumMicros) {
      verdict.details[0] = cashBefore - cash + after.premiumMicros
      verdict.details[1] = cashBefore
      return Result.InsufficientCash
    }
    const isNaked = kind === MarginModelKind.DefinedRisk && after.uncoveredMost > 0
    if (isNaked) return this.#refuseNaked(request, verdict)
    if (after.lacksMark) {
      verdict.details[0] = this.#instrumentWithoutMark(request)
      return Result.NoMarkPrice
    }
    return after.isCovered ? Result.Accepted : this.#refuseMargin(kind, verdict)
  }

  /** The rule of exempt orders, for all legs as one. */
  #isHarmless({ account, legs }: PackageCheck): boolean {
    const [before, after] = [this.#before, this.#after]
    if (!after.reaches(before)) return false
    for (let state = 0; state < this.#stateCount; state++) {
      if (after.uncoveredLots[state] > before.uncoveredLots[state]) return false
      if (before.mmMicros >= 0) continue
      const ratio = differenceOf(
        after.stateEquityMicros[state],
        before.stateRequiredMicros[state],
        before.stateEquityMicros[state],
        after.stateRequiredMicros[state],
      )
      if (ratio < 0) return false
    }
    const { marks, modelKind } = this.#ledger
    const needsMarks = modelKind[account] !== MarginModelKind.DefinedRisk
    const isUnmarked = legs.some(({ instrument }) => !isMarked(marks, instrument))
    return !needsMarks || !isUnmarked || after.spareMicros >= 0
  }

  #fill(account: number, leg: PackageLeg): void {
    const terms = this.#terms
    terms.account = account
    terms.instrument = leg.instrument
    terms.side = leg.side
    terms.sizeLots = leg.sizeLots
    terms.priceMicros = leg.priceMicros
    terms.premiumMicros = leg.cashMicros
    terms.feeMicros = leg.feeMicros
    applyFill(this.#ledger, terms, this.#effect)
  }

  /** @param instrument of the package, whose bucket's worst scenario is kept; `none`: it is not asked for. */
  #measure({ account }: PackageCheck, instrument: number, out: Standing): void {
    const states = this.#states
    states.begin(account, none)
    this.#stateCount = states.count
    out.clear()
    this.#view.exposure = none
    for (let state = 0; state < states.count; state++) {
      states.enter(state)
      this.#measureState(account, state, out)
    }
    states.leave()
    const buys = states.buysMicros
    const sums = this.#sums
    this.#view.exposure =
      instrument === none ? none : this.#ledger.exposures.find(account, instrument)
    this.#margin.sum(account, this.#view, sums)
    if (this.#view.exposure !== none) {
      out.scenario = sums.changed.scenario
      out.bound = sums.changed.bound
    }
    out.premiumMicros = sums.premiumMicros
    const cash = this.#ledger.cashMicros[account]
    out.spareMicros = cash - sums.premiumMicros - sums.slippageMicros - buys
    out.equityMicros = out.stateEquityMicros[0]
    out.requiredMicros = out.stateRequiredMicros[0]
  }

  #measureState(account: number, state: number, out: Standing): void {
    const sums = this.#sums
    const { cashMicros } = this.#ledger
    this.#margin.sum(account, this.#view, sums)
    const equity = cashMicros[account] + this.#states.cashMicros + sums.valueMicros
    const free = equity - sums.premiumMicros - sums.slippageMicros
    const { imMicros, mmMicros, uncoveredLots } = sums.requirement
    out.imMicros = Math.min(out.imMicros, free - imMicros)
    out.mmMicros = Math.min(out.mmMicros, free - mmMicros)
    out.freeMicros = Math.min(out.freeMicros, free - sums.unaskedSlippageMicros)
    out.uncoveredLots[state] = uncoveredLots
    out.uncoveredMost = Math.max(out.uncoveredMost, uncoveredLots)
    out.lacksMark = out.lacksMark || sums.unmarkedShorts > 0
    this.#margin.sum(account, this.#positions, sums)
    out.stateEquityMicros[state] = equity
    out.stateRequiredMicros[state] = sums.requirement.mmMicros
  }

  #sellsBeyondLong(account: number, { instrument, side, sizeLots }: PackageLeg): boolean {
    if (side === Side.Buy) return false
    const { exposures } = this.#ledger
    const exposure = exposures.find(account, instrument)
    if (exposure === none) return true
    const longLots = Math.max(0, exposures.positionLots[exposure])
    return sizeLots > longLots - workingLots(this.#ledger, account, exposure, Side.Sell)
  }

  #refuseTier(account: number, leg: PackageLeg, { details }: MarginVerdict): Result {
    const { exposures } = this.#ledger
    const exposure = exposures.find(account, leg.instrument)
    if (exposure !== none) {
      details[0] = Math.max(0, exposures.positionLots[exposure])
      details[1] = workingLots(this.#ledger, account, exposure, Side.Sell)
    }
    details[2] = leg.sizeLots
    return Result.TierLongOnly
  }

  // The package's underlying first, then the lowest in which there is a position.
  #underlyingWithoutSpot({ account, legs }: PackageCheck): number {
    const { exposures, firstExposure, instruments, marks, nowMillis } = this.#ledger
    const own = instruments.underlying[legs[0].instrument]
    if (marks.indexIsMissing(own, nowMillis)) return own
    let lowest: number = none
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      if (exposures.positionLots[row] === 0) continue
      const underlying = instruments.underlying[exposures.instrument[row]]
      if (lowest !== none && lowest <= underlying) continue
      if (marks.indexIsMissing(underlying, nowMillis)) lowest = underlying
    }
    return lowest
  }

  // The first leg without one, else the lowest that the wallet is short of.
  #instrumentWithoutMark({ account, legs }: PackageCheck): number {
    const ledger = this.#ledger
    const { exposures, firstExposure, marks } = ledger
    const leg = legs.find(({ instrument }) => !isMarked(marks, instrument))
    if (leg !== undefined) return leg.instrument
    let lowest: number = none
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      const [sells, buys] = [exposures.workingSellLots[row], exposures.workingBuyLots[row]]
      if (!isUnmarkedShort(ledger, row, sells, buys)) continue
      const instrument = exposures.instrument[row]
      if (lowest === none || instrument < lowest) lowest = instrument
    }
    return lowest === none ? legs[0].instrument : lowest
  }

  // The first leg whose right and expiry are short without cover, else the first that is sold.
  #refuseNaked({ account, legs }: PackageCheck, { details }: MarginVerdict): Result {
    const { exposures, instruments } = this.#ledger
    this.#view.exposure = none
    const isNaked = ({ instrument }: PackageLeg) => {
      const exposure = exposures.find(account, instrument)
      if (exposure === none) return false
      const right = instruments.right[instrument] as Right
      return nakedLots(this.#ledger, exposures.group[exposure], this.#view, right) > 0
    }
    const sold = legs.find(({ side }) => side === Side.Sell)
    const { instrument } = legs.find(isNaked) ?? sold ?? legs[0]
    details[0] = instruments.underlying[instrument]
    details[1] = instruments.expiryDate[instrument]
    const isCall = instruments.right[instrument] === Right.Call
    return isCall ? Result.NakedShortCalls : Result.NakedShortPuts
  }

  #refuseMargin(kind: number, { details }: MarginVerdict): Result {
    const [before, after] = [this.#before, this.#after]
    const slackAfter = Math.min(after.imMicros, after.mmMicros, after.freeMicros)
    const required = before.equityMicros - slackAfter
    const consumedIm = before.equityMicros - before.imMicros
    details[0] = required
    details[1] = before.equityMicros
    details[2] = required - before.equityMicros
    details[3] = consumedIm
    details[4] = required - consumedIm
    details[5] = before.requiredMicros
    details[6] = after.requiredMicros - before.requiredMicros
    details[7] = after.scenario < 0 ? -1 : kind * scenariosPerModel + after.scenario
    details[8] = after.bound
    return Result.InsufficientMargin
  }
}
