import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { supposePosition } from './bucket-sums.js'
import { worstFeeMicros, worstOrderFeeMicros } from './buy-fees.js'
import { exemptOrdersHeld } from './exempt-table.js'
import { premiumMicros } from './money.js'
import type { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'

/** With the order under judgement. */
const ordersMax = exemptOrdersHeld + 1

/**
 * What a wallet comes to when some of its exempt orders are filled in full at their limits. A state is a set of them,
 * bit by bit; in it their fills stand in the ledger's own sums, and go out of them again before anybody else looks.
 * Margin is convex in the fills, so what holds in all states holds for fills of parts.
 */
export class FillStates {
  readonly #ledger: RiskLedger
  #count = 0
  #entered = 0
  readonly #exposure = new Int32Array(ordersMax)
  readonly #lots = new Float64Array(ordersMax)
  /** To the wallet, fees not taken off; of a perp it goes to the cost of its position. */
  readonly #flowMicros = new Float64Array(ordersMax)
  readonly #feeMicros = new Float64Array(ordersMax)
  /** Cash that the fills of the state bring. */
  cashMicros = 0

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
  }

  /** How many states there are: nothing filled is the first. */
  get count(): number {
    return 1 << this.#count
  }

  /** Takes an account's exempt orders, but for one that gives way (-1: none). */
  begin(account: number, goneSlot: number): void {
    const { exempt, orders } = this.#ledger
    assert(this.#entered === 0, 'risk: the trial fills of the last state are undone')
    this.#count = 0
    this.cashMicros = 0
    const held = exempt.count[account]
    for (let index = 0; index < held; index++) {
      const slot = exempt.slotAt(account, index)
      if (slot === goneSlot) continue
      const isBuy = orders.side[slot] === Side.Buy
      const premium = premiumMicros(orders.priceMicros[slot], orders.openLots[slot])
      this.#add(orders.exposure[slot], isBuy, orders.openLots[slot], premium)
      this.#feeMicros[this.#count - 1] = worstOrderFeeMicros(this.#ledger, slot)
    }
  }

  /** Adds the order under judgement as one more exempt order: the last bit. */
  addRequest(request: OrderCheck, exposure: number): void {
    const premium = premiumMicros(request.priceMicros, request.sizeLots)
    this.#add(exposure, request.side === Side.Buy, request.sizeLots, premium)
    this.#feeMicros[this.#count - 1] = worstFeeMicros(this.#ledger, request)
  }

  /** Cash that the buys of options among them cost, fees included. */
  get buysMicros(): number {
    let micros = 0
    for (let index = 0; index < this.#count; index++) {
      const isBuy = this.#lots[index] > 0 && !this.#ledger.isPerp(this.#exposure[index])
      if (isBuy) micros += this.#feeMicros[index] - this.#flowMicros[index]
    }
    return micros
  }

  /** Goes to a state from whichever it is in. */
  enter(state: number): void {
    const differing = state ^ this.#entered
    this.#entered = state
    for (let index = 0; index < this.#count; index++) {
      const bit = 1 << index
      if ((differing & bit) !== 0) this.#move(index, (state & bit) !== 0 ? 1 : -1)
    }
  }

  /** Puts everything back to what it was. */
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
    // A perp's fill changes equity by what it is entered for, whatever of it is realised.
    if (ledger.isPerp(exposure)) costMicros[exposure] -= sign * this.#flowMicros[index]
    else this.cashMicros += sign * this.#flowMicros[index]
    supposePosition(ledger, exposure, positionLots[exposure] + sign * this.#lots[index])
  }
}
