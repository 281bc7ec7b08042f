import { assert } from '../../../schemas/assert.js'
import { OrderFlag, OrderStatus } from '../../../schemas/domain.js'
import type { MatchedFill, ReducedOrder, RemovedOrder } from '../../../schemas/generated/results.js'
import { RemovedCause } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { finishOrder } from '../../lifecycle/finish-order.js'
import { chargeFee, feeMicrosOf } from '../../lifecycle/liquidation-fee.js'
import { publishFill, publishOrder, publishTrade } from '../../publish/publish-orders.js'
import { premiumMicros as premiumMicrosOf } from '../../risk/money.js'
import { FillEffect, FillTerms } from '../../risk/order-check.js'
import type { CoreState } from '../../state/core-state.js'
import { type OrderStore, slotOf } from '../../state/orders/orders.js'
import { bookFee, clearFees, payBuilder, workOutFees } from '../steps/charge-fees.js'

/** Indexed by `RemovedCause`. */
const resultOfCause: readonly Result[] = causeTable()

const made = new FillTerms()
const taken = new FillTerms()
const makerEffect = new FillEffect()
const takerEffect = new FillEffect()

/** Applies a trade of a matcher to both orders and accounts, and publishes all its events. */
export function applyFill(state: CoreState, fill: MatchedFill): void {
  const { orders } = state
  const maker = slotOf(fill.makerHandle)
  const taker = slotOf(fill.takerHandle)
  assert(
    orders.instrument[maker] === orders.instrument[taker],
    'fill: both orders are in the same book',
  )
  assert(
    orders.account[maker] !== orders.account[taker],
    'fill: maker and taker are different wallets',
  )
  assert(fill.priceMicros === orders.priceMicros[maker], 'fill: at the maker’s price')
  takeTerms(orders, maker, fill, made)
  takeTerms(orders, taker, fill, taken)
  made.premiumMicros = premiumMicrosOf(made.priceMicros, made.sizeLots)
  taken.premiumMicros = made.premiumMicros
  state.tradeCount++
  if (state.fees.isCharging) workOutFees(state, maker, taker, made, taken)
  applySide(state, maker, made, makerEffect)
  applySide(state, taker, taken, takerEffect)
  publishTrade(state, maker, taker, taken, makerEffect, takerEffect)
  publishFill(state, maker, 0, made, makerEffect)
  publishFill(state, taker, 1, taken, takerEffect)
  if (makerEffect.builderFeeMicros > 0) payBuilder(state, maker, makerEffect)
  if (takerEffect.builderFeeMicros > 0) payBuilder(state, taker, takerEffect)
  if (orders.openLots[maker] === 0) finishOrder(state, maker, OrderStatus.Filled, Result.Accepted)
  else if (!isEnding(state, maker)) {
    publishOrder(state, maker, OrderStatus.PartiallyFilled, Result.Accepted)
  }
}

/**
 * Ends an order that left the book unfilled, or never entered it.
 * @param reason of a cancel by the core; `Accepted` means the cause in the record.
 */
export function applyRemoved(
  state: CoreState,
  { cause, handle }: RemovedOrder,
  reason: Result,
): Result {
  const result = reason === Result.Accepted ? resultOfCause[cause] : reason
  assert(result !== undefined, 'remove: the cause is known')
  finishOrder(state, slotOf(handle), OrderStatus.Canceled, result)
  return result
}

/**
 * Applies the reduction of a reduce-only order whose position has shrunk. The order keeps working with a smaller size
 * and the same status, and its wallet receives the new size.
 * @param incoming slot of the order that the matcher is processing, which does not rest yet.
 */
export function applyReduced(state: CoreState, record: ReducedOrder, incoming: number): void {
  const slot = slotOf(record.handle)
  assert(
    (state.orders.flags[slot] & OrderFlag.ReduceOnly) !== 0,
    'reduce: the order is reduce-only',
  )
  state.reduceOrder(slot, record.openLots)
  const status = slot === incoming ? OrderStatus.Acked : state.orders.status[slot]
  publishOrder(state, slot, status as OrderStatus, Result.Accepted)
}

/**
 * Returns true if protection removes the rest of a resting order in this step; that removal publishes the update. The
 * order's wallet is frozen, and a frozen wallet has no resting protected orders.
 */
function isEnding(state: CoreState, slot: number): boolean {
  const { orders, instruments, mmp } = state
  if ((orders.flags[slot] & OrderFlag.MmpEnabled) === 0) return false
  const underlying = instruments.underlying[orders.instrument[slot]]
  return mmp.frozenUntil(orders.account[slot], underlying, state.nowMillis) !== 0
}

/** Writes the terms of a trade for the order in `slot`, without premium and fees. */
function takeTerms(orders: OrderStore, slot: number, fill: MatchedFill, terms: FillTerms): void {
  terms.account = orders.account[slot]
  terms.instrument = orders.instrument[slot]
  terms.side = orders.side[slot]
  terms.sizeLots = fill.sizeLots
  terms.priceMicros = fill.priceMicros
  clearFees(terms)
}

/**
 * Applies `terms` to the order in `slot` and its account. A liquidation order pays the liquidation fee instead of the
 * trading fee.
 */
function applySide(state: CoreState, slot: number, terms: FillTerms, effect: FillEffect): void {
  const { orders } = state
  state.fillOrder(slot, terms)
  if (state.fees.isCharging) bookFee(state, terms)
  const isLiquidating = (orders.flags[slot] & OrderFlag.Liquidation) !== 0
  state.risk.fill(terms, effect)
  if (!isLiquidating) return
  const feeMicros = feeMicrosOf(state, terms.instrument, terms.sizeLots)
  effect.feeMicros = chargeFee(state, terms.account, feeMicros)
  effect.cashMicros -= effect.feeMicros
}

function causeTable(): Result[] {
  const table: Result[] = []
  table[RemovedCause.Cancel] = Result.CanceledOnRequest
  table[RemovedCause.Replace] = Result.Replaced
  table[RemovedCause.Ioc] = Result.IocRemainder
  table[RemovedCause.Fok] = Result.FokNotFilled
  table[RemovedCause.SelfTrade] = Result.SelfTrade
  table[RemovedCause.ReduceOnly] = Result.ReduceOnly
  table[RemovedCause.MmpFilled] = Result.MmpTriggered
  table[RemovedCause.MmpTriggered] = Result.MmpCanceled
  return table
}
