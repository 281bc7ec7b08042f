const windowMillis = 60_000

/** Counts something of one connection, by the minute. */
export class MinuteCount {
  readonly #max: number
  #count = 0
  #beginMillis = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Counts one more. @returns whether there are too many in this minute. */
  isTooMany(nowMillis: number): boolean {
    if (nowMillis - this.#beginMillis >= windowMillis) {
      this.#beginMillis = nowMillis
      this.#count = 0
    }
    return ++this.#count > this.#max
  }
}
