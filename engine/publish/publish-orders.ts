import { clientIdBytesMax } from '../../schemas/bounds.js'
import {
  cancelClientIdAt,
  cancelClientIdBytesAt,
  cancelOrderIdAt,
  commandNonceHighAt,
  commandNonceLowAt,
  keyBytes,
  placeBuilderAt,
  placeClientIdAt,
  placeClientIdBytesAt,
  placeFlagsAt,
  placeKeyAt,
  placeOldOrderIdAt,
  placePriceMicrosAt,
  placeSideAt,
  placeSizeLotsAt,
  placeTifAt,
} from '../../schemas/commands.js'
import { OrderStatus } from '../../schemas/domain.js'
import {
  detailsCount,
  factsBuilderAt,
  factsBytes,
  factsClientIdAt,
  factsClientIdBytesAt,
  factsCreatedMillisAt,
  factsFilledLotsAt,
  factsFilledMicrosAt,
  factsFlagsAt,
  factsInstrumentAt,
  factsOrderIdAt,
  factsPriceMicrosAt,
  factsSideAt,
  factsSizeLotsAt,
  factsStatusAt,
  factsTifAt,
  factsWalletAt,
  fillAccountAt,
  fillBuilderAt,
  fillBuilderFeeMicrosAt,
  fillBytes,
  fillCashMicrosAt,
  fillClientIdAt,
  fillClientIdBytesAt,
  fillCostMicrosAt,
  fillCumFilledLotsAt,
  fillFeeMicrosAt,
  fillFlagsAt,
  fillIdAt,
  fillInstrumentAt,
  fillIsTakerAt,
  fillOrderIdAt,
  fillPositionLotsAt,
  fillPriceMicrosAt,
  fillRealizedMicrosAt,
  fillSideAt,
  fillSizeLotsAt,
  fillTradeIdAt,
  fillWalletAt,
  outcomeAccountAt,
  outcomeCommandAt,
  outcomeDetailsAt,
  outcomeFactsAt,
  outcomeFlagsAt,
  outcomeGatewayAt,
  outcomeNonceHighAt,
  outcomeNonceLowAt,
  outcomeRequestAt,
  outcomeResultAt,
  outcomeSignerAt,
  rejectionBytes,
  rejectionKeyAt,
  rejectionNonceHighAt,
  rejectionNonceLowAt,
  rejectionOrderIdAt,
  tradeBytes,
  tradeIdAt,
  tradeInstrumentAt,
  tradeMakerAt,
  tradeMakerFeeMicrosAt,
  tradePriceMicrosAt,
  tradeSizeLotsAt,
  tradeTakerAt,
  tradeTakerFeeMicrosAt,
  tradeTakerSideAt,
} from '../../schemas/events.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { EventType } from '../../schemas/generated/events.js'
import { Result } from '../../schemas/results.js'
import { copyBytes, copyWords } from '../memory/bytes.js'
import type { FillEffect, FillTerms } from '../risk/order-check.js'
import type { Batch } from '../state/batch.js'
import { signerOfAccepted, TicketFlag } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { unheard } from '../state/event-sink.js'

/** The gateway of an order update: it answers nobody. In a replay the askers are gone too. */
export const nobody = -1

/** Scratch of the last outcome's facts, for the kept outcomes: an unheard outcome is remembered too. */
export class FactsScratch {
  readonly u8 = new Uint8Array(factsBytes)
  readonly f64 = new Float64Array(this.u8.buffer)
  readonly i32 = new Int32Array(this.u8.buffer)
}

/** Facts of the order in `slot` with a status that may be ahead of the store's. */
export function factsOfOrder(
  state: CoreState,
  slot: number,
  status: number,
  out: FactsScratch,
): void {
  const { orders } = state
  const { f64, i32 } = out
  f64[factsOrderIdAt >> 3] = orders.orderId[slot]
  f64[factsPriceMicrosAt >> 3] = orders.priceMicros[slot]
  f64[factsSizeLotsAt >> 3] = orders.sizeLots[slot]
  f64[factsFilledLotsAt >> 3] = orders.filledLots[slot]
  f64[factsFilledMicrosAt >> 3] = orders.filledMicros[slot]
  i32[factsInstrumentAt >> 2] = orders.instrument[slot]
  i32[factsSideAt >> 2] = orders.side[slot]
  i32[factsTifAt >> 2] = orders.tif[slot]
  i32[factsFlagsAt >> 2] = orders.flags[slot]
  i32[factsStatusAt >> 2] = status
  i32[factsClientIdBytesAt >> 2] = orders.clientIdBytes[slot]
  orders.copyClientId(slot, i32, factsClientIdAt >> 2)
  state.accounts.addresses.writeWords(orders.account[slot], i32, factsWalletAt >> 2)
  orders.copyBuilder(slot, i32, factsBuilderAt >> 2)
  f64[factsCreatedMillisAt >> 3] = orders.createdMillis[slot]
}

