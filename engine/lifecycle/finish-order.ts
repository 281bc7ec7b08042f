import { assert } from '../../schemas/assert.js'
import { OrderStatus, RfqStatus } from '../../schemas/domain.js'
import type { Result } from '../../schemas/results.js'
import type { PublishOrdersState } from '../publish/publish-orders.js'
import { factsOfOrder, publishLateOutcome, publishOrder } from '../publish/publish-orders.js'
import { publishRfq } from '../publish/publish-rfq.js'
import { ownFacts } from '../state/accounts/kept-results.js'
import type { Auction } from '../state/rfq/auction-row.js'

export interface FinishOrderState extends PublishOrdersState {
  endOrder(slot: number, status: OrderStatus): void
  readonly nowMillis: number
}

const facts = ownFacts()

/**
 * Ends a working order and publishes it. If the order is in an auction, the auction ends too, and its requester is
 * answered.
 */
export function finishOrder(
  state: FinishOrderState,
  slot: number,
  status: OrderStatus,
  result: Result,
): void {
  const { auctions, orders } = state
  assert(orders.status[slot] < OrderStatus.Filled, 'order: it ends once')
  assert(orders.orderId[slot] !== 0, 'order: its slot is in use')
  const isFilled = status === OrderStatus.Filled
  assert(!isFilled || orders.openLots[slot] === 0, 'order: a filled order has no open lots')
  state.endOrder(slot, status)
  publishOrder(state, slot, status, result)
  if (!auctions.has(slot)) return
  const auction = auctions.find(slot)!
  auctions.end(auction, RfqStatus.Failed)
  publishRfq(state, auction.row, { reason: result })
  answerClient(state, auction, status, result)
}

/**
 * Sends the requester the result of an order that was in an auction. Duplicates of its command get the same result from
 * now on.
 * @param status in the answer.
 */
export function answerClient(
  state: FinishOrderState,
  auction: Auction,
  status: OrderStatus,
  result: Result,
): void {
  const { accounts, nowMillis, orders } = state
  const { row, slot, terms } = auction
  assert(!state.auctions.has(slot), 'auction: its client gets the answer when it ends')
  factsOfOrder(state, slot, status, facts)
  const seq = orders.publishedSeq[slot]
  accounts.outcomes[row.terms.account].amend(terms, result, facts, { seq, timeMillis: nowMillis })
  publishLateOutcome(state, auction, result, facts, seq)
}
