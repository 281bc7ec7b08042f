import type { IncomingOrder } from '../../engine/matching/order-book.js'
import { priceMicrosOf } from '../../engine/matching/price-grid.js'
import { OrderFlag } from '../../schemas/domain.js'
import type { MatcherOrder } from '../../schemas/generated/orders.js'
import { countsAsTakerFlag } from '../../schemas/record-values.js'

/** Writes the order fields of a Place or Replace record: all except ticket, instrument and handles. */
export function writeIncoming(record: MatcherOrder, order: IncomingOrder): void {
  record.account = order.account
  record.side = order.side
  record.tif = order.tif
  record.flags =
    (order.isReduceOnly ? OrderFlag.ReduceOnly : 0) |
    (order.isProtected ? OrderFlag.MmpEnabled : 0) |
    (order.countsAsTaker ? countsAsTakerFlag : 0)
  record.underlying = order.underlying
  record.nowMillis = order.nowMillis
  record.deltaMicros = order.deltaMicros
  record.vegaMicros = order.vegaMicros
  record.selfTrade = order.selfTrade
  record.round = order.round
  record.priceMicros = priceMicrosOf(order.priceIndex)
  record.sizeLots = order.sizeLots
  record.positionLots = order.positionLots
  record.quotedMicros = order.quotedMicros
}
