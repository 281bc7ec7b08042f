/** An HTTP error of the exchange: `code` is stable, `message` is for people. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The whole answer; some endpoints add fields. */
  readonly body: unknown

  constructor(status: number, code: string, message: string, body: unknown) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.body = body
  }
}

/** 429: the wallet's window is full. Nothing was done, and the nonce may be used again. */
export class RateLimitError extends ApiError {
  readonly retryAfterSeconds: number
  /** Requests per minute. */
  readonly limit: number

  constructor(message: string, retryAfterSeconds: number, limit: number, body: unknown) {
    super(429, 'rate_limit_exceeded', message, body)
    this.name = 'RateLimitError'
    this.retryAfterSeconds = retryAfterSeconds
    this.limit = limit
  }
}

/**
 * No answer came: refused, cut off, or too late. A write may or may not have been done; sending the same signed
 * payload again is safe and gives its outcome.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** The error that an answer other than 2xx stands for. */
export function errorOfAnswer(status: number, body: unknown): ApiError {
  const fields = typeof body === 'object' && body !== null ? body : {}
  const code = textOf(fields, 'code') ?? textOf(fields, 'error') ?? 'unknown'
  const message = textOf(fields, 'message') ?? `HTTP ${status}`
  if (status !== 429) return new ApiError(status, code, message, body)
  const retryAfterSeconds = Number(Reflect.get(fields, 'retry_after_secs') ?? 1)
  return new RateLimitError(message, retryAfterSeconds, Number(Reflect.get(fields, 'limit')), body)
}

function textOf(fields: object, name: string): string | undefined {
  const value: unknown = Reflect.get(fields, name)
  return typeof value === 'string' ? value : undefined
}
