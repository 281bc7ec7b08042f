/** Weight of the high half. Each half of an amount is below 2^27, so sums over 2^26 rows stay below 2^53. */
const halfSize = 2 ** 26

/**
 * Exact sum of amounts that may each be near the limit of exact integers. It has two halves in doubles, at a tenth of
 * the cost of BigInt.
 */
export class WideSum {
  /** True if every amount was a safe integer. */
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
