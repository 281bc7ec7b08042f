import { formatMicros } from '../../schemas/decimal.js'
import { isFinalRfq, type RfqStatus, rfqStatusNames } from '../../schemas/domain.js'
import type { RfqEvent } from '../../schemas/generated/events.js'
import { type OutcomeNames, type Reason, reasonOfEvent } from '../link/outcome.js'
import { type KnownRfq, liveQuotes } from '../link/rfq-book.js'
import { encode } from './messages.js'

// Encoders of RFQ messages to takers.

/** Fields of an RfqStatusUpdate. */
export interface RfqStatusFacts {
  readonly rfqId: string
  readonly status: RfqStatus
  readonly wallet: string
  readonly reason?: Reason
  /** After an execution: trade id of the first leg, as text. */
  readonly fillId?: string
  readonly fallbackOrderId?: number
  readonly expiresMillis?: number
  readonly timeMillis: number
  readonly seq: number
}

export function rfqStatusMessage(facts: RfqStatusFacts): Uint8Array {
  const { reason, fillId, fallbackOrderId, expiresMillis } = facts
  return encode({
    type: 'RfqStatusUpdate',
    rfq_id: facts.rfqId,
    status: rfqStatusNames[facts.status],
    taker_wallet: facts.wallet,
    ...(reason === undefined ? {} : { ...reasonFields(reason), details: reason.details }),
    ...(fillId === undefined ? {} : { fill_id: fillId }),
    ...(fallbackOrderId === undefined ? {} : { fallback_order_id: fallbackOrderId }),
    ...(expiresMillis === undefined ? {} : { expires_at: expiresMillis }),
    timestamp: facts.timeMillis,
    seq: facts.seq,
  })
}

/** Returns the status that an Rfq event reports. */
export function statusFactsOf(
  event: RfqEvent,
  { id: rfqId, wallet, legs }: KnownRfq,
  names: OutcomeNames,
): RfqStatusFacts {
  const { status, fillId, fallbackOrderId, expiresMillis, timeMillis, seq } = event
  const underlying = names.instruments.instrument(legs[0]!.instrument)?.underlying ?? ''
  const reason = reasonOfEvent(event.reason, event, names, { underlying })
  return {
    ...{ rfqId, status, wallet, expiresMillis, timeMillis, seq },
    ...(isFinalRfq(status) ? { reason } : {}),
    ...(fillId === 0 ? {} : { fillId: String(fillId) }),
    ...(fallbackOrderId === 0 ? {} : { fallbackOrderId }),
  }
}

/** Encodes the live quotes of an RFQ. */
export function rfqQuotesMessage(rfq: KnownRfq, seq: number): Uint8Array {
  return encode({
    type: 'RfqQuotes',
    rfq_id: rfq.id,
    quotes: liveQuotes(rfq).map(({ id, netPremiumMicros, expiresMillis }) => ({
      quote_id: id,
      net_premium: formatMicros(netPremiumMicros),
      expires_at: expiresMillis,
    })),
    status: rfqStatusNames[rfq.status],
    taker_wallet: rfq.wallet,
    seq,
  })
}

/** Fields of an RfqAcceptResult. */
export interface AcceptResultFacts {
  readonly rfqId: string
  readonly quoteId: string
  /** Trade id of the first leg, as text; null: nothing was traded. */
  readonly fillId: string | null
  readonly reason: Reason
  /** Nonce of the answered command, as received; undefined in messages to other connections. */
  readonly nonce?: string | number
  readonly seq: number
}

export function acceptResultMessage(facts: AcceptResultFacts): Uint8Array {
  const { rfqId, quoteId, fillId, nonce, reason, seq } = facts
  return encode({
    type: 'RfqAcceptResult',
    rfq_id: rfqId,
    quote_id: quoteId,
    status: fillId === null ? 'failed' : 'executed',
    fill_id: fillId,
    ...reasonFields(reason),
    ...(reason.details === null ? {} : { details: reason.details }),
    ...(nonce === undefined ? {} : { nonce }),
    seq,
  })
}

function reasonFields({ reason, code }: Reason) {
  return { reason, reason_code: code }
}
