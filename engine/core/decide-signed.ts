import { assert } from '../../schemas/assert.js'
import {
  cancelOrderIdAt,
  marginModeAt,
  perpAssetAt,
  placeOldOrderIdAt,
  selfTradeModeAt,
} from '../../schemas/commands.js'
import { InstrumentState, SelfTradeMode } from '../../schemas/domain.js'
import { factsPreviousModeAt } from '../../schemas/events.js'
import { CommandType, MarkPayoutsSeenCommand } from '../../schemas/generated/commands.js'
import { AccountChange, OutcomeFlag, Signer } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { formatAddress } from '../../schemas/wallet.js'
import { checkPayoutsSeen } from '../lifecycle/payouts-seen.js'
import { none } from '../memory/rows.js'
import { publishAccount } from '../publish/publish-market.js'
import { FactsScratch, factsOfNothing } from '../publish/publish-orders.js'
import { publishPayoutsSeen } from '../publish/publish-settlement.js'
import { type Batch, TicketFlag, TicketState } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { sendPlace, sendReplace } from '../state/send-order.js'
import { answerEarlier, answerNow } from './answer.js'
import { applyAgent, checkAgent } from './decide-agents.js'
import { decideBid } from './decide-bid.js'
import { checkTier, setTier } from './decide-market.js'
import { applyMmp, checkMmp, mmpFacts } from './decide-mmp.js'
import { applyMarginMode, checkMarginMode } from './decide-mode.js'
import {
  checkNamedOrder,
  checkNewOrder,
  checkPerpTerms,
  findNamedOrder,
  findSameClientId,
  mustSettleFirst,
  namedInstrument,
  perpTermsAt,
  startNewOrder,
} from './decide-order.js'
import {
  acceptAction,
  isNonceBurned,
  repeatOf,
  signerOf,
  undecidedNonce,
  walletAtOf,
} from './signed.js'

const facts = new FactsScratch()
const payoutsSeen = new MarkPayoutsSeenCommand()

/**
 * Decides one signed command as far as the core alone can. Opens a ticket for it in any case.
 * @param isItem of a bulk: it never waits, and what an earlier item with its nonce comes to is its answer.
 */
export function decideSigned(
  state: CoreState,
  batch: Batch,
  views: RecordViews,
  at: number,
  type: number,
  isItem: boolean,
): void {
  const account = state.accounts.findWords(views.u32, walletAtOf(type, at) >> 2)
  const signer = signerOf(state, account, views, at, type)
  // The signer before everything: what a stranger sends is no business of the wallet, and touches nothing of it.
  if (signer === Signer.Stranger) {
    batch.result[batch.add(views, at, type, -1)] = Result.Unauthorized
    return
  }
  const earlier = isItem ? undecidedNonce(batch, account, views, at) : none
  const ticket = batch.add(views, at, type, account)
  if (isItem) batch.flags[ticket] |= TicketFlag.Item
  if (signer === Signer.Agent) batch.flags[ticket] |= TicketFlag.ByAgent
  let result = account < 0 ? refusalOfUnopened(type) : Result.Accepted
  if (account >= 0 && isNonceBurned(state, account, signer, views, at, type)) {
    if (repeatOf(state, account, views, at) >= 0) {
      batch.flags[ticket] |= TicketFlag.Repeat
      return
    }
    result = Result.NonceUsed
  }
  if (earlier !== none) {
    batch.state[ticket] = TicketState.Echo
    batch.earlier[ticket] = earlier
    batch.undecided++
    return
  }
  if (result === Result.Accepted) result = checkPerpTerms(state, views, at, type)
  if (result !== Result.Accepted) {
    batch.result[ticket] = result
    return
  }
  decideByType(state, batch, ticket, type)
}

/** Decides what nothing but the state and its own terms can refuse any more. */
function decideByType(state: CoreState, batch: Batch, ticket: number, type: number): void {
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
    case CommandType.SetSelfTrade:
    case CommandType.SetUserTier:
    case CommandType.SetMarginMode:
    case CommandType.MarkPayoutsSeen:
    case CommandType.SetMmp:
    case CommandType.DeleteMmp:
    case CommandType.ResetMmp:
      decideOwn(state, batch, ticket)
      break
    case CommandType.BidLiquidation:
      decideBid(state, batch, ticket)
      break
    default:
      assert(false, 'core: a command of schemas/commands.ts')
  }
}

