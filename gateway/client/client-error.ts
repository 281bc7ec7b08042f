import type { OrderUpdate } from './generated/interface.js'

// StrikebookError            code: what went wrong, for programs
//   ApiError                 the exchange answered with an error
//     RateLimitError         429: nothing was done; states how long to wait
//     SignatureError         no authorized signer was recovered; details show what was hashed
//     BusyError              503: nothing was done; a retry may succeed
//   RejectedError            a trading rule rejected the order (`expectAccepted`): reason and its values
//   ConnectionError          no answer arrived: the request may have taken effect
//     ProtocolError          the answer is not from the exchange: the request may have taken effect

/** Base of all errors that a client throws. `code` is stable, `message` is for people. */
export class StrikebookError extends Error {
  /** `code` of the answer, or `reason_code` of a rejection; `no_answer` if there is neither. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Error that the exchange returned over HTTP or the stream. */
export class ApiError extends StrikebookError {
  /** HTTP status; 0 over the stream. */
  readonly status: number
  /** The whole answer; some endpoints add fields. */
  readonly body: unknown

  constructor(status: number, code: string, message: string, body: unknown) {
    super(code, message)
    this.status = status
    this.body = body
  }

  /** Values that the message refers to, by name; empty if the answer has none. */
  get details(): Readonly<Record<string, unknown>> {
    const details = fieldOf(this.body, 'details')
    return typeof details === 'object' && details !== null ? { ...details } : {}
  }
}

/** 429: the rate window is used up. Nothing was done, and the nonce may be used again. */
export class RateLimitError extends ApiError {
  readonly retryAfterSeconds: number
  /** Requests per minute. */
  readonly limit: number

  constructor(message: string, retryAfterSeconds: number, limit: number, body: unknown) {
    super(429, rateLimitCode, message, body)
    this.retryAfterSeconds = retryAfterSeconds
    this.limit = limit
  }
}

/** No signer was recovered, or the signer may not act for the wallet. */
export class SignatureError extends ApiError {}

/** The exchange accepts no commands at the moment. Nothing was done, and a retry may succeed. */
export class BusyError extends ApiError {}

/** A trading rule rejected or cancelled the order. */
export class RejectedError extends StrikebookError {
  /** Values of the reason, by name. */
  readonly details: Readonly<Record<string, unknown>>
  readonly update: OrderUpdate

  constructor(update: OrderUpdate) {
    super(update.reason_code ?? 'rejected', update.reason ?? update.status)
    this.details = { ...update.details }
    this.update = update
  }
}

/**
 * No answer arrived: connection refused, lost, or timed out. A write may have taken effect. Sending the same signed
 * payload again is safe and returns its result.
 */
export class ConnectionError extends StrikebookError {
  constructor(message: string, options?: ErrorOptions, code = 'no_answer') {
    super(code, message, options)
  }
}

/**
 * The answer or stream message cannot come from the exchange: an intermediary sent it, or fields are missing. A write
 * may have taken effect.
 */
export class ProtocolError extends ConnectionError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options, 'bad_answer')
  }
}

// Windows last a minute. A pause of zero would cause a retry loop.
const retrySecondsMin = 1
const retrySecondsMax = 60
const rateLimitCode = 'rate_limit_exceeded'
const signatureCodes: readonly string[] = ['signature_verification_failed', 'unauthorized']
const busyCodes: readonly string[] = ['engine_busy', 'not_ready']

/** Returns the error of an answer with a status other than 2xx. Over the stream the status is 0. */
export function errorOfAnswer(status: number, body: unknown): ApiError {
  const code = textOf(body, 'code') ?? textOf(body, 'error') ?? 'unknown'
  const message = textOf(body, 'message') ?? `HTTP ${status}`
  if (status === 429 || code === rateLimitCode) {
    const retryAfterSeconds = retrySecondsOf(fieldOf(body, 'retry_after_secs'))
    return new RateLimitError(message, retryAfterSeconds, Number(fieldOf(body, 'limit')), body)
  }
  if (signatureCodes.includes(code)) return new SignatureError(status, code, message, body)
  if (busyCodes.includes(code)) return new BusyError(status, code, message, body)
  return new ApiError(status, code, message, body)
}

/** Update of an order that was not rejected, so it has an id. */
export type AcceptedOrder = OrderUpdate & { readonly order_id: number }

/**
 * Returns the update if the order was accepted, for callers that expect no rejection.
 * @throws RejectedError; ProtocolError if the update lacks its status or id.
 * @example
 * const { order_id } = expectAccepted(await client.placeOrder(terms))
 */
export function expectAccepted(update: OrderUpdate): AcceptedOrder {
  if (typeof fieldOf(update, 'status') !== 'string') {
    throw new ProtocolError('the order update has no `status`')
  }
  if (update.status === 'REJECTED') throw new RejectedError(update)
  if (!hasId(update)) throw new ProtocolError('the accepted order has no `order_id`')
  return update
}

function hasId(update: OrderUpdate): update is AcceptedOrder {
  return typeof update.order_id === 'number'
}

function retrySecondsOf(value: unknown): number {
  const seconds = Number(value)
  if (!(seconds > retrySecondsMin)) return retrySecondsMin
  return Math.min(seconds, retrySecondsMax)
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}

function textOf(body: unknown, name: string): string | undefined {
  const value = fieldOf(body, name)
  return typeof value === 'string' ? value : undefined
}
