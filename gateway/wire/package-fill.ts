import { type FillEvent, PackageFillEvent } from '../../schemas/generated/events.js'
import type { FillSource } from '../../schemas/interface/orders.js'
import { formatUuid } from '../../schemas/uuid.js'

/** The request for quote that a fill came of. */
export interface PackageIds {
  readonly rfqId: string
  readonly quoteId: string
}

const fill = new PackageFillEvent()

/** @returns null: it was traded on a book. */
export function packageOf(event: FillEvent): PackageIds | null {
  if (event.recordBytes < PackageFillEvent.bytes) return null
  const { u8, rfqIdAt, quoteIdAt } = fill.of(event)
  return { rfqId: formatUuid(u8, rfqIdAt), quoteId: formatUuid(u8, quoteIdAt) }
}

/** @param ids null: it was traded on a book. */
export function fillSourceOf(ids: PackageIds | null): FillSource {
  if (ids === null) return { type: 'orderbook' }
  return { type: 'rfq', rfq_id: ids.rfqId, quote_id: ids.quoteId }
}

/**
 * Fills that no order made, those of requests for quote, have ids from here on: public clients refuse an id of 0, and match
 * fills by it. An order has one so high behind 2^42 others.
 */
const orderlessFrom = 2 ** 52

/** `order_id` of a fill. @param orderId 0: no order made it. */
export function orderIdOfFill({ orderId, fillId }: FillIds): number {
  return orderId === 0 ? orderlessFrom + fillId : orderId
}

export interface FillIds {
  readonly orderId: number
  readonly fillId: number
}
