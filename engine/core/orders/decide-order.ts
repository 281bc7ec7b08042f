import { assert } from '../../../schemas/assert.js'
import {
  HaltMode,
  InstrumentState,
  OrderFlag,
  OrderStatus,
  Route,
} from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  type InstrumentKey,
  type PerpTerms,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { type LiquidationGateState, liquidationGate } from '../../lifecycle/liquidation-gate.js'
import { none } from '../../memory/rows.js'
import type { InstrumentTable } from '../../pricing/instruments.js'
import { AdmissionCheck, endsAt } from '../../risk/admission-trace.js'
import { MarginVerdict, OrderCheck } from '../../risk/order-check.js'
import type { Accounts } from '../../state/accounts/accounts.js'
import { type Batch, TicketFlag, TicketState } from '../../state/batch.js'
import type { DecisionTrace } from '../../state/decision-trace.js'
import type { EngineConfig } from '../../state/market/engine-config.js'
import { type NewOrderState, takeSlot } from '../../state/new-order.js'
import type { BookLots } from '../../state/orders/book-lots.js'
import type { OrderIndex } from '../../state/orders/order-index.js'
import { checkFreeze, type DecideMmpState } from '../account/decide-mmp.js'
import { perpTermsOf } from '../steps/perp-terms.js'
import { type AuctionRowsState, bestShownMicros, hasBook } from './auction-rows.js'

export interface DecideOrderState
  extends DecideMmpState,
    LiquidationGateState,
    NewOrderState,
    AuctionRowsState {
  readonly orderIndex: OrderIndex
  readonly trace: DecisionTrace | null
  startOrder(slot: number): void
  readonly accounts: Accounts
  readonly config: EngineConfig
  readonly bookLots: BookLots
  haltModeOf(underlying: number): HaltMode
}

const named = new PlaceOrderCommand()
const cancel = new CancelOrderCommand()
const cancelByClientId = new CancelByClientIdCommand()

/** Margin request and verdict of a new order that is being decided. Allocated once and reused. */
export class NewOrder {
  readonly check = new OrderCheck()
  readonly verdict = new MarginVerdict()

  constructor() {
    this.check.starts = true
  }
}

/** Returns the slot that a replace or cancel names, or `none`. Orders of other wallets are not found. */
export function findNamedOrder(
  state: DecideOrderState,
  account: number,
  command: AnyCommand,
): number {
  if (account < 0) return none
  if (command.recordType === CommandType.CancelByClientId) {
    const { u8, clientIdAt, clientIdBytes } = cancelByClientId.of(command)
    return state.orderIndex.findClient(account, u8, clientIdAt, clientIdBytes)
  }
  const isCancel = command.recordType === CommandType.CancelOrder
  const orderId = isCancel ? cancel.of(command).orderId : named.of(command).oldOrderId
  const slot = state.orderIndex.find(orderId)
  return slot !== none && state.orders.account[slot] === account ? slot : none
}

/**
 * Checks the terms of a perp action: it must be in time, and a cancel must name a listed perp. An order's perp is
 * checked with the instruments of all orders. Other commands pass.
 */
export function checkPerpTerms(state: DecideOrderState, command: AnyCommand): Result {
  const terms = perpTermsOf(command)
  if (terms === null) return Result.Accepted
  const { expiresMillis } = terms
  if (expiresMillis !== 0 && expiresMillis < state.nowMillis) return Result.ActionExpired
  if (command.recordType === CommandType.PlaceOrder) return Result.Accepted
  const { instruments } = state
  const perp = perpNamed(instruments, terms)
  const isListed = perp !== none && instruments.state[perp] === InstrumentState.Active
  return isListed ? Result.Accepted : Result.PerpMissingUnderlying
}

/** Returns the perp that the terms of an action name, or `none`. */
function perpNamed(instruments: InstrumentTable, { asset }: PerpTerms): number {
  return asset >= 0 && asset < instruments.count && instruments.isPerp(asset) ? asset : none
}

