import { assert } from '../../schemas/assert.js'
import { commandsPerBatchMax, lotsPerContract } from '../../schemas/bounds.js'
import { InstrumentState, OrderFlag, OrderStatus, Side, Tif } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { writeText } from '../../schemas/record-text.js'
import { LiquidationMode } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import { isMarked } from '../risk/mark-view.js'
import { mulDivUp } from '../risk/money.js'
import { OrderCheck } from '../risk/order-check.js'
import { type Batch, TicketFlag, TicketState } from '../state/batch.js'
import type { LiquidationTable } from '../state/market/liquidation-table.js'
import { type NewOrderState, takeSlot } from '../state/new-order.js'
import type { BookLots } from '../state/orders/book-lots.js'
import { builderWords, clientIdWords } from '../state/orders/order-texts.js'
import { type SendOrderState, sendPlace } from '../state/send-order.js'
import { ordersOf, type WalletRowsState } from '../state/wallet-rows.js'
import { type FinishOrderState, finishOrder } from './finish-order.js'

export interface LiquidationOrdersState
  extends WalletRowsState,
    FinishOrderState,
    NewOrderState,
    SendOrderState {
  readonly bookLots: BookLots
  startOrder(slot: number): void
  readonly liquidations: LiquidationTable
}

// Orders and cancels that the core itself sends to matchers: tickets without a command and without a requester. The
// `result` of a ticket is the reason of its cancel.

const request = new OrderCheck()
const textWords = new Int32Array(clientIdWords + builderWords)
const textBytes = new Uint8Array(textWords.buffer)

/** Returns the number of tickets that the round may still open. */
export function ticketsLeft(batch: Batch): number {
  return commandsPerBatchMax - batch.count
}

/** Returns true if the order is the engine's own, from a partial phase. */
export function isLiquidating(state: LiquidationOrdersState, slot: number): boolean {
  return (state.orders.flags[slot] & OrderFlag.Liquidation) !== 0
}

/**
 * Cancels an account's working orders, oldest first. Orders of closed books are cancelled with the book.
 * @param ownOnly cancels only the engine's own orders, which are unnecessary once the wallet has recovered.
 * @returns true if there were tickets for all of them.
 */
export function cancelWorking(
  state: LiquidationOrdersState,
  batch: Batch,
  account: number,
  ownOnly: boolean,
): boolean {
  const reason = ownOnly ? Result.CanceledOnRequest : Result.AccountInLiquidation
  for (const slot of ordersOf(state, account)) {
    if ((ownOnly && !isLiquidating(state, slot)) || !isBooked(state, slot)) continue
    if (ticketsLeft(batch) === 0) return false
    sendCancel(state, batch, slot, reason)
  }
  return true
}

/**
 * Cancels working orders of an account in its grace period: those that do not reduce its risk, and those that would
 * give away more than the older ones leave of its equity, so that others would bear it. Marks move, so an order that
 * was harmless when it was sent may not be now.
 * @returns as `cancelWorking`.
 */
export function cancelIncreasing(
  state: LiquidationOrdersState,
  batch: Batch,
  account: number,
  equityMicros: number,
): boolean {
  let spareMicros = Math.max(0, equityMicros)
  for (const slot of ordersOf(state, account)) {
    if (!isBooked(state, slot)) continue
    const gives = givesAwayMicros(state, slot)
    if (gives <= spareMicros && reducesRisk(state, slot)) {
      spareMicros -= gives
      continue
    }
    if (ticketsLeft(batch) === 0) return false
    sendCancel(state, batch, slot, Result.AccountInLiquidation)
  }
  return true
}

/** Returns the loss of the account against the mark if the open size of an order fills at its limit, in micros. */
export function givesAwayMicros({ orders, marks }: LiquidationOrdersState, slot: number): number {
  const instrument = orders.instrument[slot]
  const markMicros = isMarked(marks, instrument) ? marks.markMicros[instrument] : 0
  const isBuy = orders.side[slot] === Side.Buy
  const price = orders.priceMicros[slot]
  const lostMicros = Math.max(0, isBuy ? price - markMicros : markMicros - price)
  return mulDivUp(lostMicros, orders.openLots[slot], lotsPerContract)
}

