import { assert } from '../../schemas/assert.js'
import {
  CommandType,
  cancelOrderIdAt,
  commandWalletAt,
  operatorCommandsFrom,
  placeKeyAt,
  placeOldOrderIdAt,
} from '../../schemas/commands.js'
import { OutcomeFlag } from '../../schemas/events.js'
import { Result } from '../../schemas/results.js'
import { recordTypeAt } from '../memory/layout.js'
import { answer } from './answer.js'
import { type Batch, TicketFlag, TicketState } from './batch.js'
import type { CoreState } from './core-state.js'
import { applyAgent, checkAgent } from './decide-agents.js'
import { decideMarket, MarketOutcome } from './decide-market.js'
import {
  checkNamedOrder,
  checkNewOrder,
  findNamedOrder,
  findSameClientId,
  startNewOrder,
} from './decide-order.js'
import type { RecordViews } from './event-sink.js'
import { none } from './orders.js'
import { FactsScratch, factsOfNothing } from './publish-orders.js'
import { acceptAction, checkSigner, hasUndecidedNonce, repeatOf, walletAtOf } from './signed.js'

const facts = new FactsScratch()
const market = new MarketOutcome()

/**
 * Decides one command as far as the core alone can: refuses it, carries it out, or sends it to a matcher.
 * @returns false when it depends on something still undecided in this batch: then nothing has happened, and the
 * batch is closed before it.
 */
export function decide(state: CoreState, batch: Batch, views: RecordViews, at: number): boolean {
  const type = views.i32[(at + recordTypeAt) >> 2]
  if (type >= operatorCommandsFrom) return decideOperator(state, batch, views, at, type)
  const walletAt = walletAtOf(type, at)
  const account = state.accounts.find(views.u8, walletAt)
  if (mustWait(state, batch, views, at, type, account)) return false
  const ticket = batch.add(views, at, type, account)
  const repeat = repeatOf(state, account, views, at)
  if (repeat >= 0) {
    batch.flags[ticket] = TicketFlag.Repeat
    batch.slot[ticket] = repeat
    return true
  }
  const signed = checkSigner(state, account, views, at, walletAt)
  if (signed !== Result.Accepted) {
    batch.result[ticket] = signed
    return true
  }
  switch (type) {
    case CommandType.PlaceOrder:
      decidePlace(state, batch, ticket)
      break
    case CommandType.ReplaceOrder:
      decideReplace(state, batch, ticket)
      break
    case CommandType.CancelOrder:
    case CommandType.CancelByClientId:
      decideCancel(state, batch, ticket)
      break
    case CommandType.ApproveAgent:
    case CommandType.RevokeAgent:
    case CommandType.RevokeAllAgents:
      decideAgent(state, batch, ticket, walletAt)
      break
    default:
      assert(false, 'core: a command of schemas/commands.ts')
  }
  return true
}

/** Decides a replace whose old order had changed: once more, now that the batch has shown how. */
export function decideReplace(state: CoreState, batch: Batch, ticket: number): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const account = batch.account[ticket]
  const { orders, matchers } = state
  const oldSlot = findNamedOrder(state, account, views, at, CommandType.ReplaceOrder)
  const instrument = state.instruments.findKey(views, at + placeKeyAt)
  batch.instrument[ticket] = instrument
  batch.oldSlot[ticket] = oldSlot
  batch.state[ticket] = TicketState.Decided
  let result = checkNamedOrder(state, account, oldSlot, views.f64[(at + placeOldOrderIdAt) >> 3])
  if (result === Result.Accepted && orders.instrument[oldSlot] !== instrument) {
    result = Result.OrderNotInBook
  }
  if (result === Result.Accepted) result = checkNewOrder(state, batch, ticket, account, oldSlot)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  const slot = startNewOrder(state, batch, ticket, account)
  send(state, batch, ticket, slot)
  batch.touch(oldSlot)
  const selfTrade = state.accounts.selfTrade[account]
  matchers.replace(batch.matcher[ticket], ticket, orders, slot, oldSlot, selfTrade)
}

