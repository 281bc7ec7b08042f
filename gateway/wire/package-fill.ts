import { type FillEvent, PackageFillEvent } from '../../schemas/generated/events.js'
import { formatUuid } from '../../schemas/uuid.js'

/** The request for quote that a fill came of. */
export interface PackageIds {
  readonly rfqId: string
  readonly quoteId: string
}

/** `fill_source` of a fill. */
export type FillSource =
  | { readonly type: 'orderbook' }
  | { readonly type: 'rfq'; readonly rfq_id: string; readonly quote_id: string }

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
