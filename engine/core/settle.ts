import { assert } from '../../schemas/assert.js'
import { CommandType } from '../../schemas/commands.js'
import { OrderStatus } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import {
  DoneOutcome,
  doneOutcomeAt,
  doneTicketAt,
  ResultRecord,
  removedHandleAt,
} from '../matching/records.js'
import { recordTypeAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import { answer, refuse } from './answer.js'
import { applyFill, applyLevel, applyRemoved, finishOrder, publishOrder } from './apply-results.js'
import { type Batch, TicketFlag, TicketState } from './batch.js'
import type { CoreState } from './core-state.js'
import { checkNamedOrder } from './decide-order.js'
import { none } from './orders.js'
import { FactsScratch, factsOfOrder } from './publish-orders.js'
import { acceptAction } from './signed.js'

const facts = new FactsScratch()

/** Applies one result record of the ticket whose turn it is. @returns whether it was the ticket's last. */
export function settle(
  state: CoreState,
  batch: Batch,
  ticket: number,
  ring: Ring,
  at: number,
): boolean {
  const type = ring.i32[(at + recordTypeAt) >> 2]
  assert(ring.i32[(at + doneTicketAt) >> 2] === ticket, 'results: in the order of the tickets')
  if (type === ResultRecord.Done) {
    settleDone(state, batch, ticket, ring.i32[(at + doneOutcomeAt) >> 2])
    return true
  }
  // A replace begins with the removal of its old order, and only then the new one is heard of.
  if (batch.type[ticket] !== CommandType.ReplaceOrder) acknowledge(state, batch, ticket)
  if (type === ResultRecord.Fill) {
    applyFill(state, batch, ring, at)
  } else if (type === ResultRecord.Removed) {
    settleRemoved(state, batch, ticket, ring, at)
  } else {
    applyLevel(state, ring, at)
  }
  return false
}

function settleRemoved(
  state: CoreState,
  batch: Batch,
  ticket: number,
  ring: Ring,
  at: number,
): void {
  const slot = ring.i32[(at + removedHandleAt) >> 2]
  const cause = applyRemoved(state, batch, ring, at)
  if (slot === batch.slot[ticket]) batch.cause[ticket] = cause
  acknowledge(state, batch, ticket)
}

/** Tells the wallet that its order was accepted, before anything else of the order is told. */
function acknowledge(state: CoreState, batch: Batch, ticket: number): void {
  if ((batch.flags[ticket] & TicketFlag.Acked) !== 0 || isCancel(batch.type[ticket])) return
  batch.flags[ticket] |= TicketFlag.Acked
  publishOrder(state, batch, batch.slot[ticket], OrderStatus.Acked, Result.Accepted)
}

function settleDone(state: CoreState, batch: Batch, ticket: number, outcome: number): void {
  batch.matching--
  if (outcome === DoneOutcome.NotResting) settleGone(state, batch, ticket)
  else if (outcome === DoneOutcome.OpenDiffers) settleDiffers(state, batch, ticket)
  else settleDecided(state, batch, ticket, outcome)
}

/** The order to cancel or replace had ended earlier in this batch. */
function settleGone(state: CoreState, batch: Batch, ticket: number): void {
  const cancels = isCancel(batch.type[ticket])
  const old = cancels ? batch.slot[ticket] : batch.oldSlot[ticket]
  if (!cancels) discardNew(state, batch, ticket)
  const result = checkNamedOrder(state, batch.account[ticket], old, state.orders.orderId[old])
  assert(result !== Result.Accepted, 'cancel: an order that does not rest is final')
  batch.state[ticket] = TicketState.Done
  refuse(state, batch, ticket, result)
}

/** The order to replace was filled in part earlier in this batch: the replace is decided again. */
function settleDiffers(state: CoreState, batch: Batch, ticket: number): void {
  discardNew(state, batch, ticket)
  batch.state[ticket] = TicketState.Again
}

function discardNew(state: CoreState, batch: Batch, ticket: number): void {
  state.discardOrder(batch.slot[ticket])
  batch.slot[ticket] = none
  const old = batch.oldSlot[ticket]
  if (state.orders.openLots[old] > 0) state.orderIndex.reclaimClient(old)
}

function settleDecided(state: CoreState, batch: Batch, ticket: number, outcome: number): void {
  const slot = batch.slot[ticket]
  const { orders } = state
  const type = batch.type[ticket]
  let status = orders.status[slot] as OrderStatus
  if (!isCancel(type)) {
    acknowledge(state, batch, ticket)
    const filled = orders.filledLots[slot] > 0
    if (outcome === DoneOutcome.Rested) {
      const resting = filled ? OrderStatus.PartiallyFilled : OrderStatus.Open
      publishOrder(state, batch, slot, resting, Result.Accepted)
      // The direct answer of an order that rests untouched says ACKED (rest-and-signing.md 3.2).
      status = filled ? OrderStatus.PartiallyFilled : OrderStatus.Acked
    } else if (batch.cause[ticket] === 0) {
      finishOrder(state, batch, slot, OrderStatus.Filled, Result.Accepted)
      status = OrderStatus.Filled
    } else {
      status = OrderStatus.Canceled
    }
  }
  factsOfOrder(state, slot, status, facts)
  const result = batch.cause[ticket] as Result
  const views = batch.views[ticket]
  acceptAction(state, batch.account[ticket], views, batch.at[ticket], type, result, facts)
  batch.state[ticket] = TicketState.Done
  answer(state, batch, ticket, result, 0, facts, none)
}

function isCancel(type: number): boolean {
  return type === CommandType.CancelOrder || type === CommandType.CancelByClientId
}
