import { Result } from '../../schemas/results.js'
import type { HeaderList } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import type { RateVerdict } from './rate-windows.js'

/** A request over a limit: HTTP 429, or a stream's Error. */
export class RateLimitFault extends Fault {
  readonly category: string
  readonly verdict: RateVerdict

  /** @param category name of the limit in messages. */
  constructor(category: string, verdict: RateVerdict) {
    const { limit, retryAfterSeconds } = verdict
    const when = `retry after ${retryAfterSeconds} seconds`
    const message = `Rate limit exceeded for ${category}: ${limit} per minute, ${when}`
    super(Result.RateLimitExceeded, {}, message)
    this.category = category
    this.verdict = verdict
  }

  /** Fields of the answer in addition to code and message. */
  get fields(): { readonly retry_after_secs: number; readonly limit: number } {
    return { retry_after_secs: this.verdict.retryAfterSeconds, limit: this.verdict.limit }
  }
}

/**
 * Headers of a counted answer. An unlimited category has -1 as limit and as remaining number.
 * @param verdict null when the request was not counted.
 */
export function rateHeaders(verdict: RateVerdict | null): HeaderList {
  if (verdict === null) return []
  const headers: HeaderList = [
    ['X-RateLimit-Limit', String(verdict.limit)],
    ['X-RateLimit-Remaining', String(verdict.remaining)],
    ['X-RateLimit-Reset', String(verdict.resetSeconds)],
  ]
  if (verdict.isAllowed) return headers
  return [...headers, ['Retry-After', String(verdict.retryAfterSeconds)]]
}
