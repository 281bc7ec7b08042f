import type { IncomingOrder } from '../../engine/matching/order-book.js'
import { priceMicrosOf } from '../../engine/matching/price-grid.js'
import * as records from '../../engine/matching/records.js'
import type { Ring } from '../../engine/memory/ring.js'
import { OrderFlag } from '../../schemas/domain.js'

/** Writes what a Place or Replace record says of its order: all but ticket, instrument and handles. */
export function writeIncoming({ i32, f64 }: Ring, at: number, order: IncomingOrder): void {
  i32[(at + records.orderAccountAt) >> 2] = order.account
  i32[(at + records.orderSideAt) >> 2] = order.side
  i32[(at + records.orderTifAt) >> 2] = order.tif
  i32[(at + records.orderFlagsAt) >> 2] =
    (order.isReduceOnly ? OrderFlag.ReduceOnly : 0) |
    (order.isProtected ? OrderFlag.MmpEnabled : 0) |
    (order.countsAsTaker ? records.countsAsTakerFlag : 0)
  i32[(at + records.orderUnderlyingAt) >> 2] = order.underlying
  f64[(at + records.orderNowMillisAt) >> 3] = order.nowMillis
  f64[(at + records.orderDeltaMicrosAt) >> 3] = order.deltaMicros
  f64[(at + records.orderVegaMicrosAt) >> 3] = order.vegaMicros
  i32[(at + records.orderSelfTradeAt) >> 2] = order.selfTrade
  i32[(at + records.orderRoundAt) >> 2] = order.round
  f64[(at + records.orderPriceMicrosAt) >> 3] = priceMicrosOf(order.priceIndex)
  f64[(at + records.orderSizeLotsAt) >> 3] = order.sizeLots
  f64[(at + records.orderPositionLotsAt) >> 3] = order.positionLots
}