/** Returns the instrument that a place or replace names, or `none`. */
export function namedInstrument(
  { instruments }: DecideOrderState,
  place: PlaceOrderCommand,
): number {
  const terms = perpTermsOf(place)
  return terms === null ? instruments.findKey(place.key) : perpNamed(instruments, terms)
}

/** Returns the slot of the working order that already has the client id of this place or replace, or `none`. */
export function findSameClientId(
  state: DecideOrderState,
  account: number,
  { u8, clientIdAt, clientIdBytes }: PlaceOrderCommand,
): number {
  if (account < 0 || clientIdBytes === 0) return none
  return state.orderIndex.findClient(account, u8, clientIdAt, clientIdBytes)
}

/**
 * Returns why the working order in `slot` cannot be cancelled or replaced, or `Accepted`. If `slot` is `none`, the id
 * distinguishes an order that ended long ago from one that never existed.
 */
export function checkNamedOrder(
  state: DecideOrderState,
  account: number,
  slot: number,
  orderId: number,
): Result {
  const status =
    slot === none ? state.orderIndex.forgottenStatus(orderId, account) : state.orders.status[slot]
  if (status === OrderStatus.Filled) return Result.OrderAlreadyFilled
  if (status === OrderStatus.Canceled) return Result.OrderAlreadyCanceled
  // A wallet must not cancel the engine's own orders while its account is in liquidation.
  if (slot !== none && (state.orders.flags[slot] & OrderFlag.Liquidation) !== 0) {
    return Result.AccountInLiquidation
  }
  return slot === none ? Result.OrderNotFound : Result.Accepted
}

/**
 * Checks a new order after signer and nonce. A failure has changed nothing.
 * @param oldNamed the error if the order to replace cannot be replaced.
 */
export function checkNewOrder(
  state: DecideOrderState,
  batch: Batch,
  ticket: number,
  oldNamed: Result,
  order: NewOrder,
): Result {
  const { trace } = state
  order.check.trace = trace
  trace?.onChecksBegin(batch, ticket, order)
  const result = runChecks(state, batch, ticket, oldNamed, order)
  trace?.onChecksEnd(batch, ticket, oldNamed, result)
  return result
}

/**
 * Guard ladder of a new order: caps, halt, instrument, route, client id, protection, reduce-only, then from funds to
 * margin. Caps and margin ignore the order that is replaced.
 * @param oldNamed the error if that order cannot be replaced. A halt takes precedence, because it leaves only cancels.
 */
export function runChecks(
  state: DecideOrderState,
  batch: Batch,
  ticket: number,
  oldNamed: Result,
  order: NewOrder,
): Result {
  const place = batch.place(ticket)
  const { flags } = place
  const { check } = order
  const { trace } = check
  let result: Result = Result.Accepted
  if (oldNamed === Result.Accepted) {
    result = checkCaps(state, batch, ticket, place, check)
    if (result !== Result.Accepted) return result
  }
  result = state.walletStops.has(batch.account[ticket])
    ? Result.WalletStopped
    : checkHalt(state, batch.instrument[ticket], place.key)
  if (endsAt(trace, AdmissionCheck.Halt, result)) return result
  if (endsAt(trace, AdmissionCheck.ReplacedOrder, oldNamed)) return oldNamed
  result = checkInstrument(state, batch, ticket, perpTermsOf(place) !== null)
  if (endsAt(trace, AdmissionCheck.Instrument, result)) return result
  result = checkRoute(batch, ticket, place.route)
  if (endsAt(trace, AdmissionCheck.Route, result)) return result
  const same = findSameClientId(state, batch.account[ticket], place)
  const isTaken = same !== none && same !== batch.oldSlot[ticket]
  result = isTaken ? Result.DuplicateClientId : Result.Accepted
  if (endsAt(trace, AdmissionCheck.ClientId, result)) return result
  result = checkFreeze(state, batch, ticket, flags)
  if (endsAt(trace, AdmissionCheck.Protection, result)) return result
  const isReducing = (flags & OrderFlag.ReduceOnly) !== 0
  result = isReducing && state.risk.checkReduceOnly(check) ? Result.ReduceOnly : Result.Accepted
  if (endsAt(trace, AdmissionCheck.ReduceOnly, result)) return result
  result = checkLimits(state, batch, ticket, check)
  if (result !== Result.Accepted) return result
  return checkRisk(state, batch, ticket, order)
}

