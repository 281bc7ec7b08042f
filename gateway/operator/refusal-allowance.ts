/** So many refusals may follow each other, and then one in so long. */
const burstMax = 100
const refillMillis = 60_000

interface Allowance {
  left: number
  filledMillis: number
  leftOut: number
}

/**
 * How many refused attempts get a line of the audit log. Strangers share one allowance and each identity has one, so
 * that a line a minute, some hundred megabytes a year, is the most that any of them writes to the disk by failing.
 */
export class RefusalAllowance {
  readonly #nowMillis: () => number
  readonly #byName = new Map<string, Allowance>()

  constructor(nowMillis: () => number) {
    this.#nowMillis = nowMillis
  }

  /**
   * Takes one line.
   * @param name of an identity; null: nobody that is known.
   * @returns how many before it had none; null: this one has none.
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
