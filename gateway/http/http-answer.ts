import { Envelope } from '../../schemas/interface/answer.js'
import { RateLimitFault, rateHeaders } from '../limits/rate-limit-fault.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import { refusedAnswer } from '../wire/answers.js'
import type { Fault } from '../wire/fault.js'

export const noHeaders: HeaderList = []

/** Every header that a browser may read; the rate-limit ones stand on counted answers only. */
export const exposedHeaders =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ' +
  'Deprecation, Sunset, X-Deprecation-Removal-Unix, Warning'
const jsonHeaders: HeaderList = [
  ['Content-Type', 'application/json'],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', exposedHeaders],
]
const preflightHeaders: HeaderList = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Allow-Headers', 'Content-Type, X-Request-Id, Authorization'],
  ['Access-Control-Max-Age', '86400'],
]

/** Sends JSON with the headers that every answer has. */
export function answerJson(
  call: HttpCall,
  status: number,
  body: string | Uint8Array,
  headers: HeaderList = noHeaders,
): void {
  answerText(call, status, body, [...jsonHeaders, ...headers])
}

/** Sends what its headers say that it is, and the id of the request, if it has one. */
export function answerText(
  call: HttpCall,
  status: number,
  body: string | Uint8Array,
  headers: HeaderList,
): void {
  const { requestId } = call
  const told = requestId === '' ? headers : [...headers, ['X-Request-Id', requestId] as const]
  call.answer(status, body, told)
}

/**
 * Sends an HTTP error in the envelope of its endpoint; one over a limit says which, and until when.
 */
export function answerFault(
  call: HttpCall,
  fault: Fault,
  envelope: Envelope = Envelope.Bare,
  headers: HeaderList = noHeaders,
): void {
  if (fault instanceof RateLimitFault) {
    const { status, body } = refusedAnswer(envelope, fault, fault.fields)
    answerJson(call, status, body, [...headers, ...rateHeaders(fault.verdict)])
    return
  }
  const { details } = fault
  const { status, body } = refusedAnswer(envelope, fault, details === null ? {} : { details })
  answerJson(call, status, body, headers)
}

/** Answers a browser's question whether it may send a request with these methods. */
export function answerPreflight(call: HttpCall, methods: string): void {
  call.answer(204, '', [...preflightHeaders, ['Access-Control-Allow-Methods', methods]])
}