function decidePlace(state: CoreState, batch: Batch, ticket: number): void {
  const account = batch.account[ticket]
  const at = batch.at[ticket]
  batch.instrument[ticket] = state.instruments.findKey(batch.views[ticket], at + placeKeyAt)
  const result = checkNewOrder(state, batch, ticket, account, none)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  const slot = startNewOrder(state, batch, ticket, account)
  send(state, batch, ticket, slot)
  const { matchers, orders } = state
  matchers.place(batch.matcher[ticket], ticket, orders, slot, state.accounts.selfTrade[account])
}

function decideCancel(state: CoreState, batch: Batch, ticket: number): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const type = batch.type[ticket]
  const account = batch.account[ticket]
  const slot = findNamedOrder(state, account, views, at, type)
  const byClientId = type === CommandType.CancelByClientId
  const orderId = byClientId ? 0 : views.f64[(at + cancelOrderIdAt) >> 3]
  const result = checkNamedOrder(state, account, slot, orderId)
  batch.slot[ticket] = slot
  batch.result[ticket] = byClientId && slot === none ? Result.ClientIdNotFound : result
  if (result !== Result.Accepted) return
  const instrument = state.orders.instrument[slot]
  batch.instrument[ticket] = instrument
  send(state, batch, ticket, slot)
  state.matchers.cancel(batch.matcher[ticket], ticket, instrument, slot)
}

function decideAgent(state: CoreState, batch: Batch, ticket: number, walletAt: number): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const type = batch.type[ticket]
  const result = checkAgent(state, batch.account[ticket], views, at, type, walletAt)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  const account = state.accountFor(views.u8, walletAt)
  batch.account[ticket] = account
  applyAgent(state, account, views, at, type)
  factsOfNothing(views.u8, walletAt, -1, facts)
  acceptAction(state, account, views, at, type, Result.Accepted, facts)
  answerNow(state, batch, ticket, Result.Accepted, 0)
}

function decideOperator(
  state: CoreState,
  batch: Batch,
  views: RecordViews,
  at: number,
  type: number,
): boolean {
  if (batch.matching > 0) return false
  const ticket = batch.add(views, at, type, -1)
  const result = decideMarket(state, views, at, type, market)
  factsOfNothing(views.u8, at + commandWalletAt, market.instrument, facts)
  answerNow(state, batch, ticket, result, market.repeat ? OutcomeFlag.Repeat : 0)
  return true
}

/** Answers with `facts` at once: right only while no earlier command of the batch is with a matcher. */
function answerNow(
  state: CoreState,
  batch: Batch,
  ticket: number,
  result: Result,
  flags: number,
): void {
  batch.state[ticket] = TicketState.Done
  answer(state, batch, ticket, result, flags, facts, none)
}

/** Whether a signed command names something that this batch has not decided yet. */
function mustWait(
  state: CoreState,
  batch: Batch,
  views: RecordViews,
  at: number,
  type: number,
  account: number,
): boolean {
  if (batch.matching === 0) return false
  switch (type) {
    case CommandType.PlaceOrder:
      if (isTouched(batch, findSameClientId(state, account, views, at))) return true
      break
    case CommandType.ReplaceOrder:
      if (isTouched(batch, findSameClientId(state, account, views, at))) return true
      if (isTouched(batch, findNamedOrder(state, account, views, at, type))) return true
      break
    case CommandType.CancelOrder:
    case CommandType.CancelByClientId:
      if (isTouched(batch, findNamedOrder(state, account, views, at, type))) return true
      break
    default:
      return true
  }
  return hasUndecidedNonce(batch, account, views, at)
}

function isTouched(batch: Batch, slot: number): boolean {
  return slot !== none && batch.isTouched(slot)
}

function send(state: CoreState, batch: Batch, ticket: number, slot: number): void {
  batch.slot[ticket] = slot
  batch.state[ticket] = TicketState.Matching
  batch.matching++
  batch.touch(slot)
  const underlying = state.instruments.underlying[state.orders.instrument[slot]]
  batch.matcher[ticket] = state.matchers.of(underlying)
}
