import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { type RfqStatus, rfqStatusNames, type Side, sideNames } from '../../schemas/domain.js'
import type { Rfq } from '../../schemas/interface/rfq.js'

/** Leg of an RFQ, for answers. */
export interface RfqLegFacts {
  /** Canonical. */
  readonly symbol: string
  readonly side: Side
  readonly sizeLots: number
}

/** Firm quote for all legs, for answers. */
export interface RfqQuoteFacts {
  readonly quoteId: string
  readonly netPremiumMicros: number
  /** By leg. */
  readonly pricesMicros: readonly number[]
  readonly expiresMillis: number
}

/** RFQ, for answers. */
export interface RfqFacts {
  readonly rfqId: string
  readonly status: RfqStatus
  readonly underlying: string
  readonly legs: readonly RfqLegFacts[]
  /** Best first. */
  readonly quotes: readonly RfqQuoteFacts[]
  readonly createdMillis: number
  readonly expiresMillis: number
}

/** Formats an RFQ for an answer. */
export function rfqJson(rfq: RfqFacts): Rfq {
  return {
    rfq_id: rfq.rfqId,
    status: rfqStatusNames[rfq.status]!,
    underlying: rfq.underlying,
    legs: rfq.legs.map(legJson),
    quotes: rfq.quotes.map((quote) => ({
      quote_id: quote.quoteId,
      net_premium: formatMicros(quote.netPremiumMicros),
      legs: rfq.legs.map((leg, index) => {
        const { size, ...named } = legJson(leg)
        return { ...named, price: formatMicros(quote.pricesMicros[index] ?? 0), size }
      }),
      expires_at: quote.expiresMillis,
    })),
    created_at: rfq.createdMillis,
    expires_at: rfq.expiresMillis,
  }
}

function legJson({ symbol, side, sizeLots }: RfqLegFacts): Rfq['legs'][number] {
  return { instrument: symbol, side: sideNames[side]!, size: formatLots(sizeLots) }
}
