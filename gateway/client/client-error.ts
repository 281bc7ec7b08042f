import type { OrderUpdate } from './generated/interface.js'

//  StrikebookError            code: what went wrong, for programs
//    ApiError                 the exchange has answered with an error
//      RateLimitError         429: nothing was done, it says how long to wait
//      SignatureError         nobody who may sign was recovered; details say what was hashed
//      BusyError              503: nothing was done, the same again may succeed
//    RejectedError            a rule of trading said no (`expectAccepted`): reason and its values
//    ConnectionError          no answer came: it may have been done
//      ProtocolError          what came is none of the exchange: it may have been done

/** Whatever a client throws; `code` is stable, `message` is for people. */
export class StrikebookError extends Error {
  /** `code` of the answer, `reason_code` of a rejection; `no_answer` without either. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** An error of the exchange, over HTTP or stream. */
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

  /** Values behind the message, by name, where the answer has some. */
  get details(): Readonly<Record<string, unknown>> {
    const details = fieldOf(this.body, 'details')
    return typeof details === 'object' && details !== null ? { ...details } : {}
  }
}

/** 429: a window is full. Nothing was done, and the nonce may be used again. */
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

/** No signer was recovered, or one who may not act for the wallet. */
export class SignatureError extends ApiError {}

/** The exchange takes nothing just now. Nothing was done: the same again may succeed. */
export class BusyError extends ApiError {}

/** A rule of trading has refused or cancelled what was asked for. */
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
 * No answer came: refused, cut off, or too late. A write may or may not have been done; sending the same signed
 * payload again is safe and gives its outcome.
 */
export class ConnectionError extends StrikebookError {
  constructor(message: string, options?: ErrorOptions, code = 'no_answer') {
    super(code, message, options)
  }
}

/**
 * What came instead of an answer, or as a message of the stream, is none of the exchange: something between says it, or
 * fields are missing. A write may or may not have been done.
 */
export class ProtocolError extends ConnectionError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options, 'bad_answer')
  }
}

// Windows last a minute, and a pause of none would be asked through at once.
const retrySecondsMin = 1
const retrySecondsMax = 60
const rateLimitCode = 'rate_limit_exceeded'
const signatureCodes: readonly string[] = ['signature_verification_failed', 'unauthorized']
const busyCodes: readonly string[] = ['engine_busy', 'not_ready']

/** The error that an answer other than 2xx stands for; over the stream the status is 0. */
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
 * Returns the update if the order was accepted. A rejection is an answer, not an error, until you expect none.
 * @throws RejectedError; ProtocolError if the update lacks its status or id
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
