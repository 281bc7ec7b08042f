import { ComboFillEvent, type FillEvent } from '../../schemas/generated/events.js'
import type { FillSource } from '../../schemas/interface/orders.js'
import { formatUuid } from '../../schemas/uuid.js'

/** RFQ that a fill resulted from. */
export interface ComboIds {
  readonly rfqId: string
  readonly quoteId: string
}

const fill = new ComboFillEvent()

/**
 * @returns Null if it was traded on a book.
 */
export function packageOf(event: FillEvent): ComboIds | null {
  if (event.recordBytes < ComboFillEvent.bytes) return null
  const { u8, rfqIdAt, quoteIdAt } = fill.of(event)
  return { rfqId: formatUuid(u8, rfqIdAt), quoteId: formatUuid(u8, quoteIdAt) }
}

/**
 * @param ids Null if it was traded on a book.
 */
export function fillSourceOf(ids: ComboIds | null): FillSource {
  if (ids === null) return { type: 'orderbook' }
  return { type: 'rfq', rfq_id: ids.rfqId, quote_id: ids.quoteId }
}

/**
 * First id for fills without an order, those of RFQs: public clients reject an id of 0, and match fills by id. Order
 * ids reach this range only after 2^42 others.
 */
const orderlessFrom = 2 ** 52

/** Returns the `order_id` of a fill. @param orderId 0 if no order made it. */
export function orderIdOfFill({ orderId, fillId }: FillIds): number {
  return orderId === 0 ? orderlessFrom + fillId : orderId
}

export interface FillIds {
  readonly orderId: number
  readonly fillId: number
}
