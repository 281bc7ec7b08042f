import { assert } from '../../schemas/assert.js'
import { MarginModelKind, Right, Side, Tier } from '../../schemas/domain.js'
import { Result, scenariosPerModel } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import { isUnmarkedShort } from './bucket-sums.js'
import { nakedLots } from './defined-risk-model.js'
import { applyFill } from './fill.js'
import { FillStates } from './fill-states.js'
import { holdingOf, restoreHolding } from './holding.js'
import { BookView } from './margin-model.js'
import { isMarked } from './mark-view.js'
import {
  type ComboCheck,
  type ComboLegTerms,
  FillEffect,
  FillTerms,
  LiquidationGate,
  type MarginVerdict,
} from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { riskReducingOrdersHeld } from './risk-reducing-table.js'
import { differenceOf, Slacks } from './risk-reduction.js'
import { type WalletMargin, WalletSums } from './wallet-margin.js'
import { closesOnly, workingLots } from './working-orders.js'

const statesMax = 1 << riskReducingOrdersHeld

/**
 * Measures of a wallet before or after a combo: in each fill state of its risk-reducing orders, and the worst of them.
 */
class WalletMeasures extends Slacks {
  uncoveredMost = 0
  lacksMark = false
  /** Maintenance margin of the positions, without fills. */
  requiredMicros = 0
  equityMicros = 0
  premiumMicros = 0
  /** Cash less all reserves and the cost of the risk-reducing buys. */
  spareMicros = 0
  /** Worst scenario of the combo's underlying, and the binding rule, without fills. */
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
 * Admission of one wallet's side of a combo: all legs at their prices in one step. The trial applies the legs to the
 * account and restores it. The wallet is measured before and after them, in every fill state of its risk-reducing
 * orders. The combo passes if the wallet is covered afterwards, or if each leg closes part of a position and all legs
 * together satisfy the rule of risk-reducing orders. A combo that passes by the rule lowers no worst slack below both 0
 * and its value before.
 */
export class ComboAdmission {
  readonly #ledger: RiskLedger
  readonly #margin: WalletMargin
  readonly #states: FillStates
  readonly #view = new BookView()
  readonly #positions = new BookView()
  readonly #sums = new WalletSums()
  readonly #before = new WalletMeasures()
  readonly #after = new WalletMeasures()
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

  /** @see RiskEngine.checkCombo */
  check(request: ComboCheck, verdict: MarginVerdict): Result {
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
    const isRestored = ledger.positionsCounted[account] === countBefore
    assert(
      isRestored && ledger.cashMicros[account] === cashBefore,
      'risk: a trial of a combo changes nothing',
    )
    if (!isBeyond) return result
    verdict.clear()
    verdict.details[0] = positionsMax
    return Result.PositionsLimit
  }

  /** Checks that need no measure: tier, liquidation, index prices. */
  #checkGuards(request: ComboCheck, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    const { account, legs, liquidation } = request
    this.#reduces = legs.every((leg) => closesOnly(ledger, account, leg))
    if (ledger.tier[account] === Tier.Tier1) {
      const beyond = legs.find((leg) => this.#sellsBeyondLong(account, leg))
      if (beyond !== undefined) return this.#rejectTier(account, beyond, verdict)
    }
    if (liquidation !== LiquidationGate.Open) {
      const mayReduce = liquidation === LiquidationGate.ReducingOnly && this.#reduces
      if (!mayReduce) return Result.AccountInLiquidation
    }
    const unpriced = this.#underlyingWithoutSpot(request)
    if (unpriced === none) return Result.Accepted
    verdict.details[0] = unpriced
    return Result.NoSpotPrice
  }