/** Reads the order's terms, and checks the numbers of working orders and positions against the wallet's tier. */
function checkCaps(
  state: DecideOrderState,
  batch: Batch,
  ticket: number,
  place: PlaceOrderCommand,
  check: OrderCheck,
): Result {
  check.account = batch.account[ticket]
  check.instrument = batch.instrument[ticket]
  check.side = place.side
  check.sizeLots = place.sizeLots
  check.priceMicros = place.priceMicros
  check.replacedSlot = batch.oldSlot[ticket]
  const { trace } = check
  let result = hasTooManyOrders(state, check) ? Result.LimitExceeded : Result.Accepted
  if (endsAt(trace, AdmissionCheck.OpenOrders, result)) return result
  const isTooMany = hasTooManyPositions(state, check, place.flags)
  result = isTooMany ? Result.LimitExceeded : Result.Accepted
  return endsAt(trace, AdmissionCheck.Positions, result) ? result : Result.Accepted
}

function checkRisk(
  state: DecideOrderState,
  batch: Batch,
  ticket: number,
  { check, verdict }: NewOrder,
): Result {
  check.liquidation = liquidationGate(state, batch.account[ticket])
  const result = state.risk.checkOrder(check, verdict)
  if (result !== Result.Accepted) batch.details.set(verdict.details, batch.beginDetails(ticket))
  return result
}

/**
 * Returns true if the accepted order must wait for the end of its batch. This is the case if it passed as risk-reducing
 * while a replace of its wallet is at a matcher. Until the matcher answers, both orders of the replace count, so margin
 * looks worse than it is. An order that seems to leave margin unchanged could then reduce it.
 */
export function mustWaitForResults(batch: Batch, ticket: number, { verdict }: NewOrder): boolean {
  if (!verdict.reducesRisk) return false
  for (let earlier = batch.previous[ticket]; earlier !== none; earlier = batch.previous[earlier]) {
    const isAtMatcher = batch.state[earlier] === TicketState.Matching
    if (isAtMatcher && batch.type[earlier] === CommandType.ReplaceOrder) return true
  }
  return false
}

/**
 * Starts the order that `checkNewOrder` has accepted.
 * @returns its slot.
 */
export function startNewOrder(
  state: DecideOrderState,
  batch: Batch,
  ticket: number,
  { check, verdict }: NewOrder,
): number {
  assert(batch.result[ticket] === Result.Accepted, 'order: it starts after every check has passed')
  const isChecked =
    check.account === batch.account[ticket] && check.instrument === batch.instrument[ticket]
  assert(isChecked, 'order: the margin check was for this order')
  const { clientIdAt, clientIdBytes, builderAt, flags, i32, tif } = batch.place(ticket)
  const slot = takeSlot(state, check, tif, flags | (verdict.reducesRisk ? OrderFlag.Exempt : 0))
  state.orders.setTexts(slot, i32, clientIdBytes, clientIdAt >> 2, builderAt >> 2)
  state.startOrder(slot)
  state.trace?.onAccepted(batch, ticket, slot)
  return slot
}

/** Returns the number of the wallet's working orders, without one that is replaced. */
export function otherOrders(
  { accounts }: DecideOrderState,
  { account, replacedSlot }: OrderCheck,
): number {
  return accounts.workingOrders[account] - (replacedSlot === none ? 0 : 1)
}

