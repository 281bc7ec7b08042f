const windowMillis = 60_000

/** Remaining requests in the current window of the venue, which is 60 s and aligned to the minute. */
export class WindowBudget {
  readonly #limit: number
  readonly #nowMillis: () => number
  #window = 0
  #used = 0

  constructor(limit: number, nowMillis: () => number = Date.now) {
    this.#limit = limit
    this.#nowMillis = nowMillis
  }

  /** Uses one request. @returns false if the window is used up. */
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

  /** Marks the window as used up, because the venue reported it. */
  exhaust(): void {
    this.#window = Math.floor(this.#nowMillis() / windowMillis)
    this.#used = this.#limit
  }
}
