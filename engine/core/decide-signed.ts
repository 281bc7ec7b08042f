import { assert } from '../../schemas/assert.js'
import { InstrumentState } from '../../schemas/domain.js'
import {
  type AnyCommand,
  CommandType,
  PlaceOrderCommand,
} from '../../schemas/generated/commands.js'
import { walletAtOf } from '../../schemas/record-rules/commands.js'
import { Signer } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import { AdmissionCheck, endsAt } from '../risk/admission-trace.js'
import { type Batch, TicketFlag, TicketState } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { sendPlace, sendReplace } from '../state/send-order.js'
import { decideBid } from './account/decide-bid.js'
import { decideOwn } from './account/decide-own.js'
import { auctionMicros } from './orders/auction-rows.js'
import {
  checkNamedOrder,
  checkNewOrder,
  checkPerpTerms,
  findNamedOrder,
  findSameClientId,
  mustWaitForResults,
  NewOrder,
  namedInstrument,
  startNewOrder,
} from './orders/decide-order.js'
import { decideSubmit } from './rfq/decide-rfq.js'
import { decideAccept } from './rfq/decide-rfq-accept.js'
import { perpTermsOf } from './steps/perp-terms.js'
import { isNonceBurned, repeatOf, signerOf, undecidedNonce } from './steps/signed.js'

const place = new PlaceOrderCommand()
/** Reused: the core is one thread and decides one order at a time. */
const newOrder = new NewOrder()

/**
 * Decides one signed command as far as the core can without a matcher. Always opens a ticket.
 * @param isItem true for an item of a bulk. It never waits, and gets the answer of an earlier item with the same nonce.
 */
export function decideSigned(
  state: CoreState,
  batch: Batch,
  command: AnyCommand,
  isItem: boolean,
): void {
  const account = state.accounts.findWords(command.u32, walletAtOf(command) >> 2)
  const { trace } = state
  trace?.onCommand(command, account)
  const signer = signerOf(state, account, command)
  // The signer is checked first: a stranger's command neither reads nor changes anything of the wallet.
  const signerResult = signer === Signer.Stranger ? Result.Unauthorized : Result.Accepted
  if (endsAt(trace, AdmissionCheck.Signer, signerResult)) {
    batch.result[batch.add(command, -1)] = Result.Unauthorized
    return
  }
  const earlier = isItem ? undecidedNonce(batch, account, command) : none
  const ticket = batch.add(command, account)
  if (isItem) batch.flags[ticket] |= TicketFlag.Item
  if (signer === Signer.Agent) batch.flags[ticket] |= TicketFlag.ByAgent
  let result = account < 0 ? errorWithoutAccount(command.recordType) : Result.Accepted
  trace?.onCheck(AdmissionCheck.Account, result, null)
  if (account >= 0) {
    if (isNonceBurned(state, account, signer, command)) {
      if (repeatOf(state, account, command) >= 0) {
        batch.flags[ticket] |= TicketFlag.Repeat
        trace?.onDuplicate()
        return
      }
      result = Result.NonceUsed
    }
    trace?.onCheck(AdmissionCheck.Nonce, result, null)
  }
  if (earlier !== none) {
    batch.state[ticket] = TicketState.Echo
    batch.earlier[ticket] = earlier
    batch.undecided++
    trace?.onDuplicate()
    return
  }
  if (result === Result.Accepted) {
    result = checkPerpTerms(state, command)
    if (!endsAt(trace, AdmissionCheck.PerpTerms, result)) {
      decideByType(state, batch, ticket, command)
      return
    }
  }
  batch.result[ticket] = result
}

/** Decides a command by its type, after signer, nonce and perp terms have passed. */
function decideByType(state: CoreState, batch: Batch, ticket: number, command: AnyCommand): void {
  switch (command.recordType) {
    case CommandType.PlaceOrder:
      decidePlace(state, batch, ticket)
      break
    case CommandType.ReplaceOrder:
      decideReplace(state, batch, ticket)
      break
    case CommandType.CancelOrder:
    case CommandType.CancelByClientId:
      decideCancel(state, batch, ticket, command)
      break
    case CommandType.BidLiquidation:
      decideBid(state, batch, ticket, command)
      break
    case CommandType.SubmitRfq:
      decideSubmit(state, batch, ticket, command)
      break
    case CommandType.AcceptRfqQuote:
      decideAccept(state, batch, ticket, command)
      break
    default: {
      const isOwn = decideOwn(state, batch, ticket, command)
      assert(isOwn, 'core: a command of schemas/records/commands.ts')
    }
  }
}

/**
 * Returns true if a signed command depends on something undecided in this batch. A stranger's never waits: it fails at
 * once.
 */
export function mustWait(state: CoreState, batch: Batch, command: AnyCommand): boolean {
  if (batch.undecided === 0) return false
  const account = state.accounts.findWords(command.u32, walletAtOf(command) >> 2)
  // The signer is checked last: most commands wait for nothing, and `decideSigned` checks it again.
  if (!namesUndecided(state, batch, account, command)) return false
  return signerOf(state, account, command) !== Signer.Stranger
}

function namesUndecided(
  state: CoreState,
  batch: Batch,
  account: number,
  command: AnyCommand,
): boolean {
  const type = command.recordType
  // Commands about modes, agents and the like depend on everything undecided of their wallet.
  if (type > CommandType.CancelByClientId) return true
  if (type === CommandType.PlaceOrder || type === CommandType.ReplaceOrder) {
    place.of(command)
    if (isTouched(batch, findSameClientId(state, account, place))) return true
  }
  if (type !== CommandType.PlaceOrder) {
    if (isTouched(batch, findNamedOrder(state, account, command))) return true
  }
  return undecidedNonce(batch, account, command) !== none
}

