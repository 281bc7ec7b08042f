import { Side } from '../../schemas/domain.js'
import { productTail } from '../pricing/exact.js'
import { worstFeeMicros } from './buy-fees.js'
import { exemptOrdersHeld, exemptOrdersMax } from './exempt-table.js'
import type { FillStates } from './fill-states.js'
import type { JudgedOrder } from './judged-order.js'
import { BookView } from './margin-model.js'
import { premiumReserveMicros } from './money.js'
import type { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { type WalletMargin, WalletSums } from './wallet-margin.js'
import { isExempt } from './working-orders.js'

/** What becomes of an order that does not meet initial margin. */
export const Exemption = { Refused: 0, TooMany: 1, Admitted: 2 } as const
export type Exemption = (typeof Exemption)[keyof typeof Exemption]

/** The least over the states, micros: equity less reserves and initial margin, maintenance margin, or nothing. */
export class Slacks {
  imMicros = 0
  mmMicros = 0
  freeMicros = 0

  /** Above everything that a wallet may have. */
  clear(): void {
    this.imMicros = Number.POSITIVE_INFINITY
    this.mmMicros = Number.POSITIVE_INFINITY
    this.freeMicros = Number.POSITIVE_INFINITY
  }

  /** Whether no slack is below 0 and below what it was. */
  reaches(before: Slacks): boolean {
    return (
      this.imMicros >= Math.min(0, before.imMicros) &&
      this.mmMicros >= Math.min(0, before.mmMicros) &&
      this.freeMicros >= Math.min(0, before.freeMicros)
    )
  }
}

/**
 * Whether an order may pass below initial margin, as exempt: it reduces risk. What it gives away and uncovers is looked
 * at together with the fills of the wallet's other exempt orders, in every subset, and with all ordinary orders working:
 * each alone may free as much as it costs, and all together leave nothing; and what covers a position may cover a
 * working sell as well.
 */
export class ExemptionRule {
  readonly #ledger: RiskLedger
  readonly #margin: WalletMargin
  readonly #states: FillStates
  readonly #view = new BookView()
  readonly #positions = new BookView()
  readonly #sums = new WalletSums()
  readonly #before = new Slacks()
  readonly #after = new Slacks()
  readonly #uncoveredLots = new Float64Array(1 << exemptOrdersHeld)

  constructor(ledger: RiskLedger, margin: WalletMargin, states: FillStates) {
    this.#ledger = ledger
    this.#margin = margin
    this.#states = states
    this.#view.withMaintenance = true
  }

  judge(order: JudgedOrder): Exemption {
    if (!this.#reduces(order)) return Exemption.Refused
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
    let isHarmless = true
    for (let state = 0; state < count && isHarmless; state++) {
      const lots = this.#measure(order, state + count, this.#after)
      isHarmless = lots <= this.#uncoveredLots[state]
    }
    isHarmless = isHarmless && this.#after.reaches(this.#before)
    if (isHarmless && this.#before.mmMicros < 0)
      isHarmless = this.#keepsRatios(request.account, count)
    states.leave()
    if (!isHarmless) return Exemption.Refused
    if (order.needsMark() && this.#spareCash(order) < 0) return Exemption.Refused
    return this.#isFourth(request) ? Exemption.TooMany : Exemption.Admitted
  }

  /** Whether the order closes a part of the position at most, with all that works on its side. */
  #reduces(order: JudgedOrder): boolean {
    const { request } = order
    const position = this.#ledger.exposures.positionLots[order.exposure]
    const opposite = request.side === Side.Buy ? -position : position
    if (request.sizeLots > opposite) return false
    return request.sizeLots + order.workingLots(request.side) <= opposite
  }

  /** @returns uncovered lots of a state, all working sells filled; its slacks go into the least ones. */
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
    // Here what a sell gives away counts in any model: its value may be all that the equity is.
    least.freeMicros = Math.min(least.freeMicros, free - order.otherUnasked(sums))
    return uncoveredLots
  }

  /** Whether equity over maintenance margin of the positions falls in no state. */
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

  /** Cash behind all reserves, exempt buys and the order, which nobody can price. */
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

  #isFourth({ account, replacedSlot }: OrderCheck): boolean {
    const { exempt, orders } = this.#ledger
    const isReplacing = replacedSlot >= 0 && isExempt(orders, replacedSlot)
    return exempt.count[account] - (isReplacing ? 1 : 0) >= exemptOrdersMax
  }
}

/** Sign of a·b - c·d, exactly: both products are rounded, and their tails make up for it. */
export function differenceOf(a: number, b: number, c: number, d: number): number {
  const first = a * b
  const second = c * d
  return first - second + (productTail(a, b, first) - productTail(c, d, second))
}
