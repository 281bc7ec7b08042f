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
import { type PublishCompetitionsState, tellStanding } from './publish-competitions.js'

export interface PublishOrdersState extends PublishCompetitionsState {
  readonly orders: OrderStore
  readonly accounts: Accounts
  readonly replaying: boolean
  readonly auctions: AuctionTable
  readonly tradeCount: number
}

/** The gateway of an order update: it answers nobody. In a replay the askers are gone too. */
export const nobody = -1
/** The command of an order update that is about no command. */
const unasked = 0 as CommandType

const outcome = new OutcomeEvent()
const refusal = new RefusalEvent()
const trade = new TradeEvent()
const fill = new FillEvent()

/** Facts of the order in `slot` with a status that may be ahead of the store's. */
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

/** Facts of an order that was refused: what the command said of it. */
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

/** Facts of a refused cancel: wallet, and the client id that it names, if it names one. */
export function factsOfCancel(batch: Batch, ticket: number, out: OrderFacts): void {
  factsOfNothing(batch.command(ticket), -1, out)
  out.status = OrderStatus.Rejected
  if (batch.type[ticket] !== CommandType.CancelByClientId) return
  const cancel = batch.cancelByClientId(ticket)
  out.clientIdBytes = cancel.clientIdBytes
  copyWords(cancel.i32, cancel.clientIdAt >> 2, out.i32, out.clientIdAt >> 2, clientIdWords)
}

/** Facts of no order: the wallet that acts and an instrument (or -1) at most. */
export function factsOfNothing(command: AnyCommand, instrument: number, out: OrderFacts): void {
  out.clear()
  out.instrument = instrument
  copyWords(command.i32, walletAtOf(command) >> 2, out.i32, out.walletAt >> 2, addressWords)
}

/**
 * The answer to a ticket, for its asker. Where a nonce was burned it says which one, and by whom: who keeps it can tell
 * what a loss must not bring back.
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
  tellTicket(batch, ticket, result, flags, facts)
  if (!burnsNonce(batch.type[ticket], result, flags)) return
  outcome.nonceHigh = command.nonceHigh
  outcome.nonceLow = command.nonceLow
  outcome.signer = signerOfAccepted(batch, ticket)
}

/**
 * The answer to an order that has waited for quotes, for its asker.
 * @param facts of the order, whose last event of this step has the sequence `toldSeq`.
 */
export function publishLateOutcome(
  state: PublishOrdersState,
  auction: Auction,
  result: Result,
  facts: OrderFacts,
  toldSeq: number,
): void {
  if (!outcome.claim(state.sink, EventType.Outcome)) return
  const { batchNumber, gateway, nonceHigh, nonceLow, request, signer } = auction.terms
  const isGone = state.replaying || batchNumber <= state.auctions.askersSinceBatch
  outcome.gateway = isGone ? nobody : gateway
  outcome.request = request
  outcome.result = result
  outcome.command = CommandType.PlaceOrder
  const triggered = result === Result.MmpTriggered ? OutcomeFlag.MmpTriggered : 0
  outcome.flags = OutcomeFlag.Told | OutcomeFlag.Late | triggered
  outcome.account = auction.row.terms.account
  outcome.facts.copy(facts)
  for (let i = 0; i < detailsCount; i++) outcome.setDetails(i, 0)
  outcome.toldSeq = toldSeq
  outcome.nonceHigh = nonceHigh
  outcome.nonceLow = nonceLow
  outcome.signer = signer
}

/** The OrderUpdate of an order, replacement or cancel that was refused: what was asked for, under which nonce. */
export function publishRefusal(
  state: PublishOrdersState,
  batch: Batch,
  ticket: number,
  result: Result,
  facts: OrderFacts,
): void {
  if (!refusal.claim(state.sink)) return
  outcome.of(refusal)
  outcome.gateway = nobody
  outcome.request = 0
  tellTicket(batch, ticket, result, 0, facts)
  const command = batch.command(ticket)
  refusal.refusedNonceHigh = command.nonceHigh
  refusal.refusedNonceLow = command.nonceLow
  refusal.refusedOrderId = 0
  const key = refusal.refusedKey.clear()
  if (batch.type[ticket] === CommandType.CancelByClientId) return
  if (batch.type[ticket] === CommandType.CancelOrder) {
    refusal.refusedOrderId = batch.cancel(ticket).orderId
    return
  }
  const place = batch.place(ticket)
  refusal.refusedOrderId = place.oldOrderId
  key.copy(place.key)
}

/** What answer and update of a ticket have in common: how it ended, and the details of that. */
function tellTicket(
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
 * One order update with the order as it is now.
 * @param status that is told: an order that is carried out at once is told to be accepted first.
 */
export function publishOrder(
  state: PublishOrdersState,
  slot: number,
  status: OrderStatus,
  result: Result,
): void {
  const { orders, sink } = state
  orders.toldSeq[slot] = sink.seq + 1
  if (!outcome.claim(sink, EventType.OrderUpdate)) return
  outcome.gateway = nobody
  outcome.request = 0
  outcome.result = result
  outcome.command = unasked
  outcome.flags = result === Result.MmpTriggered ? OutcomeFlag.MmpTriggered : 0
  outcome.account = orders.account[slot]
  factsOfOrder(state, slot, status, outcome.facts)
  for (let i = 0; i < detailsCount; i++) outcome.setDetails(i, 0)
}

/** The public trade, before the fills of its two sides. */
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

/** What a size is of the underlying: its latest index, as fees go by it, times the size. */
export function notionalMicrosOf(
  { instruments, marks }: PublishOrdersState,
  instrument: number,
  sizeLots: number,
): number {
  return premiumMicros(indexMicrosOf(marks, instruments.underlying[instrument]), sizeLots)
}

/** One side's part of the trade; order and account have been changed already. */
export function publishFill(
  state: PublishOrdersState,
  slot: number,
  isTaker: number,
  { priceMicros, sizeLots }: FillTerms,
  effect: FillEffect,
): void {
  const { orders } = state
  orders.toldSeq[slot] = state.sink.seq + 1
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
  tellStanding(state, orders.account[slot], orders.instrument[slot], fill)
}
