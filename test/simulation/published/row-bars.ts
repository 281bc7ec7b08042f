/** Milliseconds for which a row does not count after its provider helped nobody. */
const barredMillis = 10_000

/** Knowledge of a reader that has not read everything. */
export const Known = { No: 0, Maybe: 1, Yes: 2 } as const
export type Known = (typeof Known)[keyof typeof Known]

/** Provider rows that do not count for a while, by provider and instrument, as a reader derives them. */
export class RowBars {
  readonly #sure = new Map<string, number>()
  readonly #maybe = new Map<string, number>()
  /** Until this time others may be barred, from before the reader began. */
  #unknownMillis = 0

  /** Starts a reader that knows of none. */
  begin(nowMillis: number): void {
    this.#sure.clear()
    this.#maybe.clear()
    this.#unknownMillis = nowMillis + barredMillis
  }

  bar(account: number, instrument: number, nowMillis: number, isSure: boolean): void {
    const bars = isSure ? this.#sure : this.#maybe
    bars.set(`${account}/${instrument}`, nowMillis + barredMillis)
  }

  isBarred(account: number, instrument: number, nowMillis: number): Known {
    const key = `${account}/${instrument}`
    if ((this.#sure.get(key) ?? 0) >= nowMillis) return Known.Yes
    const lastMillis = Math.max(this.#unknownMillis, this.#maybe.get(key) ?? 0)
    return lastMillis >= nowMillis ? Known.Maybe : Known.No
  }
}
