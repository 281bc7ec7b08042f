/** How long a row of a provider that has helped nobody does not count, milliseconds. */
const barredMillis = 10_000

/** Whether something is so, as far as a reader can tell who has not heard everything. */
export const Known = { No: 0, Maybe: 1, Yes: 2 } as const
export type Known = (typeof Known)[keyof typeof Known]

/** Rows of providers that do not count for a while, by provider and instrument, as a reader works them out. */
export class RowBars {
  readonly #sure = new Map<string, number>()
  readonly #maybe = new Map<string, number>()
  /** Up to here there may be others, of before the reader began. */
  #unknownMillis = 0

  /** The reader begins, and knows of none. */
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
