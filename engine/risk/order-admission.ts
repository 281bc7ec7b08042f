import { assert } from '../../schemas/assert.js'
import { MarginModelKind, Right, Side, Tier } from '../../schemas/domain.js'
import { marginDetails, Result, scenariosPerModel } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import { PriceBand, widenBand } from '../pricing/price-bands.js'
import { numbersOf, WorstState } from './admission-numbers.js'
import { AdmissionCheck, type CheckNumbers } from './admission-trace.js'
import { netLots } from './book-view.js'
import { isUnmarkedShort } from './bucket-sums.js'
import { nakedLots } from './defined-risk-model.js'
import { FillStates } from './fill-states.js'
import { JudgedOrder } from './judged-order.js'
import { BookView, MarginBound } from './margin-model.js'
import { LiquidationGate, type MarginVerdict, type OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { RiskReduction, RiskReductionRule } from './risk-reduction.js'
import { type WalletMargin, WalletSums } from './wallet-margin.js'

/**
 * Admission of an order. Checks that pass at once cost one sum over the wallet's buckets. The rule of risk-reducing
 * orders is evaluated only when a check would fail.
 */
export class OrderAdmission {
  readonly #ledger: RiskLedger
  readonly #margin: WalletMargin
  readonly #order: JudgedOrder
  readonly #states: FillStates
  readonly #rule: RiskReductionRule
  readonly #view = new BookView()
  readonly #positionView = new BookView()
  readonly #sums = new WalletSums()
  readonly #before = new WalletSums()
  readonly #after = new WalletSums()
  readonly #band = new PriceBand()
  readonly #worst = new WorstState()

  constructor(ledger: RiskLedger, margin: WalletMargin) {
    this.#ledger = ledger
    this.#margin = margin
    this.#order = new JudgedOrder(ledger)
    this.#states = new FillStates(ledger)
    this.#rule = new RiskReductionRule(ledger, margin, this.#states)
  }

  /** @see RiskEngine.checkOrder */
  check(request: OrderCheck, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    assert(request.sizeLots > 0, 'risk: an order has a size')
    // A wallet's first order in an instrument has no row yet; the check adds a temporary one.
    const known = ledger.exposures.find(request.account, request.instrument)
    const exposure =
      known === none ? ledger.exposureFor(request.account, request.instrument) : known
    const order = this.#order
    order.take(request, exposure)
    verdict.clear()
    const result = this.#judge(order, verdict)
    const stays = request.starts && result === Result.Accepted
    if (known === none && !stays) ledger.release(exposure)
    return result
  }

  /**
   * Returns true if an order of an existing exposure reduces risk, regardless of the number of risk-reducing orders.
   * `replacedSlot` may be the order itself.
   */
  isRiskReducing(request: OrderCheck): boolean {
    const order = this.#order
    order.take(request, this.#ledger.exposures.find(request.account, request.instrument))
    return this.#riskReductionOf(order) !== RiskReduction.Refused
  }

  #judge(order: JudgedOrder, verdict: MarginVerdict): Result {
    let result: Result = this.#checkFunds(order)
    if (this.#endsAt(AdmissionCheck.Funds, order, result)) return result
    result = this.#checkTier(order, verdict)
    if (this.#endsAt(AdmissionCheck.Tier, order, result)) return result
    result = this.#checkLiquidation(order)
    if (this.#endsAt(AdmissionCheck.Liquidation, order, result)) return result
    result = this.#checkIndex(order, verdict)
    if (this.#endsAt(AdmissionCheck.IndexPrice, order, result)) return result
    result = this.#checkBand(order, verdict)
    if (this.#endsAt(AdmissionCheck.PriceBand, order, result)) return result
    this.#findWorst(order)
    result = this.#checkCash(order, verdict)
    if (this.#endsAt(AdmissionCheck.Cash, order, result)) return result
    const isNaked = this.#isNaked(order)
    const covered =
      isNaked && !this.#mayBeRiskReducing(order)
        ? this.#rejectNaked(order, verdict)
        : Result.Accepted
    if (this.#endsAt(AdmissionCheck.NakedShorts, order, covered)) return covered
    result = this.#checkMarks(order, verdict)
    if (this.#endsAt(AdmissionCheck.MarkPrice, order, result)) return result
    // A trace that continues after naked shorts receives the margin amounts alone.
    result = this.#checkMargin(order, isNaked && covered === Result.Accepted, verdict)
    return this.#endsAt(AdmissionCheck.Margin, order, result) ? result : Result.Accepted
  }

  #endsAt(check: AdmissionCheck, order: JudgedOrder, result: Result): boolean {
    const { trace } = order.request
    if (trace === null) return result !== Result.Accepted
    return trace.onCheck(check, result, this.#numbersOf(check, order))
  }

  /** Returns the numbers of a check, for a trace. */
  #numbersOf(check: AdmissionCheck, order: JudgedOrder): CheckNumbers | null {
    return numbersOf(check, {
      ...{ order, ledger: this.#ledger, margin: this.#margin },
      ...{ band: this.#band, worst: this.#worst },
      writeMarginDetails: (details) => this.#writeMarginDetails(order, details),
    })
  }

  #checkFunds(order: JudgedOrder): Result {
    const hasNoCash = this.#ledger.cashMicros[order.request.account] <= 0
    return hasNoCash && !this.#mayBeRiskReducing(order) ? Result.NoFunds : Result.Accepted
  }

  #checkTier(order: JudgedOrder, verdict: MarginVerdict): Result {
    const isLongOnly = this.#ledger.tier[order.request.account] === Tier.Tier1
    return isLongOnly && order.sellsBeyondLong()
      ? this.#rejectTier(order, verdict)
      : Result.Accepted
  }

  #checkLiquidation(order: JudgedOrder): Result {
    const { liquidation } = order.request
    if (liquidation === LiquidationGate.Open) return Result.Accepted
    const mayReduce = liquidation === LiquidationGate.ReducingOnly
    const passes = mayReduce && this.#mayBeRiskReducing(order)
    return passes ? Result.Accepted : Result.AccountInLiquidation
  }

  #checkIndex(order: JudgedOrder, { details }: MarginVerdict): Result {
    const unpriced = this.#underlyingWithoutSpot(order)
    if (unpriced === none) return Result.Accepted
    details[0] = unpriced
    return Result.NoSpotPrice
  }

  #checkCash(order: JudgedOrder, { details }: MarginVerdict): Result {
    const { account, side } = order.request
    const { cashMicros, modelKind } = this.#ledger
    if (side !== Side.Buy || modelKind[account] === MarginModelKind.Portfolio)
      return Result.Accepted
    const { premiumMicros } = this.#worst
    const lacksCash = cashMicros[account] - premiumMicros < 0
    if (!lacksCash || this.#mayBeRiskReducing(order)) return Result.Accepted
    details[0] = premiumMicros
    details[1] = cashMicros[account]
    return Result.InsufficientCash
  }

  #isNaked({ request }: JudgedOrder): boolean {
    const kind = this.#ledger.modelKind[request.account]
    return kind === MarginModelKind.DefinedRisk && this.#worst.uncoveredLots > 0
  }

  #checkMarks(order: JudgedOrder, { details }: MarginVerdict): Result {
    if (!this.#worst.lacksMark || this.#mayBeRiskReducing(order)) return Result.Accepted
    details[0] = this.#instrumentWithoutMark(order)
    return Result.NoMarkPrice
  }

  #checkMargin(order: JudgedOrder, isNaked: boolean, verdict: MarginVerdict): Result {
    const { lacksMark, slackMicros } = this.#worst
    if (slackMicros >= 0 && !isNaked && !lacksMark) return Result.Accepted
    if (!this.#mayPassBelow(order)) {
      this.#writeMarginDetails(order, verdict.details)
      return Result.InsufficientMargin
    }
    verdict.reducesRisk = true
    return Result.Accepted
  }

  /**
   * Returns true if an order is admitted below initial margin. A perp under portfolio must also not raise its wallet's
   * requirement.
   */
  #mayPassBelow(order: JudgedOrder): boolean {
    const { request } = order
    if (!this.#mayBeRiskReducing(order)) return false
    const isPortfolio = this.#ledger.modelKind[request.account] === MarginModelKind.Portfolio
    if (!order.isPerp || !isPortfolio) return true
    return this.#requiredNow(order, true) <= this.#requiredNow(order, false)
  }

  #mayBeRiskReducing(order: JudgedOrder): boolean {
    return this.#riskReductionOf(order) === RiskReduction.Admitted
  }

  #riskReductionOf(order: JudgedOrder): RiskReduction {
    order.riskReduction ??= this.#rule.judge(order)
    return order.riskReduction
  }

  /**
   * Measures the wallet with the order working and the replaced one removed, in the worst fill state of its
   * risk-reducing orders.
   */
  #findWorst(order: JudgedOrder): void {
    const { request } = order
    const states = this.#states
    this.#worst.clear()
    if (this.#ledger.riskReducing.count[request.account] === 0) {
      this.#includeState(order, 0)
      return
    }
    states.begin(request.account, request.replacedSlot)
    for (let state = 0; state < states.count; state++) {
      states.enter(state)
      this.#includeState(order, states.cashMicros)
    }
    states.leave()
  }

  #includeState(order: JudgedOrder, filledMicros: number): void {
    const { request } = order
    const sums = this.#sums
    const worst = this.#worst
    order.view(true, this.#view)
    this.#margin.sum(request.account, this.#view, sums)
    const premium = order.premiumWith(sums)
    const equity = this.#ledger.cashMicros[request.account] + filledMicros + sums.valueMicros
    const required = sums.requirement.imMicros + premium + order.slippageWith(sums)
    worst.premiumMicros = premium
    worst.slackMicros = Math.min(worst.slackMicros, equity - required)
    worst.uncoveredLots = Math.max(worst.uncoveredLots, sums.requirement.uncoveredLots)
    worst.lacksMark = worst.lacksMark || this.#lacksMark(order, sums)
  }

  #rejectTier(order: JudgedOrder, { details }: MarginVerdict): Result {
    details[0] = Math.max(0, this.#ledger.exposures.positionLots[order.exposure])
    details[1] = order.workingLots(Side.Sell)
    details[2] = order.request.sizeLots
    return Result.TierLongOnly
  }

  // Returns the order's underlying if its index is missing, else the lowest such underlying with a position, or `none`.
  #underlyingWithoutSpot({ request }: JudgedOrder): number {
    const { buckets, firstBucket, instruments, marks, nowMillis } = this.#ledger
    const own = instruments.underlying[request.instrument]
    if (marks.indexIsMissing(own, nowMillis)) return own
    let bucket = firstBucket[request.account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      const underlying = buckets.underlying[bucket]
      if (!marks.indexIsMissing(underlying, nowMillis)) continue
      if (this.#hasPosition(bucket)) return underlying
    }
    return none
  }

  #hasPosition(bucket: number): boolean {
    const { buckets, exposures, groups } = this.#ledger
    for (let group = buckets.firstGroup[bucket]; group !== none; ) {
      let row = groups.firstExposure[group]
      for (; row !== none; row = exposures.nextInGroup[row]) {
        if (exposures.positionLots[row] !== 0) return true
      }
      group = groups.nextInBucket[group]
    }
    return false
  }

  /**
   * Checks the price band. A price far from the mark gets its own error before the checks of cash and margin. Without a
   * mark the check fails closed: only risk-reducing orders pass, so buys and `defined_risk` need a mark too. Bands
   * apply to options only, because they follow from volatilities.
   */
  #checkBand(order: JudgedOrder, verdict: MarginVerdict): Result {
    const { request } = order
    const { marks, options } = this.#ledger
    const { bands } = options
    if (bands === undefined || !bands.enabled || order.isPerp) return Result.Accepted
    const band = this.#band
    if (!marks.bandOf(request.instrument, bands, band)) {
      if (this.#mayBeRiskReducing(order)) return Result.Accepted
      verdict.details[0] = request.instrument
      return Result.NoMarkPrice
    }
    if (isWithin(band, request)) return Result.Accepted
    if (this.#mayBeRiskReducing(order)) {
      widenBand(band, bands.reducingFactor)
      if (isWithin(band, request)) return Result.Accepted
    }
    verdict.details[0] = band.lowerMicros
    verdict.details[1] = band.upperMicros
    return Result.OutsidePriceBand
  }

  #lacksMark(order: JudgedOrder, sums: WalletSums): boolean {
    if (!order.needsMark()) return sums.unmarkedShorts > 0
    if (order.isPerp || order.sellsBeyondLong()) return true
    const { workingBuyLots, workingSellLots } = this.#ledger.exposures
    const { exposure } = order
    const [sellsNow, buysNow] = [workingSellLots[exposure], workingBuyLots[exposure]]
    const [sells, buys] = [sellsNow - order.replacedSellLots, buysNow - order.replacedBuyLots]
    const shortNow = isUnmarkedShort(this.#ledger, exposure, sellsNow, buysNow)
    const shortThen = isUnmarkedShort(this.#ledger, exposure, sells, buys)
    return sums.unmarkedShorts - (shortNow && !shortThen ? 1 : 0) > 0
  }

  // Returns the order's own instrument if it lacks a mark, else the lowest unmarked one in which the wallet is or could
  // become short.
  #instrumentWithoutMark(order: JudgedOrder): number {
    const { request } = order
    const { exposures, firstExposure } = this.#ledger
    const isBare = order.needsMark() && (order.isPerp || order.sellsBeyondLong())
    if (isBare) return request.instrument
    let lowest: number = none
    let row = firstExposure[request.account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      const isOwn = row === order.exposure
      const sells = exposures.workingSellLots[row] - (isOwn ? order.replacedSellLots : 0)
      const buys = exposures.workingBuyLots[row] - (isOwn ? order.replacedBuyLots : 0)
      if (!isUnmarkedShort(this.#ledger, row, sells, buys)) continue
      const instrument = exposures.instrument[row]
      if (lowest === none || instrument < lowest) lowest = instrument
    }
    return lowest === none ? request.instrument : lowest
  }

  #rejectNaked(order: JudgedOrder, verdict: MarginVerdict): Result {
    const { request } = order
    const states = this.#states
    states.begin(request.account, request.replacedSlot)
    order.view(true, this.#view)
    let result: Result = Result.Accepted
    for (let state = 0; state < states.count && result === Result.Accepted; state++) {
      states.enter(state)
      result = this.#nakedIn(order, verdict)
    }
    states.leave()
    assert(result !== Result.Accepted, 'risk: naked shorts are in some state')
    return result
  }

  // Checks the order's own expiry first, then from the lowest underlying and its latest expiry; calls first.
  #nakedIn(order: JudgedOrder, verdict: MarginVerdict): Result {
    const { request } = order
    const { buckets, exposures, firstBucket, groups } = this.#ledger
    const own = this.#nakedResult(exposures.group[order.exposure], verdict)
    if (own !== Result.Accepted) return own
    let bucket = firstBucket[request.account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      for (let group = buckets.firstGroup[bucket]; group !== none; ) {
        const result = this.#nakedResult(group, verdict)
        if (result !== Result.Accepted) return result
        group = groups.nextInBucket[group]
      }
    }
    return Result.Accepted
  }

  #nakedResult(group: number, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    const calls = nakedLots(ledger, group, this.#view, Right.Call) > 0
    if (!calls && nakedLots(ledger, group, this.#view, Right.Put) === 0) return Result.Accepted
    const instrument = this.#lowestShort(group, calls ? Right.Call : Right.Put)
    verdict.details[0] = ledger.instruments.underlying[instrument]
    verdict.details[1] = ledger.instruments.expiryDate[instrument]
    return calls ? Result.NakedShortCalls : Result.NakedShortPuts
  }

  // Returns the lowest of the group's instruments that are net short in a right. Instruments of one expiry time may
  // differ in date.
  #lowestShort(group: number, right: Right): number {
    const ledger = this.#ledger
    const { exposures, groups, instruments } = ledger
    let lowest: number = none
    let row = groups.firstExposure[group]
    for (; row !== none; row = exposures.nextInGroup[row]) {
      const instrument = exposures.instrument[row]
      if (instruments.right[instrument] !== right) continue
      if (netLots(ledger, this.#view, row) >= 0) continue
      if (lowest === none || instrument < lowest) lowest = instrument
    }
    return lowest
  }

  #sumPositions(order: JudgedOrder, filled: boolean, out: WalletSums): void {
    const { request } = order
    const view = this.#positionView
    view.exposure = filled ? order.exposure : none
    view.positionLots = request.side === Side.Buy ? request.sizeLots : -request.sizeLots
    this.#margin.sum(request.account, view, out)
  }

  /** Writes the details of `InsufficientMargin`. */
  #writeMarginDetails(order: JudgedOrder, details: Float64Array): void {
    const { request } = order
    const kind = this.#ledger.modelKind[request.account] as MarginModelKind
    const [positions, filled] = [this.#before, this.#after]
    this.#sumPositions(order, false, positions)
    this.#sumPositions(order, true, filled)
    const equity = this.#ledger.cashMicros[request.account] + positions.valueMicros
    // Equity that would cover the worst state with the order working. The wallet has less.
    const required = equity - this.#worst.slackMicros
    const consumedIm = this.#consumedIm(order, equity)
    details[0] = required
    details[1] = equity
    details[2] = required - equity
    details[3] = consumedIm
    details[4] = required - consumedIm
    details[5] = positions.requirement.mmMicros
    details[6] = filled.requirement.mmMicros - positions.requirement.mmMicros
    // Worst scenario of the order's underlying, and the binding rule, with the order working.
    const sums = this.#sumChanged(order)
    const { lossMicros, scenario } = sums.changed
    details[marginDetails.scenario] = scenario < 0 ? -1 : kind * scenariosPerModel + scenario
    details[marginDetails.bound] = this.#boundOf(order, kind, sums)
    details[marginDetails.scenarioLoss] = lossMicros
  }

  /** Sums with the order working. The order's bucket counts as changed even if its sums do not change. */
  #sumChanged(order: JudgedOrder): WalletSums {
    order.view(true, this.#view)
    this.#view.exposure = order.exposure
    this.#margin.sum(order.request.account, this.#view, this.#sums)
    return this.#sums
  }

  #boundOf(order: JudgedOrder, kind: MarginModelKind, sums: WalletSums): MarginBound {
    const { isPerp, request } = order
    const isPortfolio = kind === MarginModelKind.Portfolio
    if (this.#riskReductionOf(order) === RiskReduction.TooMany)
      return MarginBound.RiskReducingOrders
    if (isPerp && !isPortfolio) return MarginBound.Perp
    if (request.side === Side.Buy && !isPerp) return MarginBound.Premium
    return isPortfolio ? sums.requirement.bound : sums.changed.bound
  }

  /** Returns the equity that the wallet needs without the order and the replaced one. */
  #consumedIm(order: JudgedOrder, equity: number): number {
    const { request } = order
    const { account, replacedSlot } = request
    if (this.#ledger.riskReducing.count[account] === 0) return this.#requiredNow(order, false)
    const states = this.#states
    let slack = Number.POSITIVE_INFINITY
    states.begin(account, replacedSlot)
    for (let state = 0; state < states.count; state++) {
      states.enter(state)
      const required = this.#requiredNow(order, false)
      const filledMicros = this.#ledger.cashMicros[account] + states.cashMicros
      slack = Math.min(slack, filledMicros + this.#sums.valueMicros - required)
    }
    states.leave()
    return equity - slack
  }

  /**
   * Returns the initial margin of positions and open orders in the current fill state, with or without the order.
   * Leaves the sums in `#sums`.
   */
  #requiredNow(order: JudgedOrder, withOrder: boolean): number {
    const sums = this.#sums
    order.view(withOrder, this.#view)
    this.#margin.sum(order.request.account, this.#view, sums)
    const premium = withOrder ? order.premiumWith(sums) : order.otherPremium(sums)
    const slippage = withOrder ? order.slippageWith(sums) : order.otherSlippage(sums)
    return sums.requirement.imMicros + premium + slippage
  }
}

/** Returns true if the price is within the band. Only the limit on the side that trades worse than the mark applies. */
function isWithin(band: PriceBand, { side, priceMicros }: OrderCheck): boolean {
  return side === Side.Buy ? priceMicros <= band.upperMicros : priceMicros >= band.lowerMicros
}
