import { assert } from '../../schemas/assert.js'
import { MarginModelKind, Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { orderFeeMicros, requestedFeeMicros } from './buy-fees.js'
import type { BookView } from './margin-model.js'
import { isMarked, markOf } from './mark-view.js'
import { premiumReserveMicros, slippageReserveMicros } from './money.js'
import { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import type { RiskReduction } from './risk-reduction.js'
import type { WalletSums } from './wallet-margin.js'
import { reducesRisk, workingLots } from './working-orders.js'

/** The order being checked: the request, and the reserves of the order that it replaces. */
export class JudgedOrder {
  request = new OrderCheck()
  exposure: number = none
  isPerp = false
  /** Verdict of the rule of risk-reducing orders; null until it is evaluated. */
  riskReduction: RiskReduction | null = null
  /** Reserves of the replaced order; 0 without one. */
  replacedBuyLots = 0
  replacedSellLots = 0
  #replacedPremium = 0
  #replacedSlippage = 0
  #replacedUnreserved = 0
  readonly #ledger: RiskLedger

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
  }

  /** @param exposure of the request's wallet and instrument. */
  take(request: OrderCheck, exposure: number): void {
    const { instruments, marks, orders } = this.#ledger
    this.request = request
    this.exposure = exposure
    this.riskReduction = null
    this.isPerp = instruments.isPerp(request.instrument)
    this.replacedBuyLots = 0
    this.replacedSellLots = 0
    this.#replacedPremium = 0
    this.#replacedSlippage = 0
    this.#replacedUnreserved = 0
    const slot = request.replacedSlot
    if (slot < 0) return
    assert(orders.exposure[slot] === exposure, 'risk: the replaced order is in this instrument')
    if (reducesRisk(orders, slot)) return
    const priceMicros = orders.priceMicros[slot]
    const openLots = orders.openLots[slot]
    const side = orders.side[slot]
    if (side === Side.Buy) this.replacedBuyLots = openLots
    else this.replacedSellLots = openLots
    if (side === Side.Buy && !this.isPerp) {
      this.#replacedPremium =
        premiumReserveMicros(priceMicros, openLots) + orderFeeMicros(this.#ledger, slot)
      return
    }
    const markMicros = markOf(marks, request.instrument)
    const slippage = slippageReserveMicros(side, markMicros, priceMicros, openLots)
    if (this.#hasSlippage(request.account, side)) this.#replacedSlippage = slippage
    else this.#replacedUnreserved = slippage
  }

  /**
   * Writes the view of the wallet's book with or without the order working. The replaced order is removed in both.
   * @param out changes nothing if all cached values can be used.
   */
  view(withOrder: boolean, out: BookView): void {
    const { request } = this
    const isBuy = request.side === Side.Buy
    const sizeLots = withOrder ? request.sizeLots : 0
    out.withSells = true
    out.positionLots = 0
    out.sellLots = (isBuy ? 0 : sizeLots) - this.replacedSellLots
    out.buyLots = this.isPerp ? (isBuy ? sizeLots : 0) - this.replacedBuyLots : 0
    // A buy of an option changes no bucket.
    out.exposure = out.sellLots === 0 && out.buyLots === 0 ? none : this.exposure
  }

  /** Returns the premium reserve without the order and the replaced one. */
  otherPremium(sums: WalletSums): number {
    return sums.premiumMicros - this.#replacedPremium
  }

  /** Returns the premium reserve with the order, without the replaced one. */
  premiumWith(sums: WalletSums): number {
    const { request } = this
    const others = this.otherPremium(sums)
    if (request.side === Side.Sell || this.isPerp) return others
    const feeMicros = requestedFeeMicros(this.#ledger, request)
    return others + premiumReserveMicros(request.priceMicros, request.sizeLots) + feeMicros
  }

  /** Returns the slippage reserve without the order and the replaced one. */
  otherSlippage(sums: WalletSums): number {
    return sums.slippageMicros - this.#replacedSlippage
  }

  /** Returns the slippage that the wallet's model does not reserve, without the replaced order. */
  otherUnreserved(sums: WalletSums): number {
    return sums.unreservedSlippageMicros - this.#replacedUnreserved
  }

  /** Returns the slippage reserve with the order. */
  slippageWith(sums: WalletSums): number {
    const { account, instrument, priceMicros, side, sizeLots } = this.request
    const others = this.otherSlippage(sums)
    if (!this.#hasSlippage(account, side)) return others
    const markMicros = markOf(this.#ledger.marks, instrument)
    return others + slippageReserveMicros(side, markMicros, priceMicros, sizeLots)
  }

  /** Returns the working lots on a side of the instrument, including risk-reducing orders, without the replaced one. */
  workingLots(side: number): number {
    const { request, exposure } = this
    const { orders } = this.#ledger
    const { account, replacedSlot } = request
    const lots = workingLots(this.#ledger, account, exposure, side)
    const isReplaced = replacedSlot >= 0 && orders.side[replacedSlot] === side
    return isReplaced ? lots - orders.openLots[replacedSlot] : lots
  }

  /** Returns true if the order is a sell that could leave the wallet short of its instrument. */
  sellsBeyondLong(): boolean {
    const { request } = this
    if (request.side === Side.Buy) return false
    const longLots = Math.max(0, this.#ledger.exposures.positionLots[this.exposure])
    return request.sizeLots > longLots - this.workingLots(Side.Sell)
  }

  /**
   * Returns true if the order's own instrument lacks a mark that the checks need. Under `defined_risk`, only perps need
   * one.
   */
  needsMark(): boolean {
    const { account, instrument } = this.request
    const { marks, modelKind } = this.#ledger
    const isMeasured = this.isPerp || modelKind[account] !== MarginModelKind.DefinedRisk
    return isMeasured && !isMarked(marks, instrument)
  }

  /** Returns true if an order of the instrument reserves the value that it gives away against the mark. */
  #hasSlippage(account: number, side: number): boolean {
    if (this.isPerp) return true
    return side === Side.Sell && this.#ledger.modelKind[account] !== MarginModelKind.DefinedRisk
  }
}
