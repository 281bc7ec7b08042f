import { detailsCount } from '../../schemas/bounds.js'
import { OrderStatus, type Side, type Tif } from '../../schemas/domain.js'
import { type AnyCommand, CommandType } from '../../schemas/generated/commands.js'
import {
  EventType,
  FillEvent,
  type OrderFacts,
  OutcomeEvent,
  RefusalEvent,
  TradeEvent,
} from '../../schemas/generated/events.js'
import { walletAtOf } from '../../schemas/record-rules/commands.js'
import { burnsNonce } from '../../schemas/record-rules/events.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { copyWords } from '../memory/bytes.js'
import { indexMicrosOf } from '../risk/mark-view.js'
import { premiumMicros } from '../risk/money.js'
import type { FillEffect, FillTerms } from '../risk/order-check.js'
import type { Accounts } from '../state/accounts/accounts.js'
import { addressWords } from '../state/accounts/address-table.js'
import { type Batch, signerOfAccepted, TicketFlag } from '../state/batch.js'
import { builderWords, clientIdWords } from '../state/orders/order-texts.js'
import type { OrderStore } from '../state/orders/orders.js'
import type { Auction } from '../state/rfq/auction-row.js'
import type { AuctionTable } from '../state/rfq/auction-table.js'
import { type PublishCompetitionsState, writeCompetitionFields } from './publish-competitions.js'

export interface PublishOrdersState extends PublishCompetitionsState {
  readonly orders: OrderStore
  readonly accounts: Accounts
  readonly replaying: boolean
  readonly auctions: AuctionTable
  readonly tradeCount: number
}

/** Gateway of an order update, which answers no request. Also used in a replay, when the requesters are gone. */
export const nobody = -1
/** Command of an order update that no command caused. */
const noCommand = 0 as CommandType

const outcome = new OutcomeEvent()
const rejectedUpdate = new RefusalEvent()
const trade = new TradeEvent()
const fill = new FillEvent()

/** Writes the facts of the order in `slot`, with a status that may be ahead of the store's. */
export function factsOfOrder(
  state: PublishOrdersState,
  slot: number,
  status: OrderStatus,
  out: OrderFacts,
): void {
  const { orders } = state
  out.orderId = orders.orderId[slot]
  out.priceMicros = orders.priceMicros[slot]
  out.sizeLots = orders.sizeLots[slot]
  out.filledLots = orders.filledLots[slot]
  out.filledMicros = orders.filledMicros[slot]
  out.instrument = orders.instrument[slot]
  out.side = orders.side[slot] as Side
  out.tif = orders.tif[slot] as Tif
  out.flags = orders.flags[slot]
  out.status = status
  out.clientIdBytes = orders.clientIdBytes[slot]
  orders.copyClientId(slot, out.i32, out.clientIdAt >> 2)
  state.accounts.addresses.writeWords(orders.account[slot], out.i32, out.walletAt >> 2)
  orders.copyBuilder(slot, out.i32, out.builderAt >> 2)
  out.createdMillis = orders.createdMillis[slot]
}

/** Writes the facts of a rejected order, from its command. */
export function factsOfCommand(batch: Batch, ticket: number, out: OrderFacts): void {
  const place = batch.place(ticket)
  out.clear()
  out.priceMicros = place.priceMicros
  out.sizeLots = place.sizeLots
  out.instrument = batch.instrument[ticket]
  out.side = place.side
  out.tif = place.tif
  out.flags = place.flags
  out.status = OrderStatus.Rejected
  out.clientIdBytes = place.clientIdBytes
  copyWords(place.i32, place.clientIdAt >> 2, out.i32, out.clientIdAt >> 2, clientIdWords)
  copyWords(place.i32, place.walletAt >> 2, out.i32, out.walletAt >> 2, addressWords)
  copyWords(place.i32, place.builderAt >> 2, out.i32, out.builderAt >> 2, builderWords)
}

/** Writes the facts of a rejected cancel: its wallet, and its client id if it has one. */
export function factsOfCancel(batch: Batch, ticket: number, out: OrderFacts): void {
  factsOfNothing(batch.command(ticket), -1, out)
  out.status = OrderStatus.Rejected
  if (batch.type[ticket] !== CommandType.CancelByClientId) return
  const cancel = batch.cancelByClientId(ticket)
  out.clientIdBytes = cancel.clientIdBytes
  copyWords(cancel.i32, cancel.clientIdAt >> 2, out.i32, out.clientIdAt >> 2, clientIdWords)
}

