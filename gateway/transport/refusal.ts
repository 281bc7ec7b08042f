import { bodyBytesMax } from '../../schemas/bounds.js'
import type { AddressRefusal } from './transport.js'

/**
 * Limit up to which a client that sends too large a body may finish and get 413. Above it the connection is cut off.
 */
export const discardedBytesMax = 64 * bodyBytesMax

const requestIdPattern = /^[\x20-\x7e]{1,64}$/

/** Returns the `X-Request-Id` to repeat; '' if there is none, or if it is unsafe. */
export function requestIdOf(header: string): string {
  return requestIdPattern.test(header) ? header : ''
}

/** Returns an answer that the transport itself sends. */
export function refusalOf(status: number, code: string, message: string): AddressRefusal {
  const body = JSON.stringify({ code, message, error: code })
  return { status, body, headers: [['Content-Type', 'application/json']] }
}

/** Returns the answer to an ambiguous or malformed request. */
export function malformed(message: string): AddressRefusal {
  return refusalOf(400, 'invalid_request', message)
}

/** Answer to a request whose body does not fit into memory. */
export const noRoom = refusalOf(503, 'engine_busy', 'Too much is being uploaded, retry')

/** Answer to request headers above the library's limit. */
export const headersTooLarge = refusalOf(
  431,
  'invalid_request',
  'The request headers are too large; at most 16 KiB are allowed',
)
