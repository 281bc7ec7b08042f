import { Envelope } from '../../schemas/interface/answer.js'
import { RateLimitFault, rateHeaders } from '../limits/rate-limit-fault.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import { refusedAnswer } from '../wire/answers.js'
import type { Fault } from '../wire/fault.js'

export const noHeaders: HeaderList = []

/** Headers that a browser may read. Only counted answers have the rate-limit headers. */
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

/** Sends JSON with the headers that all JSON answers have. */
export function answerJson(
  call: HttpCall,
  status: number,
  body: string | Uint8Array,
  headers: HeaderList = noHeaders,
): void {
  answerText(call, status, body, [...jsonHeaders, ...headers])
}

/** Sends a body of any type, with the request id if the request has one. */
export function answerText(
  call: HttpCall,
  status: number,
  body: string | Uint8Array,
  headers: HeaderList,
): void {
  const { requestId } = call
  const allHeaders = requestId === '' ? headers : [...headers, ['X-Request-Id', requestId] as const]
  call.answer(status, body, allHeaders)
}

/** Sends an HTTP error in the envelope of its endpoint. A rate limit error states the limit and its end. */
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

/** Answers a browser's CORS preflight with the allowed methods. */
export function answerPreflight(call: HttpCall, methods: string): void {
  call.answer(204, '', [...preflightHeaders, ['Access-Control-Allow-Methods', methods]])
}
