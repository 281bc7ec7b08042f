const windowMillis = 60_000

/**
 * Requests that still fit in the exchange's current window: 60 s, aligned to the epoch minute.
 */
export class WindowBudget {
  readonly #limit: number
  readonly #nowMillis: () => number
  #window = 0
  #used = 0

  constructor(limit: number, nowMillis: () => number = Date.now) {
    this.#limit = limit
    this.#nowMillis = nowMillis
  }

  /** Takes one request. @returns false when the window is full. */
  take(): boolean {
    const window = Math.floor(this.#nowMillis() / windowMillis)
    if (window !== this.#window) {
      this.#window = window
      this.#used = 0
    }
    if (this.#used >= this.#limit) return false
    this.#used++
    return true
  }

  /** The exchange says that the window is full, whatever we counted. */
  exhaust(): void {
    this.#window = Math.floor(this.#nowMillis() / windowMillis)
    this.#used = this.#limit
  }
}
