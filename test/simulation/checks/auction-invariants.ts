import type { InstrumentTable } from '../../../engine/pricing/instruments.js'
import type { OrderIndex } from '../../../engine/state/orders/order-index.js'
import type { OrderStore } from '../../../engine/state/orders/orders.js'
import type { Auction } from '../../../engine/state/rfq/auction-row.js'
import type { AuctionTable } from '../../../engine/state/rfq/auction-table.js'
import { Answer } from '../../../engine/state/rfq/rfq-row.js'
import type { RfqTable } from '../../../engine/state/rfq/rfq-table.js'
import { HaltMode, OrderStatus, TradingMode } from '../../../schemas/domain.js'
import { mustHold } from '../run/simulation-errors.js'

interface AuctionInvariantsState {
  readonly auctions: AuctionTable
  readonly rfqs: RfqTable
  readonly instruments: InstrumentTable
  readonly nowMillis: number
  readonly orderIndex: OrderIndex
  readonly orders: OrderStore
  haltModeOf(underlying: number): HaltMode
}

/**
 * Checks that each auction ends in the step that ends its wait. No order waits past its deadline, for no provider, or
 * for providers that have all answered. A waiting order stays unchanged.
 */
export function checkAuctions(state: AuctionInvariantsState): void {
  const { auctions, rfqs } = state
  const { due, deciding, leaving } = auctions
  const isDone = due.size === 0 && deciding === null && leaving.size === 0
  mustHold(isDone, () => 'an auction is half decided')
  let count = 0
  for (const auction of auctions.rows) {
    count++
    checkWaiting(state, auction)
  }
  for (const row of rfqs.rows) if (row.isAuction) count--
  mustHold(count === 0, () => 'not every auction is of an order')
}

function checkWaiting(state: AuctionInvariantsState, auction: Auction): void {
  const { instruments, nowMillis, orderIndex, orders, rfqs } = state
  const { row, slot, terms } = auction
  const { legs, responseMillis } = row.terms
  const id = orders.orderId[slot]
  const isFound = terms.orderId === id && orderIndex.find(id) === slot
  mustHold(isFound, () => `auction ${row.key} is of no order`)
  mustHold(rfqs.find(row.key) === row, () => `order ${id} waits in an auction that has ended`)
  const { instrument, side, sizeLots } = legs[0]
  const isSame =
    orders.instrument[slot] === instrument &&
    orders.side[slot] === side &&
    orders.openLots[slot] === sizeLots &&
    orders.filledLots[slot] === 0 &&
    orders.status[slot] === OrderStatus.Acked
  mustHold(isSame, () => `order ${id} has changed while it waits`)
  mustHold(responseMillis >= nowMillis, () => `order ${id} waits longer than its time`)
  const isAwaited = row.invited.some(({ answer }) => answer === Answer.None)
  mustHold(isAwaited, () => `order ${id} waits for nobody`)
  const isServed = (instruments.tradingMode[instrument] & TradingMode.Rfq) !== 0
  mustHold(isServed, () => `order ${id} waits, and nobody may quote its instrument`)
  const halt = state.haltModeOf(instruments.underlying[instrument])
  mustHold(halt === HaltMode.Open, () => `order ${id} waits in a halt`)
}
