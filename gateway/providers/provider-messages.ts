import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { RfqKind, sideNames } from '../../schemas/domain.js'
import { resultRows } from '../../schemas/results.js'
import type { InstrumentNames } from '../link/instrument-names.js'
import type { KnownRfq } from '../link/rfq-book.js'
import type { Fault } from '../wire/fault.js'
import type { RefusedRow } from './quote-frame.js'

// Texts of what is sent to quote providers; types are in snake case there.

/** Why a handshake failed. */
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

/** What an error is about. */
export interface ErrorSubject {
  /** Those that the frame at fault names one by one. */
  readonly rows?: readonly RefusedRow[]
  readonly rfq_id?: string
}

export function providerErrorMessage(fault: Fault, named: ErrorSubject = {}): Uint8Array {
  const { code } = resultRows[fault.result]
  return encode({ type: 'error', message: fault.message, code, ...named })
}

/** Asks for a firm quote. */
export function rfqRequestMessage(rfq: KnownRfq, instruments: InstrumentNames): Uint8Array {
  const { limitMicros, createdMillis, responseMillis } = rfq
  const isAuto = rfq.kind === RfqKind.Auto
  const limit = formatMicros(limitMicros)
  return encode({
    type: 'rfq_request',
    rfq_id: rfq.id,
    legs: rfq.legs.map(({ instrument, side, sizeLots }) => ({
      instrument: instruments.instrument(instrument)?.symbol ?? '',
      side: sideNames[side]!.toLowerCase(),
      size: formatLots(sizeLots),
    })),
    taker_wallet: rfq.wallet,
    request_timestamp: createdMillis,
    response_deadline_ms: responseMillis - createdMillis,
    ...(isAuto ? { auto_accept_limit: limit } : {}),
    auto_execute: isAuto,
    ...(isAuto ? { taker_limit_price: limit } : {}),
    requires_price_improvement: false,
  })
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

function encode(message: object): Uint8Array {
  return Buffer.from(JSON.stringify(message))
}
