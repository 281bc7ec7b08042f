/** Size of the burst, and refill time of one line. */
const burstMax = 100
const refillMillis = 60_000

interface Allowance {
  left: number
  filledMillis: number
  leftOut: number
}

/**
 * Limits the audit lines of failed attempts. Unauthenticated clients share one allowance, and each identity has its
 * own. So failures write at most one line a minute per allowance, some hundred megabytes a year.
 */
export class RefusalAllowance {
  readonly #nowMillis: () => number
  readonly #byName = new Map<string, Allowance>()

  constructor(nowMillis: () => number) {
    this.#nowMillis = nowMillis
  }

  /**
   * Takes one line.
   * @param name Name of the identity; null for unauthenticated clients.
   * @returns Number of earlier attempts without a line; null if this one gets none.
   */
  take(name: string | null): number | null {
    const allowance = this.#filled(name ?? '')
    if (allowance.left < 1) {
      allowance.leftOut++
      return null
    }
    allowance.left--
    const { leftOut } = allowance
    allowance.leftOut = 0
    return leftOut
  }

  #filled(name: string): Allowance {
    const now = this.#nowMillis()
    const known = this.#byName.get(name)
    if (known === undefined) {
      const made = { left: burstMax, filledMillis: now, leftOut: 0 }
      this.#byName.set(name, made)
      return made
    }
    const earned = Math.floor((now - known.filledMillis) / refillMillis)
    known.left = Math.min(burstMax, known.left + earned)
    known.filledMillis += earned * refillMillis
    return known
  }
}
