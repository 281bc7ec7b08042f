import type { RateLimitError } from './client-error.js'
import { sleep } from './sleep.js'

/** A window of one minute, as the headers of an answer tell it. */
export interface RateWindow {
  /** Requests in a minute; -1: unlimited. */
  readonly limit: number
  readonly remaining: number
  /** When it ends, by the clock of this machine. */
  readonly endMillis: number
}

/** The headers of an answer. */
interface Headers {
  get(name: string): string | null
}

const secondMillis = 1000
const minuteMillis = 60_000

/** What the exchange has said of its limits, by method and path: which of them share a window it does not say. */
export class RateWindowsTold {
  readonly #windows = new Map<string, RateWindow>()

  find(method: string, path: string): RateWindow | null {
    return this.#windows.get(`${method} ${path}`) ?? null
  }

  /** Notes the headers of a counted answer. */
  read(method: string, path: string, headers: Headers): void {
    const limit = headers.get('x-ratelimit-limit')
    if (limit === null) return
    const remaining = Number(headers.get('x-ratelimit-remaining'))
    // By its own clock if it says which: ours may be off.
    const date = Date.parse(headers.get('date') ?? '')
    const resetMillis = Number(headers.get('x-ratelimit-reset')) * secondMillis
    const leftMillis = resetMillis - (Number.isNaN(date) ? Date.now() : date)
    const endMillis = Date.now() + Math.min(Math.max(leftMillis, 0), minuteMillis)
    this.#windows.set(`${method} ${path}`, { limit: Number(limit), remaining, endMillis })
  }

  /** Notes a refusal. */
  fill(method: string, path: string, { limit, retryAfterSeconds }: RateLimitError): void {
    const endMillis = Date.now() + retryAfterSeconds * secondMillis
    this.#windows.set(`${method} ${path}`, { limit, remaining: 0, endMillis })
  }

  /** Waits while the window is known to be full. */
  async waitFor(method: string, path: string): Promise<void> {
    const window = this.find(method, path)
    if (window === null || window.remaining !== 0) return
    const leftMillis = window.endMillis - Date.now()
    if (leftMillis > 0) await sleep(leftMillis)
  }
}