/** Whether a signed command names something that this batch has not decided yet; a stranger's is refused at once. */
export function mustWait(
  state: CoreState,
  batch: Batch,
  views: RecordViews,
  at: number,
  type: number,
): boolean {
  if (batch.undecided === 0) return false
  const account = state.accounts.findWords(views.u32, walletAtOf(type, at) >> 2)
  // Who has signed is asked last: most commands wait for nothing, and `decideSigned` asks it again.
  if (!namesUndecided(state, batch, account, views, at, type)) return false
  return signerOf(state, account, views, at, type) !== Signer.Stranger
}

function namesUndecided(
  state: CoreState,
  batch: Batch,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
): boolean {
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
  return undecidedNonce(batch, account, views, at) !== none
}

/** Decides a replace whose old order had changed: once more, now that the batch has shown how. */
export function decideReplace(state: CoreState, batch: Batch, ticket: number): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const account = batch.account[ticket]
  const oldSlot = findNamedOrder(state, account, views, at, CommandType.ReplaceOrder)
  const instrument = namedInstrument(state, views, at, CommandType.ReplaceOrder)
  batch.instrument[ticket] = instrument
  batch.oldSlot[ticket] = oldSlot
  batch.namedOrderId[ticket] = views.f64[(at + placeOldOrderIdAt) >> 3]
  batch.state[ticket] = TicketState.Decided
  let named = checkNamedOrder(state, account, oldSlot, batch.namedOrderId[ticket])
  if (named === Result.Accepted && state.orders.instrument[oldSlot] !== instrument) {
    named = Result.OrderNotInBook
  }
  const result = checkNewOrder(state, batch, ticket, account, oldSlot, named)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  if (mustSettleFirst(batch, ticket)) {
    batch.state[ticket] = TicketState.Again
    batch.touch(oldSlot)
    return
  }
  const slot = startNewOrder(state, batch, ticket, account)
  // One of the two orders ends in any case: together they count as one.
  state.accounts.workingOrders[account]--
  send(state, batch, ticket, slot)
  batch.touch(oldSlot)
  sendReplace(state, ticket, slot, oldSlot)
}

/** Decides a new order. It may be left to be decided again, behind the replaces of its wallet. */
export function decidePlace(state: CoreState, batch: Batch, ticket: number): void {
  const account = batch.account[ticket]
  const at = batch.at[ticket]
  const views = batch.views[ticket]
  batch.state[ticket] = TicketState.Decided
  batch.instrument[ticket] = namedInstrument(state, views, at, CommandType.PlaceOrder)
  const result = checkNewOrder(state, batch, ticket, account, none, Result.Accepted)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  if (mustSettleFirst(batch, ticket)) {
    batch.state[ticket] = TicketState.Again
    return
  }
  const slot = startNewOrder(state, batch, ticket, account)
  send(state, batch, ticket, slot)
  sendPlace(state, ticket, slot)
}

function decideCancel(state: CoreState, batch: Batch, ticket: number): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const type = batch.type[ticket]
  const account = batch.account[ticket]
  const terms = perpTermsAt(views, at, type)
  const slot = findNamedOrder(state, account, views, at, type)
  const byClientId = type === CommandType.CancelByClientId
  const orderId = byClientId ? 0 : views.f64[(at + cancelOrderIdAt) >> 3]
  const result = checkNamedOrder(state, account, slot, orderId)
  batch.slot[ticket] = slot
  batch.result[ticket] = byClientId && slot === none ? Result.ClientIdNotFound : result
  const isOther = slot !== none && terms !== none
  if (isOther && state.orders.instrument[slot] !== views.i32[(terms + perpAssetAt) >> 2]) {
    batch.slot[ticket] = none
    batch.result[ticket] = byClientId ? Result.ClientIdNotFound : Result.OrderNotInBook
    return
  }
  if (slot === none) return
  batch.namedOrderId[ticket] = state.orders.orderId[slot]
  if (result !== Result.Accepted) return
  const instrument = state.orders.instrument[slot]
  batch.instrument[ticket] = instrument
  if (state.instruments.state[instrument] !== InstrumentState.Active) {
    batch.state[ticket] = TicketState.Unbooked
    batch.undecided++
    batch.touch(slot)
    return
  }
  send(state, batch, ticket, slot)
  state.matchers.cancel(batch.matcher[ticket], ticket, instrument, slot)
}

