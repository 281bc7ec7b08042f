import { resultRows } from '../../schemas/results.js'
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

/** @param rows those that the frame at fault names one by one. */
export function providerErrorMessage(fault: Fault, rows: readonly RefusedRow[] = []): Uint8Array {
  const { code } = resultRows[fault.result]
  const named = rows.length === 0 ? {} : { rows }
  return encode({ type: 'error', message: fault.message, code, ...named })
}

function encode(message: object): Uint8Array {
  return Buffer.from(JSON.stringify(message))
}