/** Cancels one working order of an open book or of an auction. */
export function sendCancel(
  state: LiquidationOrdersState,
  batch: Batch,
  slot: number,
  reason: Result,
): void {
  const { auctions, orders, matchers } = state
  if (auctions.has(slot)) {
    finishOrder(state, slot, OrderStatus.Canceled, reason)
    return
  }
  const ticket = openTicket(state, batch, CommandType.CancelOrder, orders.instrument[slot])
  batch.account[ticket] = orders.account[slot]
  batch.slot[ticket] = slot
  batch.namedOrderId[ticket] = orders.orderId[slot]
  batch.result[ticket] = reason
  batch.touch(slot)
  matchers.cancel(batch.matcher[ticket], ticket, orders.instrument[slot], slot)
}

/** Places a reduce-only order for an account in liquidation. */
export function sendReducing(state: LiquidationOrdersState, batch: Batch, order: OrderCheck): void {
  const row = state.liquidations.find(order.account)
  assert(row?.mode === LiquidationMode.Partial, 'liquidation order: only in the partial phase')
  assert(
    order.sizeLots > 0 && order.priceMicros > 0,
    'liquidation order: size and price are positive',
  )
  const ticket = openTicket(state, batch, CommandType.PlaceOrder, order.instrument)
  const slot = takeSlot(state, order, Tif.Gtc, OrderFlag.ReduceOnly | OrderFlag.Liquidation)
  const clientId = `liquidation-${state.orders.orderId[slot]}`
  writeText(clientId, textBytes, 0, textBytes.length)
  state.orders.setTexts(slot, textWords, clientId.length, 0, clientIdWords)
  state.bookLots.forget(order.instrument)
  state.startOrder(slot)
  batch.account[ticket] = order.account
  batch.slot[ticket] = slot
  batch.touch(slot)
  sendPlace(state, ticket, slot)
}

/** Sends matchers the positions that moved off the book, because reduce-only orders there may now be too large. */
export function sendMoved(state: LiquidationOrdersState, batch: Batch): void {
  const { moved } = state.liquidations
  const { risk, matchers, instruments } = state
  while (moved.length > 0 && ticketsLeft(batch) > 0) {
    const instrument = moved.pop() ?? none
    const account = moved.pop() ?? none
    const row = risk.findExposure(account, instrument)
    if (row === none || instruments.state[instrument] !== InstrumentState.Active) continue
    const ticket = openTicket(state, batch, CommandType.CancelOrder, instrument)
    const lots = risk.exposures.positionLots[row]
    matchers.position(batch.matcher[ticket], ticket, instrument, account, lots)
  }
}

/** Notes that a position moved off the book. Matchers track only accounts with reduce-only orders there. */
export function noteMoved(
  state: LiquidationOrdersState,
  account: number,
  instrument: number,
): void {
  const { exposures } = state.risk
  const row = state.risk.findExposure(account, instrument)
  if (row === none) return
  const reduceOnlyLots = exposures.reduceOnlyBuyLots[row] + exposures.reduceOnlySellLots[row]
  if (reduceOnlyLots > 0) state.liquidations.moved.push(account, instrument)
}

/** Opens a ticket for a matcher without a requester. */
export function openTicket(
  state: LiquidationOrdersState,
  batch: Batch,
  type: number,
  instrument: number,
): number {
  assert(ticketsLeft(batch) > 0, 'batch: it has room for a ticket')
  const ticket = batch.open(type, none)
  batch.flags[ticket] = TicketFlag.Own
  batch.state[ticket] = TicketState.Matching
  batch.undecided++
  batch.instrument[ticket] = instrument
  batch.matcher[ticket] = state.matchers.of(state.instruments.underlying[instrument])
  return ticket
}

function isBooked(state: LiquidationOrdersState, slot: number): boolean {
  return state.instruments.state[state.orders.instrument[slot]] === InstrumentState.Active
}

function reducesRisk(state: LiquidationOrdersState, slot: number): boolean {
  const { orders, risk } = state
  request.account = orders.account[slot]
  request.instrument = orders.instrument[slot]
  request.side = orders.side[slot]
  request.sizeLots = orders.openLots[slot]
  request.priceMicros = orders.priceMicros[slot]
  request.replacedSlot = slot
  return risk.isRiskReducing(request)
}
