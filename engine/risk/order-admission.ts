import { assert } from '../../schemas/assert.js'
import { Right, Side, Tier } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { none } from '../core/orders.js'
import { PriceBand, widenBand } from '../pricing/price-bands.js'
import { netLots } from './book-view.js'
import { isUnmarkedShort } from './bucket-sums.js'
import { orderFeeMicros, requestedFeeMicros, worstFeeMicros } from './buy-fees.js'
import { nakedLots } from './defined-risk-model.js'
import { BookView, MarginBound, MarginModelKind } from './margin-model.js'
import { isMarked, markOf } from './mark-view.js'
import { premiumMicros, premiumReserveMicros, slippageReserveMicros } from './money.js'
import { LiquidationGate, type MarginVerdict, type OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { type WalletMargin, WalletSums } from './wallet-margin.js'

/**
 * Admission of an order. The checks that pass at once cost one sum over
 * the wallet's buckets; whether an order reduces risk is asked only where a check would fail.
 */
export class OrderAdmission {
  readonly #ledger: RiskLedger
  readonly #margin: WalletMargin
  readonly #view = new BookView()
  readonly #positionView = new BookView()
  readonly #sums = new WalletSums()
  readonly #before = new WalletSums()
  readonly #after = new WalletSums()
  readonly #band = new PriceBand()

  // The order under judgement, beside the request itself.
  #exposure: number = none
  #isPerp = false
  /** What the replaced order holds, 0 without one. */
  #goneBuyLots = 0
  #goneSellLots = 0
  #gonePremium = 0
  #goneSlippage = 0

  constructor(ledger: RiskLedger, margin: WalletMargin) {
    this.#ledger = ledger
    this.#margin = margin
  }

  /** @see RiskEngine.checkOrder */
  check(request: OrderCheck, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    assert(request.sizeLots > 0, 'risk: an order has a size')
    // A wallet's first order in an instrument has no row yet: one is lent for the check.
    const known = ledger.exposures.find(request.account, request.instrument)
    this.#exposure =
      known === none ? ledger.exposureFor(request.account, request.instrument) : known
    this.#takeOrder(request)
    const result = this.#judge(request, verdict)
    const stays = request.starts && result === Result.Accepted
    if (known === none && !stays) ledger.release(this.#exposure)
    return result
  }

  /** Whether an order of an exposure that there is reduces risk; `replacedSlot` may be the order itself. */
  isRiskReducing(request: OrderCheck): boolean {
    this.#exposure = this.#ledger.exposures.find(request.account, request.instrument)
    this.#takeOrder(request)
    return this.#isRiskReducing(request)
  }

  #judge(request: OrderCheck, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    const { account } = request
    const cash = ledger.cashMicros[account]
    if (cash <= 0 && !this.#isRiskReducing(request)) return Result.NoFunds
    if (ledger.tier[account] === Tier.Tier1 && this.#sellsBeyondLong(request)) {
      return this.#refuseTier(request, verdict)
    }
    if (request.liquidation !== LiquidationGate.Open) {
      const mayReduce = request.liquidation === LiquidationGate.ReducingOnly
      if (!mayReduce || !this.#isRiskReducing(request)) return Result.AccountInLiquidation
    }
    const spotless = this.#underlyingWithoutSpot(request)
    if (spotless !== none) {
      verdict.underlying = spotless
      return Result.NoSpotPrice
    }
    const priced = this.#checkBand(request, verdict)
    if (priced !== Result.Accepted) return priced
    const sums = this.#sumWithOrder(request)
    const premium = this.#premiumWith(request, sums)
    const kind = ledger.modelKind[account]
    if (
      request.side === Side.Buy &&
      kind !== MarginModelKind.Portfolio &&
      cash - premium < 0 &&
      !this.#isRiskReducing(request)
    ) {
      return Result.InsufficientCash
    }
    const isNaked = kind === MarginModelKind.DefinedRisk && sums.requirement.uncoveredLots > 0
    if (isNaked && !this.#isRiskReducing(request)) return this.#refuseNaked(request, verdict)
    if (this.#lacksMark(request, sums) && !this.#isRiskReducing(request)) {
      verdict.instrument = this.#instrumentWithoutMark(request)
      return Result.NoMarkPrice
    }
    const equity = cash + sums.valueMicros
    const required = sums.requirement.imMicros + premium + this.#slippageWith(request, sums)
    if (equity >= required || this.#mayPassBelow(request, required)) return Result.Accepted
    return this.#refuseMargin(request, verdict, equity, required)
  }

  /** Whether an order is admitted below initial margin; a perp under portfolio by what all open orders ask for. */
  #mayPassBelow(request: OrderCheck, required: number): boolean {
    const isPortfolio = this.#ledger.modelKind[request.account] === MarginModelKind.Portfolio
    if (this.#isPerp && isPortfolio) return required <= this.#consumedIm(request)
    return this.#isRiskReducing(request)
  }

  #takeOrder(request: OrderCheck): void {
    const { instruments, orders, marks } = this.#ledger
    this.#isPerp = instruments.isPerp(request.instrument)
    this.#goneBuyLots = 0
    this.#goneSellLots = 0
    this.#gonePremium = 0
    this.#goneSlippage = 0
    const slot = request.replacedSlot
    if (slot < 0) return
    assert(orders.exposure[slot] === this.#exposure, 'risk: replaces an order of this instrument')
    const priceMicros = orders.priceMicros[slot]
    const openLots = orders.openLots[slot]
    const side = orders.side[slot]
    if (side === Side.Buy) this.#goneBuyLots = openLots
    else this.#goneSellLots = openLots
    if (this.#hasSlippage(request.account, side)) {
      const markMicros = markOf(marks, request.instrument)
      this.#goneSlippage = slippageReserveMicros(side, markMicros, priceMicros, openLots)
    } else if (side === Side.Buy) {
      this.#gonePremium =
        premiumReserveMicros(priceMicros, openLots) + orderFeeMicros(this.#ledger, slot)
    }
  }

  /** Whether an order of the instrument reserves what it gives away against the mark. */
  #hasSlippage(account: number, side: number): boolean {
    if (this.#isPerp) return true
    return side === Side.Sell && this.#ledger.modelKind[account] !== MarginModelKind.DefinedRisk
  }

  /** The wallet with the order working and the replaced one gone. */
  #sumWithOrder(request: OrderCheck): WalletSums {
    this.#viewOrder(request)
    const view = this.#view
    // A buy of an option changes no bucket, so all that is kept can serve.
    if (view.sellLots === 0 && view.buyLots === 0) view.exposure = none
    this.#margin.sum(request.account, view, this.#sums)
    return this.#sums
  }

  #viewOrder(request: OrderCheck): void {
    const view = this.#view
    view.withSells = true
    view.exposure = this.#exposure
    view.positionLots = 0
    const isBuy = request.side === Side.Buy
    view.sellLots = (isBuy ? 0 : request.sizeLots) - this.#goneSellLots
    view.buyLots = this.#isPerp ? (isBuy ? request.sizeLots : 0) - this.#goneBuyLots : 0
  }

  #premiumWith(request: OrderCheck, sums: WalletSums): number {
    const others = sums.premiumMicros - this.#gonePremium
    if (request.side === Side.Sell || this.#isPerp) return others
    const feeMicros = requestedFeeMicros(this.#ledger, request)
    return others + premiumReserveMicros(request.priceMicros, request.sizeLots) + feeMicros
  }

  #slippageWith(request: OrderCheck, sums: WalletSums): number {
    const { account, instrument, priceMicros, side, sizeLots } = request
    const others = sums.slippageMicros - this.#goneSlippage
    if (!this.#hasSlippage(account, side)) return others
    const markMicros = markOf(this.#ledger.marks, instrument)
    return others + slippageReserveMicros(side, markMicros, priceMicros, sizeLots)
  }

  #workingBuyLots(): number {
    return this.#ledger.exposures.workingBuyLots[this.#exposure] - this.#goneBuyLots
  }

  #workingSellLots(): number {
    return this.#ledger.exposures.workingSellLots[this.#exposure] - this.#goneSellLots
  }

  #sellsBeyondLong(request: OrderCheck): boolean {
    if (request.side === Side.Buy) return false
    const longLots = Math.max(0, this.#ledger.exposures.positionLots[this.#exposure])
    return request.sizeLots > longLots - this.#workingSellLots()
  }

  #refuseTier(request: OrderCheck, verdict: MarginVerdict): Result {
    verdict.longPositionLots = Math.max(0, this.#ledger.exposures.positionLots[this.#exposure])
    verdict.workingSellLots = this.#workingSellLots()
    verdict.orderSizeLots = request.sizeLots
    return Result.TierLongOnly
  }

  // The order's underlying first, then the lowest in which there is a position.
  #underlyingWithoutSpot(request: OrderCheck): number {
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
   * Price bands: a price far from the mark is named as such before cash and margin are asked whether they would
   * bear it. It fails closed: without a mark nobody can tell, so then only what reduces risk passes, and buys and
   * `defined_risk` need one, too. Bands are of options: they follow from volatilities.
   */
  #checkBand(request: OrderCheck, verdict: MarginVerdict): Result {
    const { marks, options } = this.#ledger
    const { bands } = options
    if (bands === undefined || !bands.enabled || this.#isPerp) return Result.Accepted
    const band = this.#band
    if (!marks.bandOf(request.instrument, bands, band)) {
      if (this.#isRiskReducing(request)) return Result.Accepted
      verdict.instrument = request.instrument
      return Result.NoMarkPrice
    }
    if (isWithin(band, request)) return Result.Accepted
    if (this.#isRiskReducing(request)) {
      widenBand(band, bands.reducingFactor)
      if (isWithin(band, request)) return Result.Accepted
    }
    verdict.lower = band.lowerMicros
    verdict.upper = band.upperMicros
    return Result.OutsidePriceBand
  }

  #lacksMark(request: OrderCheck, sums: WalletSums): boolean {
    if (!this.#needsMark(request)) return sums.unmarkedShorts > 0
    if (this.#isPerp || this.#sellsBeyondLong(request)) return true
    const [sells, buys] = [this.#workingSellLots(), this.#workingBuyLots()]
    const { workingBuyLots, workingSellLots } = this.#ledger.exposures
    const exposure = this.#exposure
    const [sellsNow, buysNow] = [workingSellLots[exposure], workingBuyLots[exposure]]
    const shortNow = isUnmarkedShort(this.#ledger, exposure, sellsNow, buysNow)
    const shortThen = isUnmarkedShort(this.#ledger, exposure, sells, buys)
    return sums.unmarkedShorts - (shortNow && !shortThen ? 1 : 0) > 0
  }

  /** Whether the order's own instrument lacks a mark that its check asks for: `defined_risk` has one for perps only. */
  #needsMark({ account, instrument }: OrderCheck): boolean {
    const { marks, modelKind } = this.#ledger
    const isMeasured = this.#isPerp || modelKind[account] !== MarginModelKind.DefinedRisk
    return isMeasured && !isMarked(marks, instrument)
  }

  // The order's own instrument first, then the lowest that the wallet is or could become short in.
  #instrumentWithoutMark(request: OrderCheck): number {
    const { exposures, firstExposure } = this.#ledger
    const isBare = this.#needsMark(request) && (this.#isPerp || this.#sellsBeyondLong(request))
    if (isBare) return request.instrument
    let lowest: number = none
    let row = firstExposure[request.account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      const isOwn = row === this.#exposure
      const sells = isOwn ? this.#workingSellLots() : exposures.workingSellLots[row]
      const buys = isOwn ? this.#workingBuyLots() : exposures.workingBuyLots[row]
      if (!isUnmarkedShort(this.#ledger, row, sells, buys)) continue
      const instrument = exposures.instrument[row]
      if (lowest === none || instrument < lowest) lowest = instrument
    }
    return lowest
  }

  // The order's own expiry first, then the lowest underlying and its latest expiry; calls first.
  #refuseNaked(request: OrderCheck, verdict: MarginVerdict): Result {
    const { buckets, exposures, firstBucket, groups } = this.#ledger
    const own = this.#nakedResult(exposures.group[this.#exposure], verdict)
    if (own !== Result.Accepted) return own
    let bucket = firstBucket[request.account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      for (let group = buckets.firstGroup[bucket]; group !== none; ) {
        const result = this.#nakedResult(group, verdict)
        if (result !== Result.Accepted) return result
        group = groups.nextInBucket[group]
      }
    }
    throw new Error('assertion failed: risk: naked shorts are in some group')
  }

  #nakedResult(group: number, verdict: MarginVerdict): Result {
    const ledger = this.#ledger
    const calls = nakedLots(ledger, group, this.#view, Right.Call) > 0
    if (!calls && nakedLots(ledger, group, this.#view, Right.Put) === 0) return Result.Accepted
    const instrument = this.#lowestShort(group, calls ? Right.Call : Right.Put)
    verdict.instrument = instrument
    verdict.underlying = ledger.instruments.underlying[instrument]
    verdict.expiryDate = ledger.instruments.expiryDate[instrument]
    return calls ? Result.NakedShortCalls : Result.NakedShortPuts
  }

  // Of the group's instruments that are net short in a right: those of one expiry time may differ
  // in date.
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

  /**
   * Whether an order may pass below initial margin: with the wallet's other working orders on its
   * side it does not exceed the opposite position, and filled in full at its limit it raises
   * neither position IM nor uncovered shorts, nor lowers equity - MM.
   */
  #isRiskReducing(request: OrderCheck): boolean {
    const { exposures } = this.#ledger
    const exposure = this.#exposure
    const position = exposures.positionLots[exposure]
    const buy = request.side === Side.Buy
    const others = buy ? this.#workingBuyLots() : this.#workingSellLots()
    if (request.sizeLots + others > (buy ? -position : position)) return false
    this.#sumPositions(request, false, this.#before)
    this.#sumPositions(request, true, this.#after)
    const before = this.#before.requirement
    const after = this.#after.requirement
    if (after.imMicros > before.imMicros || after.uncoveredLots > before.uncoveredLots) return false
    const premium = premiumMicros(request.priceMicros, request.sizeLots)
    const signedLots = buy ? request.sizeLots : -request.sizeLots
    const flow = (buy ? -premium : premium) - worstFeeMicros(this.#ledger, request)
    let equityChange = this.#margin.equityChange(exposure, signedLots, flow)
    // A short without a mark is worth at least nothing to be rid of: the limit stands in for it.
    if (this.#needsMark(request)) equityChange = 0
    return equityChange >= after.mmMicros - before.mmMicros
  }

  #sumPositions(request: OrderCheck, filled: boolean, out: WalletSums): void {
    const view = this.#positionView
    view.exposure = filled ? this.#exposure : none
    view.positionLots = request.side === Side.Buy ? request.sizeLots : -request.sizeLots
    this.#margin.sum(request.account, view, out)
  }

  #refuseMargin(
    request: OrderCheck,
    verdict: MarginVerdict,
    equity: number,
    required: number,
  ): Result {
    const kind = this.#ledger.modelKind[request.account] as MarginModelKind
    this.#explain(request, verdict, kind)
    this.#sumPositions(request, false, this.#before)
    this.#sumPositions(request, true, this.#after)
    const consumedMm = this.#before.requirement.mmMicros
    const consumedIm = this.#consumedIm(request)
    verdict.model = kind
    verdict.required = required
    verdict.equity = equity
    verdict.shortfall = required - equity
    verdict.consumedIm = consumedIm
    verdict.incrementalIm = required - consumedIm
    verdict.consumedMm = consumedMm
    verdict.incrementalMm = this.#after.requirement.mmMicros - consumedMm
    return Result.InsufficientMargin
  }

  // Worst scenario of the order's underlying and what binds, with the order working.
  #explain(request: OrderCheck, verdict: MarginVerdict, kind: MarginModelKind): void {
    this.#viewOrder(request)
    this.#margin.sum(request.account, this.#view, this.#after)
    const { changed, requirement } = this.#after
    verdict.scenario = changed.scenario
    if (this.#isPerp && kind !== MarginModelKind.Portfolio) verdict.boundBy = MarginBound.Perp
    else if (request.side === Side.Buy && !this.#isPerp) verdict.boundBy = MarginBound.Premium
    else if (kind === MarginModelKind.Portfolio) verdict.boundBy = requirement.bound
    else verdict.boundBy = changed.bound
  }

  // Initial margin of positions and open orders without the order, the replaced one gone too.
  #consumedIm(request: OrderCheck): number {
    const view = this.#view
    view.exposure = this.#exposure
    view.sellLots = -this.#goneSellLots
    view.buyLots = this.#isPerp ? -this.#goneBuyLots : 0
    this.#margin.sum(request.account, view, this.#before)
    const sums = this.#before
    const slippage = sums.slippageMicros - this.#goneSlippage
    return sums.requirement.imMicros + sums.premiumMicros - this.#gonePremium + slippage
  }
}

/** The direction that trades worse than the mark has a limit, the passive one is free. */
function isWithin(band: PriceBand, { side, priceMicros }: OrderCheck): boolean {
  return side === Side.Buy ? priceMicros <= band.upperMicros : priceMicros >= band.lowerMicros
}
