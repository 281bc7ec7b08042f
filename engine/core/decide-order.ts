import { underlyingsMax } from '../../schemas/bounds.js'
import {
  cancelByClientIdBytes,
  cancelClientIdAt,
  cancelClientIdBytesAt,
  cancelOrderBytes,
  cancelOrderIdAt,
  keyUnderlyingAt,
  perpAssetAt,
  perpExpiresMillisAt,
  placeBuilderAt,
  placeClientIdAt,
  placeClientIdBytesAt,
  placeFlagsAt,
  placeKeyAt,
  placeOldOrderIdAt,
  placeOrderBytes,
  placePriceMicrosAt,
  placeRouteAt,
  placeSideAt,
  placeSizeLotsAt,
  placeTifAt,
} from '../../schemas/commands.js'
import {
  HaltMode,
  InstrumentState,
  OrderFlag,
  OrderStatus,
  Route,
  TradingMode,
} from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { liquidationGate } from '../lifecycle/liquidation-gate.js'
import { recordBytesAt } from '../memory/layout.js'
import { none } from '../memory/rows.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import { MarginVerdict, OrderCheck } from '../risk/order-check.js'
import { type Batch, TicketFlag, TicketState } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { checkFreeze } from './decide-mmp.js'
import { writeLimitDetails, writeRouteDetails, writeVerdictDetails } from './verdict-details.js'

/** Reused by every check: the core is one thread and decides one order at a time. */
const request = new OrderCheck()
request.starts = true
const verdict = new MarginVerdict()

/** Slot that a replace or cancel names, or `none`; an order of another wallet is not found. */
export function findNamedOrder(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
): number {
  if (account < 0) return none
  if (type === CommandType.CancelByClientId) {
    const bytes = views.i32[(at + cancelClientIdBytesAt) >> 2]
    return state.orderIndex.findClient(account, views.u8, at + cancelClientIdAt, bytes)
  }
  const idAt = type === CommandType.CancelOrder ? cancelOrderIdAt : placeOldOrderIdAt
  const slot = state.orderIndex.find(views.f64[(at + idAt) >> 3])
  return slot !== none && state.orders.account[slot] === account ? slot : none
}

/** Place of a perp action's terms behind the record of a place or cancel (schemas/commands.ts); `none`: it is none. */
export function perpTermsAt(views: RecordViews, at: number, type: number): number {
  let bytes: number
  switch (type) {
    case CommandType.PlaceOrder:
      bytes = placeOrderBytes
      break
    case CommandType.CancelOrder:
      bytes = cancelOrderBytes
      break
    case CommandType.CancelByClientId:
      bytes = cancelByClientIdBytes
      break
    default:
      return none
  }
  return views.i32[(at + recordBytesAt) >> 2] > bytes ? at + bytes : none
}

/**
 * Whether a signed command may be carried out that is a perp action: in time, and a cancel for a perp that is listed.
 * Whether that of an order is listed, is looked at where the instrument of any order is. Any other may.
 */
export function checkPerpTerms(
  state: CoreState,
  views: RecordViews,
  at: number,
  type: number,
): Result {
  const terms = perpTermsAt(views, at, type)
  if (terms === none) return Result.Accepted
  const expiresMillis = views.f64[(terms + perpExpiresMillisAt) >> 3]
  if (expiresMillis !== 0 && expiresMillis < state.nowMillis) return Result.ActionExpired
  if (type === CommandType.PlaceOrder) return Result.Accepted
  const { instruments } = state
  const perp = perpNamed(instruments, views, terms)
  const isListed = perp !== none && instruments.state[perp] === InstrumentState.Active
  return isListed ? Result.Accepted : Result.PerpMissingUnderlying
}

/** Perp whose number stands in the terms of an action, or `none`. */
function perpNamed(instruments: InstrumentTable, views: RecordViews, terms: number): number {
  const asset = views.i32[(terms + perpAssetAt) >> 2]
  return asset >= 0 && asset < instruments.count && instruments.isPerp(asset) ? asset : none
}

/** Instrument that a place or replace names, or `none`. */
export function namedInstrument(
  { instruments }: CoreState,
  views: RecordViews,
  at: number,
  type: number,
): number {
  const terms = perpTermsAt(views, at, type)
  if (terms === none) return instruments.findKey(views, at + placeKeyAt)
  return perpNamed(instruments, views, terms)
}