/** Writes facts without an order: at most the acting wallet and an instrument (or -1). */
export function factsOfNothing(command: AnyCommand, instrument: number, out: OrderFacts): void {
  out.clear()
  out.instrument = instrument
  copyWords(command.i32, walletAtOf(command) >> 2, out.i32, out.walletAt >> 2, addressWords)
}

/**
 * Publishes the result of a ticket, for its requester. If a nonce was used, the event names the nonce and its signer,
 * so that the history store can protect it from reuse after a loss.
 */
export function publishOutcome(
  state: PublishOrdersState,
  batch: Batch,
  ticket: number,
  result: Result,
  flags: number,
  facts: OrderFacts,
): void {
  if (!outcome.claim(state.sink, EventType.Outcome)) return
  const command = batch.command(ticket)
  outcome.gateway = state.replaying ? nobody : command.gateway
  outcome.request = command.request
  writeTicket(batch, ticket, result, flags, facts)
  if (!burnsNonce(batch.type[ticket], result, flags)) return
  outcome.nonceHigh = command.nonceHigh
  outcome.nonceLow = command.nonceLow
  outcome.signer = signerOfAccepted(batch, ticket)
}

/**
 * Publishes the result of an order that was in an auction, for its requester.
 * @param facts of the order, whose last event of this step has the sequence `publishedSeq`.
 */
export function publishLateOutcome(
  state: PublishOrdersState,
  auction: Auction,
  result: Result,
  facts: OrderFacts,
  publishedSeq: number,
): void {
  if (!outcome.claim(state.sink, EventType.Outcome)) return
  const { batchNumber, gateway, nonceHigh, nonceLow, request, signer } = auction.terms
  const isDisconnected = state.replaying || batchNumber <= state.auctions.clientsSinceBatch
  outcome.gateway = isDisconnected ? nobody : gateway
  outcome.request = request
  outcome.result = result
  outcome.command = CommandType.PlaceOrder
  const triggered = result === Result.MmpTriggered ? OutcomeFlag.MmpTriggered : 0
  outcome.flags = OutcomeFlag.IsResultPublished | OutcomeFlag.Late | triggered
  outcome.account = auction.row.terms.account
  outcome.facts.copy(facts)
  for (let i = 0; i < detailsCount; i++) outcome.setDetails(i, 0)
  outcome.publishedSeq = publishedSeq
  outcome.nonceHigh = nonceHigh
  outcome.nonceLow = nonceLow
  outcome.signer = signer
}

/** Publishes the OrderUpdate of a rejected order, replacement or cancel: the request and its nonce. */
export function publishRefusal(
  state: PublishOrdersState,
  batch: Batch,
  ticket: number,
  result: Result,
  facts: OrderFacts,
): void {
  if (!rejectedUpdate.claim(state.sink)) return
  outcome.of(rejectedUpdate)
  outcome.gateway = nobody
  outcome.request = 0
  writeTicket(batch, ticket, result, 0, facts)
  const command = batch.command(ticket)
  rejectedUpdate.refusedNonceHigh = command.nonceHigh
  rejectedUpdate.refusedNonceLow = command.nonceLow
  rejectedUpdate.refusedOrderId = 0
  const key = rejectedUpdate.refusedKey.clear()
  if (batch.type[ticket] === CommandType.CancelByClientId) return
  if (batch.type[ticket] === CommandType.CancelOrder) {
    rejectedUpdate.refusedOrderId = batch.cancel(ticket).orderId
    return
  }
  const place = batch.place(ticket)
  rejectedUpdate.refusedOrderId = place.oldOrderId
  key.copy(place.key)
}

