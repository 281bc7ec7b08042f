import { assert } from '../../schemas/assert.js'
import { OrderFlag, type SelfTradeMode, type Side, type Tif } from '../../schemas/domain.js'
import { type MatcherOrder, OrderRecord } from '../../schemas/generated/orders.js'
import { countsAsTakerFlag, unbookedFlag } from '../../schemas/record-values.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { Marks } from '../pricing/marks.js'
import { countedMicros } from '../pricing/rounding.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { Accounts } from './accounts/accounts.js'
import type { EngineConfig } from './market/engine-config.js'
import type { MatcherLinks } from './matcher-links.js'
import { handleOf, type OrderStore } from './orders/orders.js'
import type { AuctionTable } from './rfq/auction-table.js'

export interface SendOrderState {
  readonly orders: OrderStore
  readonly auctions: AuctionTable
  readonly accounts: Accounts
  readonly config: EngineConfig
  readonly instruments: InstrumentTable
  readonly marks: Marks
  readonly matchers: MatcherLinks
  readonly risk: RiskEngine
  readonly nowMillis: number
}

// The only way of an order to its matcher, from a wallet, a liquidation or a loading snapshot.

/**
 * Sends the order in `slot` to its matcher as new.
 * @param quotedMicros best price that a provider shows against it; 0 if the order is for the book alone.
 */
export function sendPlace(
  state: SendOrderState,
  ticket: number,
  slot: number,
  quotedMicros = 0,
): void {
  send(state, OrderRecord.Place, ticket, slot).quotedMicros = quotedMicros
}

/** Asks the matcher to fill an order from an auction if the book is at least as good as the best quote. */
export function sendDecision(
  state: SendOrderState,
  ticket: number,
  slot: number,
  quotedMicros: number,
): void {
  send(state, OrderRecord.DecideAuction, ticket, slot).quotedMicros = quotedMicros
}

/** Sends the order as a replacement of the one in `oldSlot`, with the open size that the core expects of that order. */
export function sendReplace(
  state: SendOrderState,
  ticket: number,
  slot: number,
  oldSlot: number,
): void {
  const { instrument } = state.orders
  assert(
    oldSlot !== slot && instrument[oldSlot] === instrument[slot],
    'replace: both orders are in the same book',
  )
  const order = send(state, OrderRecord.Replace, ticket, slot)
  order.oldHandle = handleOf(oldSlot)
  order.expectedOpenLots = state.orders.openLots[oldSlot]
  if (state.auctions.has(oldSlot)) order.flags |= unbookedFlag
}

type SentType =
  | typeof OrderRecord.Place
  | typeof OrderRecord.Replace
  | typeof OrderRecord.DecideAuction

/** Sends an order with everything that the core adds to its terms. */
function send(state: SendOrderState, type: SentType, ticket: number, slot: number): MatcherOrder {
  const { accounts, config, instruments, marks, matchers, orders, risk } = state
  assert(orders.openLots[slot] > 0, 'send: the order has open lots')
  const instrument = orders.instrument[slot]
  const underlying = instruments.underlying[instrument]
  const flags = orders.flags[slot]
  const isReduceOnly = (flags & OrderFlag.ReduceOnly) !== 0
  const isProtected = (flags & OrderFlag.MmpEnabled) !== 0
  const order = matchers.claim(matchers.of(underlying), type, ticket, instrument, slot)
  order.account = orders.account[slot]
  order.side = orders.side[slot] as Side
  order.tif = orders.tif[slot] as Tif
  order.flags = flags | (isProtected && config.mmpCountTakerFills ? countsAsTakerFlag : 0)
  order.selfTrade = accounts.selfTrade[orders.account[slot]] as SelfTradeMode
  order.priceMicros = orders.priceMicros[slot]
  order.sizeLots = orders.openLots[slot]
  order.positionLots = isReduceOnly ? risk.exposures.positionLots[orders.exposure[slot]] : 0
  order.nowMillis = state.nowMillis
  order.deltaMicros = countedMicros(marks.delta[instrument])
  order.vegaMicros = countedMicros(marks.vegaPerPoint[instrument])
  order.quotedMicros = 0
  order.underlying = underlying
  return order
}
