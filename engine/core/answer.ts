import { CommandType, commandGatewayAt, commandRequestAt } from '../../schemas/commands.js'
import { detailsCount, EventType, OutcomeFlag } from '../../schemas/events.js'
import { isRejection, type Result } from '../../schemas/results.js'
import { type Batch, TicketFlag } from './batch.js'
import type { CoreState } from './core-state.js'
import { none } from './orders.js'
import {
  FactsScratch,
  factsOfCommand,
  factsOfNothing,
  factsOfOrder,
  nobody,
  publishOutcome,
} from './publish-orders.js'
import { walletAtOf } from './signed.js'

const scratch = new FactsScratch()

/** Tells the asker of a ticket how it ended. `details` is an index into `batch.details`, or `none`. */
export function answer(
  state: CoreState,
  batch: Batch,
  ticket: number,
  result: Result,
  flags: number,
  facts: FactsScratch,
  details: number,
): void {
  const { i32 } = batch.views[ticket]
  const at = batch.at[ticket]
  const gateway = state.replaying ? nobody : i32[(at + commandGatewayAt) >> 2]
  const request = i32[(at + commandRequestAt) >> 2]
  const { type } = batch
  const account = batch.account[ticket]
  const kind = EventType.Outcome
  publishOutcome(
    state,
    batch,
    kind,
    gateway,
    request,
    type[ticket],
    result,
    flags,
    account,
    facts,
    details,
  )
}

/** Answers a ticket that the core decided alone in its turn: a repeat or a refusal. */
export function answerDecided(state: CoreState, batch: Batch, ticket: number): void {
  if ((batch.flags[ticket] & TicketFlag.Repeat) !== 0) answerRepeat(state, batch, ticket)
  else refuse(state, batch, ticket, batch.result[ticket] as Result)
}

/**
 * Refuses a ticket: the wallet's stream hears of a new order that was rejected, the asker of every refusal.
 * A cancel's answer shows the order concerned.
 */
export function refuse(state: CoreState, batch: Batch, ticket: number, result: Result): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const type = batch.type[ticket]
  const walletAt = walletAtOf(type, at)
  const details = ticket * detailsCount
  if (type === CommandType.PlaceOrder || type === CommandType.ReplaceOrder) {
    factsOfCommand(batch, ticket, walletAt, scratch)
    if (isRejection(result) && batch.instrument[ticket] >= 0) {
      const kind = EventType.OrderUpdate
      const account = batch.account[ticket]
      publishOutcome(state, batch, kind, nobody, 0, type, result, 0, account, scratch, details)
    }
  } else if (batch.slot[ticket] !== none) {
    const slot = batch.slot[ticket]
    factsOfOrder(state, slot, state.orders.status[slot], scratch)
  } else {
    factsOfNothing(views.u8, walletAt, -1, scratch)
  }
  answer(state, batch, ticket, result, 0, scratch, details)
}

/** A repeat is answered as the first time; nothing is executed, no order update is sent again. */
function answerRepeat(state: CoreState, batch: Batch, ticket: number): void {
  const outcomes = state.accounts.outcomes[batch.account[ticket]]
  const place = batch.slot[ticket]
  outcomes.copyFacts(place, scratch.u8, 0)
  const result = outcomes.result(place) as Result
  answer(state, batch, ticket, result, OutcomeFlag.Repeat, scratch, none)
}
