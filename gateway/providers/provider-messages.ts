import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { RfqKind, Side } from '../../schemas/domain.js'
import type { ProviderError, ProviderMessage } from '../../schemas/interface/streams.js'
import { resultRows } from '../../schemas/results.js'
import type { InstrumentNames } from '../link/instrument-names.js'
import type { AuctionMeasure, KnownLeg, KnownRfq } from '../link/rfq-book.js'
import { exactProduct } from '../wire/exact-decimal.js'
import type { Fault } from '../wire/fault.js'

// Encoders of messages to quote providers, whose types are in snake case.

/** Placeholder for takers of auctions, who are not disclosed. */
const undisclosedWallet = `0x${'0'.repeat(40)}`

/** Reasons of failed handshakes. */
export const authReasons = {
  notConnect: 'first message must be connect_quote_provider',
  timeout: 'authentication timeout',
  signature: 'invalid signature',
  timestamp: 'timestamp out of range',
  nonce: 'nonce already used',
  unknown: 'unknown quote provider',
  suspended: 'quote provider suspended',
  resume: 'gateway resume is not available',
} as const

export function authenticatedMessage(wallet: string): Uint8Array {
  return encode({ type: 'authenticated', wallet, capabilities: ['scoped_indicative'] })
}

export function authFailedMessage(reason: string): Uint8Array {
  return encode({ type: 'auth_failed', reason })
}

/** Fields of an error that identify its RFQ or rows. */
export type ErrorSubject = Pick<ProviderError, 'rows' | 'rfq_id'>

export function providerErrorMessage(fault: Fault, named: ErrorSubject = {}): Uint8Array {
  const { code } = resultRows[fault.result]
  return encode({ type: 'error', message: fault.message, code: code!, ...named })
}

/** Encodes the request for a firm quote. */
export function rfqRequestMessage(rfq: KnownRfq, instruments: InstrumentNames): Uint8Array {
  const { auction, createdMillis, legs, responseMillis } = rfq
  const deadlineMillis = responseMillis - createdMillis
  return encode({
    type: 'rfq_request',
    rfq_id: rfq.id,
    legs: legs.map(({ instrument, side, sizeLots }) => ({
      instrument: instruments.instrument(instrument)?.symbol ?? '',
      side: side === Side.Buy ? 'buy' : 'sell',
      size: formatLots(sizeLots),
    })),
    taker_wallet: auction === null ? rfq.wallet : undisclosedWallet,
    request_timestamp: createdMillis,
    response_deadline_ms: deadlineMillis,
    ...(auction === null ? termsOfRequest(rfq) : termsOfAuction(rfq, auction, deadlineMillis)),
  })
}

function termsOfRequest({ kind, limitMicros }: KnownRfq) {
  const isAuto = kind === RfqKind.Auto
  const limit = formatMicros(limitMicros)
  return {
    ...(isAuto ? { auto_accept_limit: limit } : {}),
    auto_execute: isAuto,
    ...(isAuto ? { taker_limit_price: limit } : {}),
    requires_price_improvement: false,
  }
}

/** Returns the terms of an auction. The taker's limit is disclosed only if quotes are compared with it. */
function termsOfAuction(
  { legs, limitMicros }: KnownRfq,
  { referenceMicros, tickMicros, mustImprove }: AuctionMeasure,
  deadlineMillis: number,
) {
  const [{ sizeLots }] = legs as readonly [KnownLeg]
  return {
    ...(mustImprove ? {} : { auto_accept_limit: exactProduct(limitMicros, sizeLots) }),
    auto_execute: true,
    ...(mustImprove ? {} : { taker_limit_price: formatMicros(limitMicros) }),
    reference_price: formatMicros(referenceMicros),
    min_improvement_tick: formatMicros(tickMicros),
    auction_deadline_ms: deadlineMillis,
    requires_price_improvement: mustImprove,
  }
}

export function marginRejectionMessage(
  rfqId: string,
  quoteId: string,
  reason: string | null,
): Uint8Array {
  return encode({ type: 'qp_margin_rejection', rfq_id: rfqId, quote_id: quoteId, reason })
}

export function alreadyFilledMessage(rfqId: string, quoteId: string): Uint8Array {
  return encode({ type: 'rfq_already_filled', rfq_id: rfqId, filled_by_quote_id: quoteId })
}

function encode(message: ProviderMessage): Uint8Array {
  return Buffer.from(JSON.stringify(message))
}
