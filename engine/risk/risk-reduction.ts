import { Side } from '../../schemas/domain.js'
import { productTail } from '../pricing/exact.js'
import { worstFeeMicros } from './buy-fees.js'
import type { FillStates } from './fill-states.js'
import type { JudgedOrder } from './judged-order.js'
import { BookView } from './margin-model.js'
import { premiumReserveMicros } from './money.js'
import type { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { riskReducingOrdersHeld, riskReducingOrdersMax } from './risk-reducing-table.js'
import { type WalletMargin, WalletSums } from './wallet-margin.js'
import { reducesRisk } from './working-orders.js'

/** Verdict on an order that does not meet initial margin. */
export const RiskReduction = { Refused: 0, TooMany: 1, Admitted: 2 } as const
export type RiskReduction = (typeof RiskReduction)[keyof typeof RiskReduction]

/**
 * Minimum over the fill states, in micros, of equity less reserves and less initial margin, maintenance margin, or
 * nothing.
 */
export class Slacks {
  imMicros = 0
  mmMicros = 0
  freeMicros = 0

  /** Sets all fields above any possible amount. */
  clear(): void {
    this.imMicros = Number.POSITIVE_INFINITY
    this.mmMicros = Number.POSITIVE_INFINITY
    this.freeMicros = Number.POSITIVE_INFINITY
  }

  /** Returns true if each slack is at least 0, or at least its value in `before`. */
  reaches(before: Slacks): boolean {
    return (
      this.imMicros >= Math.min(0, before.imMicros) &&
      this.mmMicros >= Math.min(0, before.mmMicros) &&
      this.freeMicros >= Math.min(0, before.freeMicros)
    )
  }
}

/**
 * Decides whether an order reduces risk and may therefore pass below initial margin. The order is judged with every
 * subset of fills of the wallet's other risk-reducing orders, and with all ordinary orders working. Subsets are
 * necessary because each order alone may free as much as it costs, while all together leave nothing, and because a
 * position may also cover a working sell.
 */
export class RiskReductionRule {
  readonly #ledger: RiskLedger
  readonly #margin: WalletMargin
  readonly #states: FillStates
  readonly #view = new BookView()
  readonly #positions = new BookView()
  readonly #sums = new WalletSums()
  readonly #before = new Slacks()
  readonly #after = new Slacks()
  readonly #uncoveredLots = new Float64Array(1 << riskReducingOrdersHeld)

  constructor(ledger: RiskLedger, margin: WalletMargin, states: FillStates) {
    this.#ledger = ledger
    this.#margin = margin
    this.#states = states
    this.#view.withMaintenance = true
  }

  judge(order: JudgedOrder): RiskReduction {
    if (!this.#reduces(order)) return RiskReduction.Refused
    const { request } = order
    const states = this.#states
    states.begin(request.account, request.replacedSlot)
    const count = states.count
    order.view(false, this.#view)
    this.#before.clear()
    for (let state = 0; state < count; state++) {
      this.#uncoveredLots[state] = this.#measure(order, state, this.#before)
    }
    states.addRequest(request, order.exposure)
    this.#after.clear()
    let isAllowed = true
    for (let state = 0; state < count && isAllowed; state++) {
      const lots = this.#measure(order, state + count, this.#after)
      isAllowed = lots <= this.#uncoveredLots[state]
    }
    isAllowed = isAllowed && this.#after.reaches(this.#before)
    if (isAllowed && this.#before.mmMicros < 0)
      isAllowed = this.#keepsRatios(request.account, count)
    states.leave()
    if (!isAllowed) return RiskReduction.Refused
    if (order.needsMark() && this.#spareCash(order) < 0) return RiskReduction.Refused
    return this.#isBeyondMax(request) ? RiskReduction.TooMany : RiskReduction.Admitted
  }

  /** Returns true if the order, with all working orders on its side, closes at most the position. */
  #reduces(order: JudgedOrder): boolean {
    const { request } = order
    const position = this.#ledger.exposures.positionLots[order.exposure]
    const opposite = request.side === Side.Buy ? -position : position
    if (request.sizeLots > opposite) return false
    return request.sizeLots + order.workingLots(request.side) <= opposite
  }

  /**
   * Measures one fill state and lowers `least` to its slacks.
   * @returns the uncovered lots of the state with all working sells filled.
   */
  #measure(order: JudgedOrder, state: number, least: Slacks): number {
    const { account } = order.request
    this.#states.enter(state)
    const sums = this.#sums
    this.#margin.sum(account, this.#view, sums)
    const equity = this.#ledger.cashMicros[account] + this.#states.cashMicros + sums.valueMicros
    const free = equity - order.otherPremium(sums) - order.otherSlippage(sums)
    const { imMicros, mmMicros, uncoveredLots } = sums.requirement
    least.imMicros = Math.min(least.imMicros, free - imMicros)
    least.mmMicros = Math.min(least.mmMicros, free - mmMicros)
    // Here the slippage of a sell counts under every model: the value given away may be the whole equity.
    least.freeMicros = Math.min(least.freeMicros, free - order.otherUnreserved(sums))
    return uncoveredLots
  }

  /** Returns true if the ratio of equity to maintenance margin of the positions falls in no state. */
  #keepsRatios(account: number, count: number): boolean {
    for (let state = 0; state < count; state++) {
      this.#states.enter(state)
      const beforeMicros = this.#equityIn(account)
      const beforeRequired = this.#sums.requirement.mmMicros
      this.#states.enter(state + count)
      const afterMicros = this.#equityIn(account)
      const afterRequired = this.#sums.requirement.mmMicros
      if (differenceOf(afterMicros, beforeRequired, beforeMicros, afterRequired) < 0) return false
    }
    return true
  }

  #equityIn(account: number): number {
    this.#margin.sum(account, this.#positions, this.#sums)
    return this.#ledger.cashMicros[account] + this.#states.cashMicros + this.#sums.valueMicros
  }

  /**
   * Returns the cash that remains after all reserves, the risk-reducing buys and the order, whose instrument has no
   * mark.
   */
  #spareCash(order: JudgedOrder): number {
    const { request } = order
    const { account, priceMicros, side, sizeLots } = request
    const states = this.#states
    states.begin(account, request.replacedSlot)
    order.view(false, this.#view)
    this.#margin.sum(account, this.#view, this.#sums)
    const sums = this.#sums
    const isBuy = side === Side.Buy && !order.isPerp
    const ownMicros = isBuy
      ? premiumReserveMicros(priceMicros, sizeLots) + worstFeeMicros(this.#ledger, request)
      : 0
    const reserved = order.otherPremium(sums) + order.otherSlippage(sums)
    return this.#ledger.cashMicros[account] - reserved - states.buysMicros - ownMicros
  }

  #isBeyondMax({ account, replacedSlot }: OrderCheck): boolean {
    const { riskReducing, orders } = this.#ledger
    const isReplacing = replacedSlot >= 0 && reducesRisk(orders, replacedSlot)
    return riskReducing.count[account] - (isReplacing ? 1 : 0) >= riskReducingOrdersMax
  }
}

/** Returns the sign of a·b - c·d, exactly: the rounding errors of both products are added back. */
export function differenceOf(a: number, b: number, c: number, d: number): number {
  const first = a * b
  const second = c * d
  return first - second + (productTail(a, b, first) - productTail(c, d, second))
}
