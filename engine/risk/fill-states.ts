import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { supposePosition } from './bucket-sums.js'
import { worstFeeMicros, worstOrderFeeMicros } from './buy-fees.js'
import { premiumMicros } from './money.js'
import type { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { riskReducingOrdersHeld } from './risk-reducing-table.js'

/** Includes the order being checked. */
const ordersMax = riskReducingOrdersHeld + 1

/**
 * Fill states of a wallet's risk-reducing orders. A state is a bit set of the orders that are filled in full at their
 * limits. `enter` applies the fills to the ledger's own sums; the caller undoes them before anything else reads the
 * sums. Margin is convex in the fills, so a bound that holds in all states also holds for partial fills.
 */
export class FillStates {
  readonly #ledger: RiskLedger
  #count = 0
  #entered = 0
  readonly #exposure = new Int32Array(ordersMax)
  readonly #lots = new Float64Array(ordersMax)
  /** Cash flow to the wallet before fees. The flow of a perp changes the cost of its position instead. */
  readonly #flowMicros = new Float64Array(ordersMax)
  readonly #feeMicros = new Float64Array(ordersMax)
  /** Cash that the fills of the current state add. */
  cashMicros = 0

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
  }

  /** Returns the number of states; the first has no fills. */
  get count(): number {
    return 1 << this.#count
  }

  /** Collects an account's risk-reducing orders, except the one being replaced (-1: none). */
  begin(account: number, replacedSlot: number): void {
    const { riskReducing, orders } = this.#ledger
    assert(this.#entered === 0, 'risk: the trial fills of the last state are undone')
    this.#count = 0
    this.cashMicros = 0
    const held = riskReducing.count[account]
    for (let index = 0; index < held; index++) {
      const slot = riskReducing.slotAt(account, index)
      if (slot === replacedSlot) continue
      const isBuy = orders.side[slot] === Side.Buy
      const premium = premiumMicros(orders.priceMicros[slot], orders.openLots[slot])
      this.#add(orders.exposure[slot], isBuy, orders.openLots[slot], premium)
      this.#feeMicros[this.#count - 1] = worstOrderFeeMicros(this.#ledger, slot)
    }
  }

  /** Adds the order being checked as one more risk-reducing order, the last bit. */
  addRequest(request: OrderCheck, exposure: number): void {
    const premium = premiumMicros(request.priceMicros, request.sizeLots)
    this.#add(exposure, request.side === Side.Buy, request.sizeLots, premium)
    this.#feeMicros[this.#count - 1] = worstFeeMicros(this.#ledger, request)
  }

  /** Returns the cash that the option buys among the orders cost, fees included. */
  get buysMicros(): number {
    let micros = 0
    for (let index = 0; index < this.#count; index++) {
      const isBuy = this.#lots[index] > 0 && !this.#ledger.isPerp(this.#exposure[index])
      if (isBuy) micros += this.#feeMicros[index] - this.#flowMicros[index]
    }
    return micros
  }

  /** Switches from the current state to another. */
  enter(state: number): void {
    const changed = state ^ this.#entered
    this.#entered = state
    for (let index = 0; index < this.#count; index++) {
      const bit = 1 << index
      if ((changed & bit) !== 0) this.#move(index, (state & bit) !== 0 ? 1 : -1)
    }
  }

  /** Undoes all fills. */
  leave(): void {
    this.enter(0)
  }

  #add(exposure: number, isBuy: boolean, lots: number, premium: number): void {
    assert(
      exposure !== none && this.#count < ordersMax,
      'risk: the table has room for a risk-reducing order',
    )
    const index = this.#count++
    this.#exposure[index] = exposure
    this.#lots[index] = isBuy ? lots : -lots
    this.#flowMicros[index] = isBuy ? -premium : premium
  }

  #move(index: number, sign: number): void {
    const ledger = this.#ledger
    const exposure = this.#exposure[index]
    const { costMicros, positionLots } = ledger.exposures
    this.cashMicros -= sign * this.#feeMicros[index]
    // The fill of a perp changes equity by its entry value, regardless of the realized part.
    if (ledger.isPerp(exposure)) costMicros[exposure] -= sign * this.#flowMicros[index]
    else this.cashMicros += sign * this.#flowMicros[index]
    supposePosition(ledger, exposure, positionLots[exposure] + sign * this.#lots[index])
  }
}