  #judge(request: ComboCheck, cashBefore: number, verdict: MarginVerdict): Result {
    const { account, liquidation } = request
    const ledger = this.#ledger
    const after = this.#after
    const mayPassBelow = this.#reduces && this.#reducesRisk(request)
    if (mayPassBelow) return Result.Accepted
    if (cashBefore <= 0) return Result.NoFunds
    if (liquidation !== LiquidationGate.Open) return Result.AccountInLiquidation
    const kind = ledger.modelKind[account]
    const cash = ledger.cashMicros[account]
    const spendsCash = cash < cashBefore && kind !== MarginModelKind.Portfolio
    if (spendsCash && cash < after.premiumMicros) {
      verdict.details[0] = cashBefore - cash + after.premiumMicros
      verdict.details[1] = cashBefore
      return Result.InsufficientCash
    }
    const isNaked = kind === MarginModelKind.DefinedRisk && after.uncoveredMost > 0
    if (isNaked) return this.#rejectNaked(request, verdict)
    if (after.lacksMark) {
      verdict.details[0] = this.#instrumentWithoutMark(request)
      return Result.NoMarkPrice
    }
    return after.isCovered ? Result.Accepted : this.#rejectMargin(kind, verdict)
  }

  /** Evaluates the rule of risk-reducing orders for all legs as one order. */
  #reducesRisk({ account, legs }: ComboCheck): boolean {
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

  #fill(account: number, leg: ComboLegTerms): void {
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

  /** @param instrument of the combo, to keep the worst scenario of its bucket; `none` to omit it. */
  #measure({ account }: ComboCheck, instrument: number, out: WalletMeasures): void {
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

  #measureState(account: number, state: number, out: WalletMeasures): void {
    const sums = this.#sums
    const { cashMicros } = this.#ledger
    this.#margin.sum(account, this.#view, sums)
    const equity = cashMicros[account] + this.#states.cashMicros + sums.valueMicros
    const free = equity - sums.premiumMicros - sums.slippageMicros
    const { imMicros, mmMicros, uncoveredLots } = sums.requirement
    out.imMicros = Math.min(out.imMicros, free - imMicros)
    out.mmMicros = Math.min(out.mmMicros, free - mmMicros)
    out.freeMicros = Math.min(out.freeMicros, free - sums.unreservedSlippageMicros)
    out.uncoveredLots[state] = uncoveredLots
    out.uncoveredMost = Math.max(out.uncoveredMost, uncoveredLots)
    out.lacksMark = out.lacksMark || sums.unmarkedShorts > 0
    this.#margin.sum(account, this.#positions, sums)
    out.stateEquityMicros[state] = equity
    out.stateRequiredMicros[state] = sums.requirement.mmMicros
  }

  #sellsBeyondLong(account: number, { instrument, side, sizeLots }: ComboLegTerms): boolean {
    if (side === Side.Buy) return false
    const { exposures } = this.#ledger
    const exposure = exposures.find(account, instrument)
    if (exposure === none) return true
    const longLots = Math.max(0, exposures.positionLots[exposure])
    return sizeLots > longLots - workingLots(this.#ledger, account, exposure, Side.Sell)
  }

  #rejectTier(account: number, leg: ComboLegTerms, { details }: MarginVerdict): Result {
    const { exposures } = this.#ledger
    const exposure = exposures.find(account, leg.instrument)
    if (exposure !== none) {
      details[0] = Math.max(0, exposures.positionLots[exposure])
      details[1] = workingLots(this.#ledger, account, exposure, Side.Sell)
    }
    details[2] = leg.sizeLots
    return Result.TierLongOnly
  }

  // Returns the combo's underlying if its index is missing, else the lowest such underlying with a position, or `none`.
  #underlyingWithoutSpot({ account, legs }: ComboCheck): number {
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

  // Returns the first leg without a mark, else the lowest unmarked instrument in which the wallet is short.
  #instrumentWithoutMark({ account, legs }: ComboCheck): number {
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

  // Names the first leg whose right and expiry are short without cover, else the first leg that is sold.
  #rejectNaked({ account, legs }: ComboCheck, { details }: MarginVerdict): Result {
    const { exposures, instruments } = this.#ledger
    this.#view.exposure = none
    const isNaked = ({ instrument }: ComboLegTerms) => {
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

  #rejectMargin(kind: number, { details }: MarginVerdict): Result {
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