/** Decides a replace. If its old order changed within the batch, this runs again after the results are known. */
export function decideReplace(state: CoreState, batch: Batch, ticket: number): void {
  const account = batch.account[ticket]
  const replace = batch.place(ticket)
  const oldSlot = findNamedOrder(state, account, replace)
  const instrument = namedInstrument(state, replace)
  if (isNamedEarlier(state, batch, ticket, oldSlot)) {
    batch.state[ticket] = TicketState.Again
    return
  }
  batch.instrument[ticket] = instrument
  batch.oldSlot[ticket] = oldSlot
  batch.namedOrderId[ticket] = replace.oldOrderId
  batch.state[ticket] = TicketState.Decided
  let named = checkNamedOrder(state, account, oldSlot, replace.oldOrderId)
  if (named === Result.Accepted && state.orders.instrument[oldSlot] !== instrument) {
    named = Result.OrderNotInBook
  }
  const result = checkNewOrder(state, batch, ticket, named, newOrder)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  if (mustWaitForResults(batch, ticket, newOrder)) {
    batch.state[ticket] = TicketState.Again
    batch.touch(oldSlot)
    return
  }
  const slot = startNewOrder(state, batch, ticket, newOrder)
  assert(slot !== oldSlot, 'replace: the two orders have different slots')
  // One of the two orders ends in any case, so together they count as one.
  state.accounts.workingOrders[account]--
  assert(state.accounts.workingOrders[account] > 0, 'replace: one of the two orders is working')
  send(state, batch, ticket, slot)
  batch.touch(oldSlot)
  sendReplace(state, ticket, slot, oldSlot)
}

/**
 * Returns true if an earlier item of the same bulk cancels or replaces an order that waits for quotes. No matcher has
 * that order, so none can say which item was first.
 */
function isNamedEarlier(state: CoreState, batch: Batch, ticket: number, oldSlot: number): boolean {
  if (!state.auctions.has(oldSlot)) return false
  for (let earlier = batch.previous[ticket]; earlier !== none; earlier = batch.previous[earlier]) {
    const isNamed = batch.slot[earlier] === oldSlot || batch.oldSlot[earlier] === oldSlot
    if (isNamed && batch.isUndecided(earlier)) return true
  }
  return false
}

/** Decides a new order. It may have to be decided again, after the replaces of its wallet. */
export function decidePlace(state: CoreState, batch: Batch, ticket: number): void {
  batch.state[ticket] = TicketState.Decided
  batch.instrument[ticket] = namedInstrument(state, batch.place(ticket))
  const result = checkNewOrder(state, batch, ticket, Result.Accepted, newOrder)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return
  if (mustWaitForResults(batch, ticket, newOrder)) {
    batch.state[ticket] = TicketState.Again
    return
  }
  const slot = startNewOrder(state, batch, ticket, newOrder)
  send(state, batch, ticket, slot)
  sendPlace(state, ticket, slot, auctionMicros(state, batch, ticket))
}

function decideCancel(state: CoreState, batch: Batch, ticket: number, command: AnyCommand): void {
  const account = batch.account[ticket]
  const terms = perpTermsOf(command)
  const slot = findNamedOrder(state, account, command)
  const byClientId = command.recordType === CommandType.CancelByClientId
  const orderId = byClientId ? 0 : batch.cancel(ticket).orderId
  const result = checkNamedOrder(state, account, slot, orderId)
  batch.slot[ticket] = slot
  batch.result[ticket] = byClientId && slot === none ? Result.ClientIdNotFound : result
  if (slot === none) return
  const instrument = state.orders.instrument[slot]
  if (terms !== null && instrument !== terms.asset) {
    batch.slot[ticket] = none
    batch.result[ticket] = byClientId ? Result.ClientIdNotFound : Result.OrderNotInBook
    return
  }
  batch.namedOrderId[ticket] = state.orders.orderId[slot]
  if (result !== Result.Accepted) return
  batch.instrument[ticket] = instrument
  const isClosed = state.instruments.state[instrument] !== InstrumentState.Active
  if (isClosed || state.auctions.has(slot)) {
    batch.state[ticket] = TicketState.Unbooked
    batch.undecided++
    batch.touch(slot)
    return
  }
  send(state, batch, ticket, slot)
  state.matchers.cancel(batch.matcher[ticket], ticket, instrument, slot)
}

/**
 * Returns the error for a wallet without an account. Half of all random bytes recover to the address of some wallet.
 */
function errorWithoutAccount(type: number): Result {
  const isOrder = type === CommandType.PlaceOrder || type === CommandType.ReplaceOrder
  if (isOrder) return Result.NoFunds
  if (type === CommandType.ConnectProvider) return Result.UnknownProvider
  return type === CommandType.SetUserTier ? Result.Unauthorized : Result.NoAccount
}

function isTouched(batch: Batch, slot: number): boolean {
  return slot !== none && batch.isTouched(slot)
}

function send(state: CoreState, batch: Batch, ticket: number, slot: number): void {
  assert(batch.state[ticket] === TicketState.Decided, 'order: it is sent to its matcher once')
  batch.slot[ticket] = slot
  batch.state[ticket] = TicketState.Matching
  batch.undecided++
  batch.touch(slot)
  const underlying = state.instruments.underlying[state.orders.instrument[slot]]
  batch.matcher[ticket] = state.matchers.of(underlying)
}
