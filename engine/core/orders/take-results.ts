import { assert } from '../../../schemas/assert.js'
import { OrderFlag, OrderStatus } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import {
  type AnyResult,
  ChangedLevel,
  CountedFill,
  DoneCommand,
  MatchedFill,
  ReducedOrder,
  RemovedOrder,
  ResultRecord,
  BookTop as TopRecord,
} from '../../../schemas/generated/results.js'
import { DoneOutcome, OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { answerClient, finishOrder } from '../../lifecycle/finish-order.js'
import { revive } from '../../lifecycle/liquidation-gate.js'
import { none } from '../../memory/rows.js'
import { publishLevel } from '../../publish/publish-market.js'
import { factsOfOrder, publishOrder, publishOutcome } from '../../publish/publish-orders.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import { type Batch, TicketFlag, TicketState } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import { slotOf } from '../../state/orders/orders.js'
import { applyCounted, checkFreeze } from '../account/decide-mmp.js'
import { refuse } from '../steps/answer.js'
import { publishDirectiveResult } from '../steps/answer-directive.js'
import { acceptAction } from '../steps/signed.js'
import { applyFill, applyReduced, applyRemoved } from './apply-results.js'
import { beginAuction, leaveForBook } from './decide-auction.js'
import { checkNamedOrder } from './decide-order.js'

const facts = ownFacts()
const done = new DoneCommand()
const fill = new MatchedFill()
const removed = new RemovedOrder()
const reduced = new ReducedOrder()
const counted = new CountedFill()
const level = new ChangedLevel()
const topRecord = new TopRecord()
/** Top of the book whose order asks for an auction next. */
const bookTop = { bidMicros: 0, askMicros: 0 }

/**
 * Applies one result record of the current ticket.
 * @returns true if it was the ticket's last record.
 */
export function takeResult(
  state: CoreState,
  batch: Batch,
  ticket: number,
  record: AnyResult,
): boolean {
  const type = record.recordType
  assert(record.ticket === ticket, 'results: in the order of the tickets')
  assert(batch.state[ticket] === TicketState.Matching, 'results: the ticket is at a matcher')
  const isDone = type === ResultRecord.Done
  const { auctions } = state
  if (auctions.deciding !== null && ticket === auctions.decidingTicket) {
    const isQuotes = isDone && done.of(record).outcome === DoneOutcome.QuoteWins
    if (!isQuotes) leaveForBook(state, ticket)
  }
  if (isDone) {
    takeDone(state, batch, ticket, done.of(record).outcome)
    return true
  }
  // A replace begins with the removal of its old order; the new order's events follow.
  if (batch.type[ticket] !== CommandType.ReplaceOrder) acknowledge(state, batch, ticket)
  switch (type) {
    case ResultRecord.Fill:
      applyFill(state, fill.of(record))
      break
    case ResultRecord.Removed:
      takeRemoved(state, batch, ticket, removed.of(record))
      break
    case ResultRecord.Reduced:
      applyReduced(state, reduced.of(record), batch.slot[ticket])
      break
    case ResultRecord.Mmp:
      applyCounted(state, counted.of(record))
      break
    case ResultRecord.BookTop:
      bookTop.bidMicros = topRecord.of(record).bidMicros
      bookTop.askMicros = topRecord.askMicros
      break
    default:
      publishLevel(state, level.of(record))
  }
  return false
}

function takeRemoved(state: CoreState, batch: Batch, ticket: number, record: RemovedOrder): void {
  const slot = slotOf(record.handle)
  const isOwn = (batch.flags[ticket] & TicketFlag.Own) !== 0 && slot === batch.slot[ticket]
  const reason = isOwn ? (batch.result[ticket] as Result) : Result.Accepted
  const cause = applyRemoved(state, record, reason)
  if (slot === batch.slot[ticket]) batch.cause[ticket] = cause
  // While the replace was at the matcher, both orders counted as one.
  if (slot === batch.oldSlot[ticket]) state.accounts.workingOrders[batch.account[ticket]]++
  acknowledge(state, batch, ticket)
}

/** Publishes that the order was accepted, before any other event of the order. */
function acknowledge(state: CoreState, batch: Batch, ticket: number): void {
  if ((batch.flags[ticket] & TicketFlag.Acked) !== 0 || isCancel(batch.type[ticket])) return
  batch.flags[ticket] |= TicketFlag.Acked
  publishOrder(state, batch.slot[ticket], OrderStatus.Acked, Result.Accepted)
}

function takeDone(state: CoreState, batch: Batch, ticket: number, outcome: DoneOutcome): void {
  batch.undecided--
  assert(batch.undecided >= 0, 'results: no ticket ends twice')
  if ((batch.flags[ticket] & TicketFlag.Own) !== 0) endOwn(state, batch, ticket, outcome)
  else if (outcome === DoneOutcome.NotResting) answerGone(state, batch, ticket)
  else if (outcome === DoneOutcome.OpenDiffers) putBack(state, batch, ticket)
  else if (outcome === DoneOutcome.Frozen) rejectFrozen(state, batch, ticket)
  else if (outcome === DoneOutcome.AsksAuction) beginAuction(state, batch, ticket, bookTop)
  else if (outcome === DoneOutcome.WouldTrade) {
    rejectNew(state, batch, ticket, Result.PostOnlyWouldTrade)
  } else answerExecuted(state, batch, ticket, outcome)
  assert(
    batch.state[ticket] !== TicketState.Matching,
    'results: the ticket is no longer at a matcher',
  )
}

/** Executes a cancel of an order that is in no open book: its instrument is closed, or the order is in an auction. */
export function cancelUnbooked(state: CoreState, batch: Batch, ticket: number): void {
  const slot = batch.slot[ticket]
  const orderId = batch.namedOrderId[ticket]
  batch.undecided--
  // Another item of the same bulk may have been first.
  const known = checkNamedOrder(state, batch.account[ticket], slot, orderId)
  if (known !== Result.Accepted) {
    batch.state[ticket] = TicketState.Done
    refuse(state, batch, ticket, known)
    return
  }
  batch.cause[ticket] = Result.CanceledOnRequest
  finishOrder(state, slot, OrderStatus.Canceled, Result.CanceledOnRequest)
  answerExecuted(state, batch, ticket, DoneOutcome.Finished)
}

/** Answers a cancel or replace whose order had ended earlier in this batch. */
function answerGone(state: CoreState, batch: Batch, ticket: number): void {
  const isCanceling = isCancel(batch.type[ticket])
  const old = isCanceling ? batch.slot[ticket] : batch.oldSlot[ticket]
  const orderId = batch.namedOrderId[ticket]
  if (!isCanceling) discardNew(state, batch, ticket)
  // A batch that ends more orders than are kept with their facts may have reused the slot.
  const slot = state.orders.orderId[old] === orderId ? old : none
  let result = checkNamedOrder(state, batch.account[ticket], slot, orderId)
  assert(result !== Result.Accepted, 'cancel: an order that does not rest is final')
  // A bulk item can name the order of an earlier item by its client id, and that order may have been rejected.
  const isByClientId = batch.type[ticket] === CommandType.CancelByClientId
  if (isByClientId && result === Result.OrderNotFound) result = Result.ClientIdNotFound
  batch.state[ticket] = TicketState.Done
  refuse(state, batch, ticket, result)
}

/** Puts a replace back: its old order was filled in part earlier in this batch, so it is decided again. */
function putBack(state: CoreState, batch: Batch, ticket: number): void {
  assert(
    batch.type[ticket] === CommandType.ReplaceOrder,
    'decide again: only a replace is put back',
  )
  discardNew(state, batch, ticket)
  batch.state[ticket] = TicketState.Again
}

/**
 * Rejects an order whose protection triggered earlier in this batch, unknown to the core when it sent the order. The
 * order is rejected as it would be in the next batch.
 */
function rejectFrozen(state: CoreState, batch: Batch, ticket: number): void {
  const result = checkFreeze(state, batch, ticket, OrderFlag.MmpEnabled)
  assert(result === Result.MmpFrozen, 'mmp: a window frozen in the matcher is frozen in the core')
  rejectNew(state, batch, ticket, result)
}

/** Discards a new order that the matcher rejected. The order that it should replace keeps working. */
function rejectNew(state: CoreState, batch: Batch, ticket: number, result: Result): void {
  if (batch.type[ticket] === CommandType.ReplaceOrder) {
    discardNew(state, batch, ticket)
  } else {
    state.discardOrder(batch.slot[ticket])
    batch.slot[ticket] = none
  }
  batch.state[ticket] = TicketState.Done
  refuse(state, batch, ticket, result)
}

function discardNew(state: CoreState, batch: Batch, ticket: number): void {
  const { orders } = state
  assert(orders.filledLots[batch.slot[ticket]] === 0, 'discard: the order has no fills')
  state.discardOrder(batch.slot[ticket])
  state.accounts.workingOrders[batch.account[ticket]]++
  batch.slot[ticket] = none
  const old = batch.oldSlot[ticket]
  const isWorking = orders.orderId[old] === batch.namedOrderId[ticket] && orders.openLots[old] > 0
  if (isWorking) state.orderIndex.reclaimClient(old)
}

/**
 * Ends a ticket that the core opened itself: it has no client and burns no nonce. The exception is an order from an
 * auction, whose client gets its answer now.
 */
function endOwn(state: CoreState, batch: Batch, ticket: number, outcome: DoneOutcome): void {
  batch.state[ticket] = TicketState.Done
  if (isCancel(batch.type[ticket]) || outcome === DoneOutcome.QuoteWins) return
  const { auctions } = state
  const auction = auctions.leaving.get(ticket)
  const slot = batch.slot[ticket]
  const error = errorOfOwn(outcome)
  if (error !== Result.Accepted) {
    batch.cause[ticket] = error
    finishOrder(state, slot, OrderStatus.Canceled, error)
  }
  const status = placedStatus(state, batch, ticket, outcome)
  if (auction === undefined) return
  auctions.leaving.delete(ticket)
  if (outcome === DoneOutcome.Rested) state.enterBookLate(slot)
  answerClient(state, auction, status, batch.cause[ticket] as Result)
}

/** Returns why an order whose acceptance is published does not enter its book, or `Accepted`. */
function errorOfOwn(outcome: DoneOutcome): Result {
  if (outcome === DoneOutcome.Frozen) return Result.MmpCanceled
  return outcome === DoneOutcome.WouldTrade ? Result.PostOnlyWouldTrade : Result.Accepted
}

function answerExecuted(
  state: CoreState,
  batch: Batch,
  ticket: number,
  outcome: DoneOutcome,
): void {
  const slot = batch.slot[ticket]
  const type = batch.type[ticket]
  const status = isCancel(type)
    ? (state.orders.status[slot] as OrderStatus)
    : placedStatus(state, batch, ticket, outcome)
  factsOfOrder(state, slot, status, facts)
  const result = batch.cause[ticket] as Result
  const publishedSeq = state.orders.publishedSeq[slot]
  publishDirectiveResult(state, batch, ticket, Result.Accepted)
  acceptAction(state, batch, ticket, result, facts, publishedSeq)
  if (!isCancel(type)) revive(state, batch.account[ticket])
  batch.state[ticket] = TicketState.Done
  const flags = result === Result.MmpTriggered ? OutcomeFlag.MmpTriggered : 0
  const details = batch.beginDetails(ticket)
  batch.details[details] = publishedSeq
  publishOutcome(state, batch, ticket, result, flags | OutcomeFlag.IsResultPublished, facts)
}

/**
 * Publishes the state that the new order has reached.
 * @returns the status that its answer shows.
 */
function placedStatus(
  state: CoreState,
  batch: Batch,
  ticket: number,
  outcome: DoneOutcome,
): OrderStatus {
  const slot = batch.slot[ticket]
  acknowledge(state, batch, ticket)
  const filled = state.orders.filledLots[slot] > 0
  if (outcome === DoneOutcome.Rested) {
    assert(state.orders.openLots[slot] > 0, 'rest: the order has open lots')
    publishOrder(state, slot, state.orders.status[slot] as OrderStatus, Result.Accepted)
    // The direct answer of an order that rests without a fill says ACKED.
    return filled ? OrderStatus.PartiallyFilled : OrderStatus.Acked
  }
  if (batch.cause[ticket] !== 0) return OrderStatus.Canceled
  finishOrder(state, slot, OrderStatus.Filled, Result.Accepted)
  return OrderStatus.Filled
}

function isCancel(type: number): boolean {
  return type === CommandType.CancelOrder || type === CommandType.CancelByClientId
}
