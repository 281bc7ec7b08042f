import type { RateLimitError } from './client-error.js'
import { sleep } from './sleep.js'

/** Rate window of one minute, from the headers of an answer. */
export interface RateWindow {
  /** Requests per minute; -1: unlimited. */
  readonly limit: number
  readonly remaining: number
  /** End of the window, by the clock of this machine. */
  readonly endMillis: number
}

/** Headers of an answer. */
interface Headers {
  get(name: string): string | null
}

const secondMillis = 1000
const minuteMillis = 60_000

/** Last known rate windows, by method and path. The exchange does not say which of them share a window. */
export class KnownRateWindows {
  readonly #windows = new Map<string, RateWindow>()

  find(method: string, path: string): RateWindow | null {
    return this.#windows.get(`${method} ${path}`) ?? null
  }

  /** Notes the headers of a counted answer. */
  read(method: string, path: string, headers: Headers): void {
    const limit = headers.get('x-ratelimit-limit')
    if (limit === null) return
    const remaining = Number(headers.get('x-ratelimit-remaining'))
    // Uses the exchange's clock if the answer has a date, because the local clock may be off.
    const date = Date.parse(headers.get('date') ?? '')
    const resetMillis = Number(headers.get('x-ratelimit-reset')) * secondMillis
    const leftMillis = resetMillis - (Number.isNaN(date) ? Date.now() : date)
    const endMillis = Date.now() + Math.min(Math.max(leftMillis, 0), minuteMillis)
    this.#windows.set(`${method} ${path}`, { limit: Number(limit), remaining, endMillis })
  }

  /** Notes a rate limit error. */
  fill(method: string, path: string, { limit, retryAfterSeconds }: RateLimitError): void {
    const endMillis = Date.now() + retryAfterSeconds * secondMillis
    this.#windows.set(`${method} ${path}`, { limit, remaining: 0, endMillis })
  }

  /** Waits while the window is known to be used up. */
  async waitFor(method: string, path: string): Promise<void> {
    const window = this.find(method, path)
    if (window === null || window.remaining !== 0) return
    const leftMillis = window.endMillis - Date.now()
    if (leftMillis > 0) await sleep(leftMillis)
  }
}
