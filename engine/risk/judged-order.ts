import { assert } from '../../schemas/assert.js'
import { MarginModelKind, Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { orderFeeMicros, requestedFeeMicros } from './buy-fees.js'
import type { Exemption } from './exemption.js'
import type { BookView } from './margin-model.js'
import { isMarked, markOf } from './mark-view.js'
import { premiumReserveMicros, slippageReserveMicros } from './money.js'
import { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import type { WalletSums } from './wallet-margin.js'
import { isExempt, workingLots } from './working-orders.js'

/** The order under judgement: what is asked for, and what the order that it replaces holds. */
export class JudgedOrder {
  request = new OrderCheck()
  exposure: number = none
  isPerp = false
  /** What the rule of exempt orders says of it; null until somebody has asked. */
  exemption: Exemption | null = null
  /** What the replaced order reserves, 0 without one. */
  goneBuyLots = 0
  goneSellLots = 0
  #gonePremium = 0
  #goneSlippage = 0
  #goneUnasked = 0
  readonly #ledger: RiskLedger

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
  }

  /** @param exposure of the request's wallet and instrument. */
  take(request: OrderCheck, exposure: number): void {
    const { instruments, marks, orders } = this.#ledger
    this.request = request
    this.exposure = exposure
    this.exemption = null
    this.isPerp = instruments.isPerp(request.instrument)
    this.goneBuyLots = 0
    this.goneSellLots = 0
    this.#gonePremium = 0
    this.#goneSlippage = 0
    this.#goneUnasked = 0
    const slot = request.replacedSlot
    if (slot < 0) return
    assert(orders.exposure[slot] === exposure, 'risk: replaces an order of this instrument')
    if (isExempt(orders, slot)) return
    const priceMicros = orders.priceMicros[slot]
    const openLots = orders.openLots[slot]
    const side = orders.side[slot]
    if (side === Side.Buy) this.goneBuyLots = openLots
    else this.goneSellLots = openLots
    if (side === Side.Buy && !this.isPerp) {
      this.#gonePremium =
        premiumReserveMicros(priceMicros, openLots) + orderFeeMicros(this.#ledger, slot)
      return
    }
    const markMicros = markOf(marks, request.instrument)
    const slippage = slippageReserveMicros(side, markMicros, priceMicros, openLots)
    if (this.#hasSlippage(request.account, side)) this.#goneSlippage = slippage
    else this.#goneUnasked = slippage
  }

  /**
   * Writes the wallet's book with the order working, or without it, and the replaced one gone.
   * @param out comes back changing nothing where all that is kept can serve.
   */
  view(withOrder: boolean, out: BookView): void {
    const { request } = this
    const isBuy = request.side === Side.Buy
    const sizeLots = withOrder ? request.sizeLots : 0
    out.withSells = true
    out.positionLots = 0
    out.sellLots = (isBuy ? 0 : sizeLots) - this.goneSellLots
    out.buyLots = this.isPerp ? (isBuy ? sizeLots : 0) - this.goneBuyLots : 0
    // A buy of an option changes no bucket.
    out.exposure = out.sellLots === 0 && out.buyLots === 0 ? none : this.exposure
  }

  /** Premium reserved without the order and the replaced one. */
  otherPremium(sums: WalletSums): number {
    return sums.premiumMicros - this.#gonePremium
  }

  /** The same with the order. */
  premiumWith(sums: WalletSums): number {
    const { request } = this
    const others = this.otherPremium(sums)
    if (request.side === Side.Sell || this.isPerp) return others
    const feeMicros = requestedFeeMicros(this.#ledger, request)
    return others + premiumReserveMicros(request.priceMicros, request.sizeLots) + feeMicros
  }

  /** Slippage reserved without the order and the replaced one. */
  otherSlippage(sums: WalletSums): number {
    return sums.slippageMicros - this.#goneSlippage
  }

  /** What of it the wallet's model does not ask for. */
  otherUnasked(sums: WalletSums): number {
    return sums.unaskedSlippageMicros - this.#goneUnasked
  }

  /** Slippage reserved with the order. */
  slippageWith(sums: WalletSums): number {
    const { account, instrument, priceMicros, side, sizeLots } = this.request
    const others = this.otherSlippage(sums)
    if (!this.#hasSlippage(account, side)) return others
    const markMicros = markOf(this.#ledger.marks, instrument)
    return others + slippageReserveMicros(side, markMicros, priceMicros, sizeLots)
  }

  /** Lots that work on a side of the instrument, exempt orders among them, without the replaced one. */
  workingLots(side: number): number {
    const { request, exposure } = this
    const { orders } = this.#ledger
    const { account, replacedSlot } = request
    const lots = workingLots(this.#ledger, account, exposure, side)
    const isGone = replacedSlot >= 0 && orders.side[replacedSlot] === side
    return isGone ? lots - orders.openLots[replacedSlot] : lots
  }

  /** Whether the order is a sell that could leave the wallet short of its instrument. */
  sellsBeyondLong(): boolean {
    const { request } = this
    if (request.side === Side.Buy) return false
    const longLots = Math.max(0, this.#ledger.exposures.positionLots[this.exposure])
    return request.sizeLots > longLots - this.workingLots(Side.Sell)
  }

  /** Whether the order's own instrument lacks a mark that its check asks for: `defined_risk` has one for perps only. */
  needsMark(): boolean {
    const { account, instrument } = this.request
    const { marks, modelKind } = this.#ledger
    const isMeasured = this.isPerp || modelKind[account] !== MarginModelKind.DefinedRisk
    return isMeasured && !isMarked(marks, instrument)
  }

  /** Whether an order of the instrument reserves what it gives away against the mark. */
  #hasSlippage(account: number, side: number): boolean {
    if (this.isPerp) return true
    return side === Side.Sell && this.#ledger.modelKind[account] !== MarginModelKind.DefinedRisk
  }
}
