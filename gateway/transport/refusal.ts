import { bodyBytesMax } from '../../schemas/bounds.js'
import type { AddressRefusal } from './transport.js'

/** A client that sends too large a body hears 413 once it has sent it; one that goes on is cut off. */
export const discardedBytesMax = 64 * bodyBytesMax

const requestIdPattern = /^[\x20-\x7e]{1,64}$/

/** Header `X-Request-Id` as it is told back: '' for none, and for one that nobody should repeat. */
export function requestIdOf(header: string): string {
  return requestIdPattern.test(header) ? header : ''
}

/** What a transport refuses by itself. */
export function refusalOf(status: number, code: string, message: string): AddressRefusal {
  const body = JSON.stringify({ code, message, error: code })
  return { status, body, headers: [['Content-Type', 'application/json']] }
}

/** What can be read in two ways, or not at all. */
export function malformed(message: string): AddressRefusal {
  return refusalOf(400, 'invalid_request', message)
}

/** There is no memory for the body of a request. */
export const noRoom = refusalOf(503, 'engine_busy', 'Too much is being uploaded, retry')

/** The headers of a request exceed the library's limit. */
export const headersTooLarge = refusalOf(
  431,
  'invalid_request',
  'The request headers are too large; at most 16 KiB are allowed',
)