/** Decides what concerns the account alone: its agents, its modes. */
function decideOwn(state: CoreState, batch: Batch, ticket: number): void {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const type = batch.type[ticket]
  const walletAt = walletAtOf(type, at)
  const result = checkOwn(state, batch, ticket, walletAt)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  answerEarlier(state, batch, ticket)
  const account = batch.account[ticket]
  const previousMode = state.risk.marginMode[account]
  applyOwn(state, account, views, at, type)
  factsOfNothing(views.u8, walletAt, -1, facts)
  if (type === CommandType.SetMarginMode) facts.i32[factsPreviousModeAt >> 2] = previousMode
  if (type === CommandType.SetMmp) mmpFacts(state, account, views, at, facts)
  acceptAction(state, batch, ticket, Result.Accepted, facts, 0)
  const flags = state.risk.cashMicros[account] > 0 ? 0 : OutcomeFlag.Unfunded
  answerNow(state, batch, ticket, Result.Accepted, flags, facts)
}

function checkOwn(state: CoreState, batch: Batch, ticket: number, walletAt: number): Result {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const type = batch.type[ticket]
  if (type === CommandType.SetUserTier) {
    const allowed = checkOperator(state, views, walletAt)
    return allowed === Result.Accepted ? checkTier(state, views, at) : allowed
  }
  if (type === CommandType.MarkPayoutsSeen) return checkPayoutsSeen(payoutsSeen.over(views, at))
  // What hangs on an underlying, or on margin, waits until the clock can be believed.
  if (state.clockAlarm && (isMmp(type) || type === CommandType.SetMarginMode)) {
    return Result.VenueHalted
  }
  if (isMmp(type)) return checkMmp(state, batch.account[ticket], views, at, type)
  if (type === CommandType.SetMarginMode) {
    return checkMarginMode(state, batch, ticket, views.i32[(at + marginModeAt) >> 2])
  }
  if (type === CommandType.SetSelfTrade) return checkMode(views.i32[(at + selfTradeModeAt) >> 2])
  return checkAgent(state, batch.account[ticket], views, at, type, walletAt)
}

function applyOwn(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
): void {
  if (type === CommandType.SetUserTier) {
    setTier(state, views, at)
  } else if (type === CommandType.MarkPayoutsSeen) {
    publishPayoutsSeen(state, account, payoutsSeen.over(views, at))
  } else if (type === CommandType.SetMarginMode) {
    applyMarginMode(state, account, views.i32[(at + marginModeAt) >> 2])
  } else if (isMmp(type)) {
    applyMmp(state, account, views, at, type)
  } else if (type === CommandType.SetSelfTrade) {
    state.setSelfTrade(account, views.i32[(at + selfTradeModeAt) >> 2])
    publishAccount(state, account, AccountChange.Modes, 0)
  } else {
    applyAgent(state, account, views, at, type)
  }
}

/** Why a wallet without an account gets nothing done: half of all random bytes are signed by one. */
function refusalOfUnopened(type: number): Result {
  const isOrder = type === CommandType.PlaceOrder || type === CommandType.ReplaceOrder
  if (isOrder) return Result.NoFunds
  return type === CommandType.SetUserTier ? Result.Unauthorized : Result.NoAccount
}

/** Whether a tier is signed by one of the addresses that the operator has named. */
function checkOperator({ config }: CoreState, { u8 }: RecordViews, signerAt: number): Result {
  const isSigner = config.operatorSigners.includes(formatAddress(u8, signerAt))
  return isSigner ? Result.Accepted : Result.Unauthorized
}

function checkMode(mode: number): Result {
  const isMode = mode >= SelfTradeMode.CancelTaker && mode <= SelfTradeMode.CancelBoth
  return isMode ? Result.Accepted : Result.ValueRefused
}

function isMmp(type: number): boolean {
  return type >= CommandType.SetMmp && type <= CommandType.ResetMmp
}

function isTouched(batch: Batch, slot: number): boolean {
  return slot !== none && batch.isTouched(slot)
}

function send(state: CoreState, batch: Batch, ticket: number, slot: number): void {
  batch.slot[ticket] = slot
  batch.state[ticket] = TicketState.Matching
  batch.undecided++
  batch.touch(slot)
  const underlying = state.instruments.underlying[state.orders.instrument[slot]]
  batch.matcher[ticket] = state.matchers.of(underlying)
}
