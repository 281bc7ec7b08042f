import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { OrderStatus, type Tif } from '../../schemas/domain.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { OrderCheck } from '../risk/order-check.js'
import type { OrderStore } from './orders/orders.js'

export interface NewOrderState {
  readonly orders: OrderStore
  orderCount: number
  readonly instruments: InstrumentTable
  readonly nowMillis: number
}

/**
 * Fills a free slot with a new order; the caller sets its texts, then starts it. Its status is Open from here on,
 * although its wallet is informed only when it rests: its row therefore enters the hash once.
 * @returns the slot.
 */
export function takeSlot(state: NewOrderState, order: OrderCheck, tif: Tif, flags: number): number {
  const { orders } = state
  const { account, instrument, priceMicros, side, sizeLots } = order
  assert(sizeLots > 0 && priceMicros > 0, 'order: size and price are positive')
  assert(instrument >= 0 && instrument < state.instruments.count, 'order: the instrument is listed')
  const slot = orders.take()
  orders.orderId[slot] =
    ++state.orderCount * underlyingsMax + state.instruments.underlying[instrument]
  orders.account[slot] = account
  orders.instrument[slot] = instrument
  orders.side[slot] = side
  orders.tif[slot] = tif
  orders.flags[slot] = flags
  orders.status[slot] = OrderStatus.Open
  orders.priceMicros[slot] = priceMicros
  orders.sizeLots[slot] = sizeLots
  orders.openLots[slot] = sizeLots
  orders.filledLots[slot] = 0
  orders.filledMicros[slot] = 0
  orders.createdMillis[slot] = state.nowMillis
  return slot
}