/** Facts of an order that was refused: what the command said of it. */
export function factsOfCommand(
  batch: Batch,
  ticket: number,
  wallet: number,
  out: FactsScratch,
): void {
  const { f64, i32, u8 } = batch.views[ticket]
  const at = batch.at[ticket]
  out.u8.fill(0)
  out.f64[factsPriceMicrosAt >> 3] = f64[(at + placePriceMicrosAt) >> 3]
  out.f64[factsSizeLotsAt >> 3] = f64[(at + placeSizeLotsAt) >> 3]
  out.i32[factsInstrumentAt >> 2] = batch.instrument[ticket]
  out.i32[factsSideAt >> 2] = i32[(at + placeSideAt) >> 2]
  out.i32[factsTifAt >> 2] = i32[(at + placeTifAt) >> 2]
  out.i32[factsFlagsAt >> 2] = i32[(at + placeFlagsAt) >> 2]
  out.i32[factsStatusAt >> 2] = OrderStatus.Rejected
  out.i32[factsClientIdBytesAt >> 2] = i32[(at + placeClientIdBytesAt) >> 2]
  copyBytes(u8, at + placeClientIdAt, out.u8, factsClientIdAt, clientIdBytesMax)
  copyBytes(u8, wallet, out.u8, factsWalletAt, 20)
  copyBytes(u8, at + placeBuilderAt, out.u8, factsBuilderAt, 20)
}

/** Facts of a refused cancel: wallet, and the client id that it names, if it names one. */
export function factsOfCancel(
  batch: Batch,
  ticket: number,
  wallet: number,
  out: FactsScratch,
): void {
  const { i32, u8 } = batch.views[ticket]
  const at = batch.at[ticket]
  factsOfNothing(u8, wallet, -1, out)
  out.i32[factsStatusAt >> 2] = OrderStatus.Rejected
  if (batch.type[ticket] !== CommandType.CancelByClientId) return
  out.i32[factsClientIdBytesAt >> 2] = i32[(at + cancelClientIdBytesAt) >> 2]
  copyBytes(u8, at + cancelClientIdAt, out.u8, factsClientIdAt, clientIdBytesMax)
}

/** Facts of no order: a wallet and an instrument (or -1) at most. */
export function factsOfNothing(
  wallet: Uint8Array,
  walletAt: number,
  instrument: number,
  out: FactsScratch,
): void {
  out.u8.fill(0)
  out.i32[factsInstrumentAt >> 2] = instrument
  copyBytes(wallet, walletAt, out.u8, factsWalletAt, 20)
}

/** What an Outcome or an OrderUpdate says beside its facts; filled in before `publishOutcome`. */
export class OutcomeHead {
  gateway = nobody
  request = 0
  command = 0
  result: number = Result.Accepted
  flags = 0
  account = -1
}

const rejection = new OutcomeHead()

/**
 * An Outcome or an OrderUpdate, without details.
 * @param bytes of its record: what stands behind them is the caller's to write.
 * @returns the offset of the record, or `unheard`.
 */
export function publishOutcome(
  state: CoreState,
  type: typeof EventType.Outcome | typeof EventType.OrderUpdate,
  bytes: number,
  head: OutcomeHead,
  facts: FactsScratch,
): number {
  const at = state.sink.tryClaim(bytes, type)
  if (at === unheard) return unheard
  const { f64, i32 } = state.sink.views
  i32[(at + outcomeGatewayAt) >> 2] = head.gateway
  i32[(at + outcomeRequestAt) >> 2] = head.request
  i32[(at + outcomeResultAt) >> 2] = head.result
  i32[(at + outcomeCommandAt) >> 2] = head.command
  i32[(at + outcomeFlagsAt) >> 2] = head.flags
  i32[(at + outcomeAccountAt) >> 2] = head.account
  copyWords(facts.i32, 0, i32, (at + outcomeFactsAt) >> 2, factsBytes >> 2)
  const first = (at + outcomeDetailsAt) >> 3
  for (let i = 0; i < detailsCount; i++) f64[first + i] = 0
  return at
}

/** Adds to the outcome at `to` the details of its ticket, if it has some. */
export function tellDetails(state: CoreState, batch: Batch, ticket: number, to: number): void {
  if ((batch.flags[ticket] & TicketFlag.Detailed) === 0) return
  const { f64 } = state.sink.views
  const from = ticket * detailsCount
  const first = (to + outcomeDetailsAt) >> 3
  for (let i = 0; i < detailsCount; i++) f64[first + i] = batch.details[from + i]
}

/** Adds to the outcome at `to` which nonce was burned: who keeps it can tell what a loss must not bring back. */
export function tellNonce(state: CoreState, batch: Batch, ticket: number, to: number): void {
  const views = batch.views[ticket]
  const from = batch.at[ticket]
  const { i32 } = state.sink.views
  i32[(to + outcomeNonceHighAt) >> 2] = views.i32[(from + commandNonceHighAt) >> 2]
  i32[(to + outcomeNonceLowAt) >> 2] = views.i32[(from + commandNonceLowAt) >> 2]
  i32[(to + outcomeSignerAt) >> 2] = signerOfAccepted(batch, ticket)
}