/** Writes the common part of result and update of a ticket: the result and its details. */
function writeTicket(
  batch: Batch,
  ticket: number,
  result: Result,
  flags: number,
  facts: OrderFacts,
): void {
  outcome.result = result
  outcome.command = batch.type[ticket] as CommandType
  outcome.flags = flags
  outcome.account = batch.account[ticket]
  outcome.facts.copy(facts)
  const isDetailed = (batch.flags[ticket] & TicketFlag.Detailed) !== 0
  const first = ticket * detailsCount
  for (let i = 0; i < detailsCount; i++) {
    outcome.setDetails(i, isDetailed ? batch.details[first + i] : 0)
  }
}

/**
 * Publishes an order update with the current order.
 * @param status to publish. An order that executes at once is first published as accepted.
 */
export function publishOrder(
  state: PublishOrdersState,
  slot: number,
  status: OrderStatus,
  result: Result,
): void {
  const { orders, sink } = state
  orders.publishedSeq[slot] = sink.seq + 1
  if (!outcome.claim(sink, EventType.OrderUpdate)) return
  outcome.gateway = nobody
  outcome.request = 0
  outcome.result = result
  outcome.command = noCommand
  outcome.flags = result === Result.MmpTriggered ? OutcomeFlag.MmpTriggered : 0
  outcome.account = orders.account[slot]
  factsOfOrder(state, slot, status, outcome.facts)
  for (let i = 0; i < detailsCount; i++) outcome.setDetails(i, 0)
}

/** Publishes the public trade, before the fills of its two sides. */
export function publishTrade(
  state: PublishOrdersState,
  maker: number,
  taker: number,
  { priceMicros, sizeLots }: FillTerms,
  makerEffect: FillEffect,
  takerEffect: FillEffect,
): void {
  if (!trade.claim(state.sink)) return
  const { accounts, orders } = state
  trade.tradeId = state.tradeCount
  trade.priceMicros = priceMicros
  trade.sizeLots = sizeLots
  trade.makerFeeMicros = makerEffect.feeMicros
  trade.takerFeeMicros = takerEffect.feeMicros
  trade.instrument = orders.instrument[taker]
  trade.takerSide = orders.side[taker] as Side
  accounts.addresses.writeWords(orders.account[maker], trade.i32, trade.makerAt >> 2)
  accounts.addresses.writeWords(orders.account[taker], trade.i32, trade.takerAt >> 2)
}

/** Returns the notional of a size: the latest index, as fees use it, times the size. */
export function notionalMicrosOf(
  { instruments, marks }: PublishOrdersState,
  instrument: number,
  sizeLots: number,
): number {
  return premiumMicros(indexMicrosOf(marks, instruments.underlying[instrument]), sizeLots)
}

/** Publishes one side's fill of the trade. Order and account have already been changed. */
export function publishFill(
  state: PublishOrdersState,
  slot: number,
  isTaker: number,
  { priceMicros, sizeLots }: FillTerms,
  effect: FillEffect,
): void {
  const { orders } = state
  orders.publishedSeq[slot] = state.sink.seq + 1
  if (!fill.claim(state.sink)) return
  fill.fillId = state.tradeCount * 2 + isTaker
  fill.tradeId = state.tradeCount
  fill.orderId = orders.orderId[slot]
  fill.priceMicros = priceMicros
  fill.sizeLots = sizeLots
  fill.feeMicros = effect.feeMicros
  fill.realizedMicros = effect.realizedMicros
  fill.positionLots = effect.positionLots
  fill.costMicros = effect.costMicros
  fill.cashMicros = effect.cashMicros
  fill.positionRealizedMicros = effect.positionRealizedMicros
  fill.cumFilledLots = orders.filledLots[slot]
  fill.instrument = orders.instrument[slot]
  fill.side = orders.side[slot] as Side
  fill.isTaker = isTaker
  fill.flags = orders.flags[slot]
  state.accounts.addresses.writeWords(orders.account[slot], fill.i32, fill.walletAt >> 2)
  orders.copyBuilder(slot, fill.i32, fill.builderAt >> 2)
  fill.builderFeeMicros = effect.builderFeeMicros
  fill.notionalMicros = notionalMicrosOf(state, fill.instrument, sizeLots)
  fill.clientIdBytes = orders.clientIdBytes[slot]
  fill.account = orders.account[slot]
  orders.copyClientId(slot, fill.i32, fill.clientIdAt >> 2)
  writeCompetitionFields(state, orders.account[slot], orders.instrument[slot], fill)
}