function hasTooManyOrders(state: DecideOrderState, order: OrderCheck): boolean {
  const { config, risk } = state
  const { openOrdersMax } = config.tiers[risk.tier[order.account]]
  return openOrdersMax >= 0 && otherOrders(state, order) >= openOrdersMax
}

function hasTooManyPositions(
  { config, risk }: DecideOrderState,
  order: OrderCheck,
  flags: number,
): boolean {
  const { account, instrument } = order
  const { positionsMax } = config.tiers[risk.tier[account]]
  return (
    instrument >= 0 &&
    positionsMax >= 0 &&
    (flags & OrderFlag.ReduceOnly) === 0 &&
    risk.wouldOpenPosition(order) &&
    risk.positionsCounted[account] >= positionsMax
  )
}

/** Checks that sums over the wallet and the book stay exact, whatever happens to the order. */
function checkLimits(
  state: DecideOrderState,
  batch: Batch,
  ticket: number,
  order: OrderCheck,
): Result {
  const { limits } = state.risk
  const { trace } = order
  let result: Result = limits.check(order)
  let isEnd = endsAt(trace, AdmissionCheck.WalletLimits, result)
  if (!isEnd) {
    const isTaken = state.bookLots.takes(state.orders, order.instrument, order.sizeLots)
    result = isTaken ? Result.Accepted : Result.BookLimit
    isEnd = endsAt(trace, AdmissionCheck.BookLimit, result)
  }
  if (!isEnd) return Result.Accepted
  limits.writeDetails(result, batch.details, batch.beginDetails(ticket))
  return result
}

/** Checks halts of the underlying. If its instrument is unknown, the name in the command's key gives the underlying. */
function checkHalt(state: DecideOrderState, instrument: number, key: InstrumentKey): Result {
  const { instruments } = state
  const underlying =
    instrument >= 0 ? instruments.underlying[instrument] : instruments.findNamed(key)
  if (underlying < 0) return Result.Accepted
  const halt = state.haltModeOf(underlying)
  if (halt === HaltMode.Halted) return Result.TradingHalted
  return halt === HaltMode.CancelOnly ? Result.CancelOnly : Result.Accepted
}

function checkInstrument(
  state: DecideOrderState,
  batch: Batch,
  ticket: number,
  isPerpAction: boolean,
): Result {
  const { instruments } = state
  const instrument = batch.instrument[ticket]
  if (isPerpAction) {
    const isListed = instrument >= 0 && instruments.state[instrument] === InstrumentState.Active
    return isListed ? checkBook(state, batch, ticket) : Result.PerpMissingUnderlying
  }
  if (instrument < 0) return Result.InvalidSymbol
  if (
    instruments.state[instrument] !== InstrumentState.Active ||
    instruments.expiryMillis[instrument] <= state.nowMillis
  ) {
    return Result.InstrumentExpired
  }
  return checkBook(state, batch, ticket)
}

function checkRoute(batch: Batch, ticket: number, route: number): Result {
  if (isAccepted(route, batch.flags[ticket])) return Result.Accepted
  batch.details[batch.beginDetails(ticket)] = route
  return Result.RouteNotSupported
}

/** Returns true for accepted routes. `rfq_only` is reserved, and items of a bulk must go to the book. */
function isAccepted(route: number, ticketFlags: number): boolean {
  const isItem = (ticketFlags & TicketFlag.Item) !== 0
  return route === Route.BookOnly || (route === Route.BestExecution && !isItem)
}

/** Checks that there is a book, or a provider to ask instead. */
function checkBook(state: DecideOrderState, batch: Batch, ticket: number): Result {
  if (hasBook(state, batch.instrument[ticket])) return Result.Accepted
  const isAuctioned = bestShownMicros(state, batch, ticket) !== 0
  return isAuctioned ? Result.Accepted : Result.OrderbookNotFound
}
