const windowMillis = 60_000

/** Counts events of one connection per minute. */
export class MinuteCount {
  readonly #max: number
  #count = 0
  #beginMillis = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Counts one more event. @returns true if this minute has too many. */
  isTooMany(nowMillis: number): boolean {
    if (nowMillis - this.#beginMillis >= windowMillis) {
      this.#beginMillis = nowMillis
      this.#count = 0
    }
    return ++this.#count > this.#max
  }
}
