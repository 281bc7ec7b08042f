import { assert } from '../../../schemas/assert.js'
import { detailsCount } from '../../../schemas/bounds.js'
import type { OrderStatus } from '../../../schemas/domain.js'
import { CommandType, SubmitRfqCommand } from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { isRejection, Result } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { none } from '../../memory/rows.js'
import type { PublishDirectiveState } from '../../publish/publish-directive.js'
import {
  factsOfCancel,
  factsOfCommand,
  factsOfNothing,
  factsOfOrder,
  type PublishOrdersState,
  publishOutcome,
  publishRefusal,
} from '../../publish/publish-orders.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import { type Batch, TicketFlag, TicketState } from '../../state/batch.js'
import type { DecisionTrace } from '../../state/decision-trace.js'
import { publishDirectiveResult } from './answer-directive.js'
import { isSamePayload, repeatOf, type SignedState } from './signed.js'

interface AnswerState extends PublishOrdersState, PublishDirectiveState, SignedState {
  readonly trace: DecisionTrace | null
  readonly rejectCounts: Float64Array
}

const scratch = ownFacts()
const request = new SubmitRfqCommand()

/**
 * Answers a command that the core executes at once, with `facts`. Call it only after `answerEarlier`, and while no
 * earlier command of the batch is undecided.
 */
export function answerNow(
  state: AnswerState,
  batch: Batch,
  ticket: number,
  result: Result,
  flags: number,
  facts: OrderFacts,
): void {
  assert(
    batch.undecided === 0 && batch.current === ticket,
    'answer: every earlier ticket has its answer',
  )
  batch.state[ticket] = TicketState.Done
  batch.current = ticket + 1
  publishOutcome(state, batch, ticket, result, flags, facts)
}

/** Answers earlier failures and duplicates, so that the events of this ticket follow theirs. */
export function answerEarlier(state: AnswerState, batch: Batch, ticket: number): void {
  for (; batch.current < ticket; batch.current++) {
    if (batch.state[batch.current] === TicketState.Decided)
      answerDecided(state, batch, batch.current)
  }
}

/**
 * Answers a bulk item that has the nonce of an earlier item. The same payload gets the earlier answer, another payload
 * `NonceUsed`. Waits while the earlier item is decided again.
 */
export function answerEcho(state: AnswerState, batch: Batch, ticket: number): void {
  const earlier = batch.earlier[ticket]
  assert(earlier >= 0 && earlier < ticket, 'echo: the item is earlier')
  assert(batch.account[earlier] === batch.account[ticket], 'echo: the item is from the same wallet')
  if (batch.state[earlier] !== TicketState.Done) return
  batch.undecided--
  batch.state[ticket] = TicketState.Done
  if (!isSamePayload(batch, earlier, ticket)) refuse(state, batch, ticket, Result.NonceUsed)
  else if (batch.result[earlier] === Result.Accepted) answerRepeat(state, batch, ticket)
  else {
    // A matcher's rejection may have details, such as those of a freeze.
    const [from, to] = [earlier * detailsCount, ticket * detailsCount]
    batch.details.copyWithin(to, from, from + detailsCount)
    batch.flags[ticket] |= batch.flags[earlier] & TicketFlag.Detailed
    refuse(state, batch, ticket, batch.result[earlier] as Result)
  }
}

/** Answers a ticket that the core decided without a matcher: a duplicate or a failure. */
export function answerDecided(state: AnswerState, batch: Batch, ticket: number): void {
  batch.state[ticket] = TicketState.Done
  if ((batch.flags[ticket] & TicketFlag.Repeat) !== 0) answerRepeat(state, batch, ticket)
  else refuse(state, batch, ticket, batch.result[ticket] as Result)
}

/**
 * Answers a ticket with an error. The wallet's stream receives rejections only, the client every error. A cancel's
 * answer shows the named order; its update does not, because the order itself was not rejected.
 */
export function refuse(state: AnswerState, batch: Batch, ticket: number, result: Result): void {
  assert(result < 0, 'reject: the result is an error')
  batch.result[ticket] = result
  state.trace?.onRejected(batch, ticket, result)
  state.rejectCounts[-result]++
  const type = batch.type[ticket]
  const isOrder = type === CommandType.PlaceOrder || type === CommandType.ReplaceOrder
  const isCancel = type === CommandType.CancelOrder || type === CommandType.CancelByClientId
  const isPublished = isRejection(result) && (isOrder || isCancel)
  if (isOrder) factsOfCommand(batch, ticket, scratch)
  else if (isCancel) factsOfCancel(batch, ticket, scratch)
  const isOwn = (batch.flags[ticket] & TicketFlag.Own) !== 0
  if (!isOwn) publishDirectiveResult(state, batch, ticket, result)
  if (isPublished) publishRefusal(state, batch, ticket, result, scratch)
  if (isOwn) return
  if (!isOrder && holdsNamedOrder(state, batch, ticket)) {
    const slot = batch.slot[ticket]
    factsOfOrder(state, slot, state.orders.status[slot] as OrderStatus, scratch)
  } else if (type === CommandType.SubmitRfq) factsOfRequest(state, batch, ticket, scratch)
  else if (!isOrder) factsOfNothing(batch.command(ticket), -1, scratch)
  const flags = isPublished ? OutcomeFlag.IsRejectionPublished : 0
  publishOutcome(state, batch, ticket, result, flags, scratch)
}

/** Writes the facts of a request for quote: its id and its first instrument. */
function factsOfRequest(state: AnswerState, batch: Batch, ticket: number, out: OrderFacts): void {
  const { count, rfqIdAt, u8 } = request.of(batch.command(ticket))
  const first = count > 0 ? state.instruments.findKey(request.legs(0).key) : none
  factsOfNothing(batch.command(ticket), first, out)
  out.clientIdText = formatUuid(u8, rfqIdAt)
}

/** Returns true if the slot of a cancel still belongs to the order that it names. */
function holdsNamedOrder(state: AnswerState, batch: Batch, ticket: number): boolean {
  const slot = batch.slot[ticket]
  return slot !== none && state.orders.orderId[slot] === batch.namedOrderId[ticket]
}

/**
 * Answers a duplicate with the first result. Nothing is executed and no order update is published again. Actions of the
 * same batch may have displaced the stored result.
 */
function answerRepeat(state: AnswerState, batch: Batch, ticket: number): void {
  const account = batch.account[ticket]
  const place = repeatOf(state, account, batch.command(ticket))
  if (place < 0) {
    refuse(state, batch, ticket, Result.NonceUsed)
    return
  }
  const outcomes = state.accounts.outcomes[account]
  outcomes.copyFacts(place, scratch)
  state.accounts.addresses.writeWords(account, scratch.i32, scratch.walletAt >> 2)
  const result = outcomes.result(place) as Result
  const details = batch.beginDetails(ticket)
  batch.details[details] = outcomes.seq(place)
  batch.details[details + 1] = outcomes.millis(place)
  const triggered = result === Result.MmpTriggered ? OutcomeFlag.MmpTriggered : 0
  publishOutcome(state, batch, ticket, result, OutcomeFlag.Repeat | triggered, scratch)
}