/** Slot of the working order that already has the client id of this place or replace, or `none`. */
export function findSameClientId(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
): number {
  const bytes = views.i32[(at + placeClientIdBytesAt) >> 2]
  if (account < 0 || bytes === 0) return none
  return state.orderIndex.findClient(account, views.u8, at + placeClientIdAt, bytes)
}

/**
 * Why the working order in `slot` cannot be cancelled or replaced, or `Accepted`. For a slot of `none` the id
 * decides between an order that ended long ago and one that never was.
 */
export function checkNamedOrder(
  state: CoreState,
  account: number,
  slot: number,
  orderId: number,
): Result {
  const status =
    slot === none ? state.orderIndex.forgottenStatus(orderId, account) : state.orders.status[slot]
  if (status === OrderStatus.Filled) return Result.OrderAlreadyFilled
  if (status === OrderStatus.Canceled) return Result.OrderAlreadyCanceled
  // The engine's own orders for an account in liquidation are not its wallet's to take back.
  if (slot !== none && (state.orders.flags[slot] & OrderFlag.Liquidation) !== 0) {
    return Result.AccountInLiquidation
  }
  return slot === none ? Result.OrderNotFound : Result.Accepted
}

/**
 * The guard ladder of a new order behind signer and nonce: caps, halt, instrument, route, client id, protection, reduce-only,
 * then funds to margin. Nothing has been written when it refuses.
 * @param replaced slot of the order that gives way, or `none`; caps and margin are judged as if it were gone.
 * @param named why that order cannot give way: told behind a halt, which closes the market to all but cancels.
 */
export function checkNewOrder(
  state: CoreState,
  batch: Batch,
  ticket: number,
  account: number,
  replaced: number,
  named: Result,
): Result {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const instrument = batch.instrument[ticket]
  const { risk, accounts, config } = state
  const flags = views.i32[(at + placeFlagsAt) >> 2]
  const isReduceOnly = (flags & OrderFlag.ReduceOnly) !== 0
  if (named === Result.Accepted) {
    fillRequest(account, instrument, views, at, replaced)
    const limits = config.tiers[risk.tier[account]]
    const working = accounts.workingOrders[account] - (replaced === none ? 0 : 1)
    if (limits.openOrdersMax >= 0 && working >= limits.openOrdersMax) return Result.LimitExceeded
    if (
      instrument >= 0 &&
      limits.positionsMax >= 0 &&
      !isReduceOnly &&
      risk.wouldOpenPosition(request) &&
      risk.countsTowardsPositions(account) >= limits.positionsMax
    ) {
      return Result.LimitExceeded
    }
  }
  const halted = checkHalt(state, instrument, views, at)
  if (halted !== Result.Accepted) return halted
  if (named !== Result.Accepted) return named
  const isPerpAction = perpTermsAt(views, at, batch.type[ticket]) !== none
  const listed = checkInstrument(state, instrument, isPerpAction)
  if (listed !== Result.Accepted) return listed
  const route = views.i32[(at + placeRouteAt) >> 2]
  if (!isServed(route, batch.flags[ticket])) {
    writeRouteDetails(route, batch, ticket)
    return Result.RouteNotSupported
  }
  const same = findSameClientId(state, account, views, at)
  if (same !== none && same !== replaced) return Result.DuplicateClientId
  const frozen = checkFreeze(state, batch, ticket, account, flags)
  if (frozen !== Result.Accepted) return frozen
  if (isReduceOnly && risk.checkReduceOnly(request)) return Result.ReduceOnly
  const limited = checkLimits(state, batch, ticket)
  if (limited !== Result.Accepted) return limited
  request.liquidation = liquidationGate(state, account)
  const result = risk.checkOrder(request, verdict)
  if (result !== Result.Accepted) writeVerdictDetails(result, verdict, batch, ticket)
  return result
}

/**
 * Whether the order just accepted has to wait for the end of its batch: it passed as exempt, by what its wallet's margin
 * was before, and a replace of the wallet is under way. Until the matcher has answered, both orders of the replace
 * count, and margin looks worse than it is: what seems to leave it as it is could make it worse.
 */
export function mustSettleFirst(batch: Batch, ticket: number): boolean {
  if (!verdict.isExempt) return false
  for (let earlier = batch.previous[ticket]; earlier !== none; earlier = batch.previous[earlier]) {
    const isUnderWay = batch.state[earlier] === TicketState.Matching
    if (isUnderWay && batch.type[earlier] === CommandType.ReplaceOrder) return true
  }
  return false
}