/** The OrderUpdate of an order, replacement or cancel that was refused: what was asked for, under which nonce. */
export function publishRejection(
  state: CoreState,
  batch: Batch,
  ticket: number,
  result: number,
  facts: FactsScratch,
): void {
  const { views, at: ats, type, account } = batch
  const [command, from] = [views[ticket], ats[ticket]]
  const kind = type[ticket]
  rejection.command = kind
  rejection.result = result
  rejection.account = account[ticket]
  const at = publishOutcome(state, EventType.OrderUpdate, rejectionBytes, rejection, facts)
  if (at === unheard) return
  tellDetails(state, batch, ticket, at)
  const { f64, i32, u8 } = state.sink.views
  i32[(at + rejectionNonceHighAt) >> 2] = command.i32[(from + commandNonceHighAt) >> 2]
  i32[(at + rejectionNonceLowAt) >> 2] = command.i32[(from + commandNonceLowAt) >> 2]
  u8.fill(0, at + rejectionOrderIdAt, at + rejectionBytes)
  if (kind === CommandType.CancelByClientId) return
  if (kind === CommandType.CancelOrder) {
    f64[(at + rejectionOrderIdAt) >> 3] = command.f64[(from + cancelOrderIdAt) >> 3]
    return
  }
  f64[(at + rejectionOrderIdAt) >> 3] = command.f64[(from + placeOldOrderIdAt) >> 3]
  copyBytes(command.u8, from + placeKeyAt, u8, at + rejectionKeyAt, keyBytes)
}

/** The public trade, before the fills of its two sides. */
export function publishTrade(
  state: CoreState,
  maker: number,
  taker: number,
  { priceMicros, sizeLots }: FillTerms,
  makerEffect: FillEffect,
  takerEffect: FillEffect,
): void {
  const at = state.sink.tryClaim(tradeBytes, EventType.Trade)
  if (at === unheard) return
  const { orders } = state
  const { f64, i32 } = state.sink.views
  f64[(at + tradeIdAt) >> 3] = state.tradeCount
  f64[(at + tradePriceMicrosAt) >> 3] = priceMicros
  f64[(at + tradeSizeLotsAt) >> 3] = sizeLots
  f64[(at + tradeMakerFeeMicrosAt) >> 3] = makerEffect.feeMicros
  f64[(at + tradeTakerFeeMicrosAt) >> 3] = takerEffect.feeMicros
  i32[(at + tradeInstrumentAt) >> 2] = orders.instrument[taker]
  i32[(at + tradeTakerSideAt) >> 2] = orders.side[taker]
  state.accounts.addresses.writeWords(orders.account[maker], i32, (at + tradeMakerAt) >> 2)
  state.accounts.addresses.writeWords(orders.account[taker], i32, (at + tradeTakerAt) >> 2)
}

/** One side's part of the trade; order and account have been changed already. */
export function publishFill(
  state: CoreState,
  slot: number,
  isTaker: number,
  priceMicros: number,
  sizeLots: number,
  effect: FillEffect,
): void {
  const { orders } = state
  orders.toldSeq[slot] = state.sink.seq + 1
  const at = state.sink.tryClaim(fillBytes, EventType.Fill)
  if (at === unheard) return
  const { f64, i32 } = state.sink.views
  f64[(at + fillIdAt) >> 3] = state.tradeCount * 2 + isTaker
  f64[(at + fillTradeIdAt) >> 3] = state.tradeCount
  f64[(at + fillOrderIdAt) >> 3] = orders.orderId[slot]
  f64[(at + fillPriceMicrosAt) >> 3] = priceMicros
  f64[(at + fillSizeLotsAt) >> 3] = sizeLots
  f64[(at + fillFeeMicrosAt) >> 3] = effect.feeMicros
  f64[(at + fillRealizedMicrosAt) >> 3] = effect.realizedMicros
  f64[(at + fillPositionLotsAt) >> 3] = effect.positionLots
  f64[(at + fillCostMicrosAt) >> 3] = effect.costMicros
  f64[(at + fillCashMicrosAt) >> 3] = effect.cashMicros
  f64[(at + fillCumFilledLotsAt) >> 3] = orders.filledLots[slot]
  i32[(at + fillInstrumentAt) >> 2] = orders.instrument[slot]
  i32[(at + fillSideAt) >> 2] = orders.side[slot]
  i32[(at + fillIsTakerAt) >> 2] = isTaker
  i32[(at + fillFlagsAt) >> 2] = orders.flags[slot]
  state.accounts.addresses.writeWords(orders.account[slot], i32, (at + fillWalletAt) >> 2)
  orders.copyBuilder(slot, i32, (at + fillBuilderAt) >> 2)
  f64[(at + fillBuilderFeeMicrosAt) >> 3] = effect.builderFeeMicros
  i32[(at + fillClientIdBytesAt) >> 2] = orders.clientIdBytes[slot]
  i32[(at + fillAccountAt) >> 2] = orders.account[slot]
  orders.copyClientId(slot, i32, (at + fillClientIdAt) >> 2)
}