/** Fills a free slot with the order that `checkNewOrder` has just accepted, and starts it. @returns the slot. */
export function startNewOrder(
  state: CoreState,
  batch: Batch,
  ticket: number,
  account: number,
): number {
  const views = batch.views[ticket]
  const at = batch.at[ticket]
  const instrument = batch.instrument[ticket]
  const { orders } = state
  const slot = orders.allocate()
  const sizeLots = views.f64[(at + placeSizeLotsAt) >> 3]
  orders.orderId[slot] =
    ++state.orderCount * underlyingsMax + state.instruments.underlying[instrument]
  orders.account[slot] = account
  orders.instrument[slot] = instrument
  orders.side[slot] = views.i32[(at + placeSideAt) >> 2]
  orders.tif[slot] = views.i32[(at + placeTifAt) >> 2]
  const exempt = verdict.isExempt ? OrderFlag.Exempt : 0
  orders.flags[slot] = views.i32[(at + placeFlagsAt) >> 2] | exempt
  orders.status[slot] = OrderStatus.Acked
  orders.priceMicros[slot] = views.f64[(at + placePriceMicrosAt) >> 3]
  orders.sizeLots[slot] = sizeLots
  orders.openLots[slot] = sizeLots
  orders.filledLots[slot] = 0
  orders.filledMicros[slot] = 0
  orders.createdMillis[slot] = state.nowMillis
  const { i32 } = views
  const clientIdBytes = i32[(at + placeClientIdBytesAt) >> 2]
  orders.setTexts(slot, i32, clientIdBytes, (at + placeClientIdAt) >> 2, (at + placeBuilderAt) >> 2)
  state.startOrder(slot)
  return slot
}

/** Whether sums over the wallet, and over the book, stay exact whatever becomes of the order. */
function checkLimits({ bookLots, orders, risk }: CoreState, batch: Batch, ticket: number): Result {
  const { limits } = risk
  const result = limits.check(request)
  if (result !== Result.Accepted) {
    writeLimitDetails(result, limits, batch, ticket)
    return result
  }
  if (bookLots.takes(orders, request.instrument, request.sizeLots)) return Result.Accepted
  writeLimitDetails(Result.BookLimit, limits, batch, ticket)
  return Result.BookLimit
}

/** Whether the underlying takes orders: known by the name in the command's key where nothing of that name is listed. */
function checkHalt(state: CoreState, instrument: number, views: RecordViews, at: number): Result {
  const { instruments } = state
  const underlying =
    instrument >= 0
      ? instruments.underlying[instrument]
      : instruments.findUnderlyingWords(views.u32, (at + placeKeyAt + keyUnderlyingAt) >> 2)
  if (underlying < 0) return Result.Accepted
  const halt = state.haltModeOf(underlying)
  if (halt === HaltMode.Halted) return Result.TradingHalted
  return halt === HaltMode.CancelOnly ? Result.CancelOnly : Result.Accepted
}

function checkInstrument(state: CoreState, instrument: number, isPerpAction: boolean): Result {
  const { instruments } = state
  if (isPerpAction) {
    const isListed = instrument >= 0 && instruments.state[instrument] === InstrumentState.Active
    return isListed ? checkBook(instruments, instrument) : Result.PerpMissingUnderlying
  }
  if (instrument < 0) return Result.InvalidSymbol
  if (
    instruments.state[instrument] !== InstrumentState.Active ||
    instruments.expiryMillis[instrument] <= state.nowMillis
  ) {
    return Result.InstrumentExpired
  }
  return checkBook(instruments, instrument)
}

/** `rfq_only` is reserved, and items of a bulk go to the book. */
function isServed(route: number, ticketFlags: number): boolean {
  const isItem = (ticketFlags & TicketFlag.Item) !== 0
  return route === Route.BookOnly || (route === Route.BestExecution && !isItem)
}

function checkBook({ tradingMode }: InstrumentTable, instrument: number): Result {
  const mode = tradingMode[instrument]
  return (mode & TradingMode.Orderbook) === 0 ? Result.OrderbookNotFound : Result.Accepted
}

function fillRequest(
  account: number,
  instrument: number,
  views: RecordViews,
  at: number,
  replaced: number,
): void {
  request.account = account
  request.instrument = instrument
  request.side = views.i32[(at + placeSideAt) >> 2]
  request.sizeLots = views.f64[(at + placeSizeLotsAt) >> 3]
  request.priceMicros = views.f64[(at + placePriceMicrosAt) >> 3]
  request.replacedSlot = replaced
}
