import type { FaultPlan } from './fault-plan.js'
import type { Random } from './random.js'
import type { MatcherSchedule } from './simulated-matchers.js'
import { mustHold } from './simulation-errors.js'
import type { Statistics } from './statistics.js'

const turnsMissedMax = 40
/** Looks without any progress that the core may take before it counts as stuck. */
const looksMax = 100_000
const limits = [1, 1, 2, 5, 256] as const

/** The seeded order in which matcher threads run while the core waits for them. */
export class MatcherTurns implements MatcherSchedule {
  readonly #random: Random
  readonly #plan: FaultPlan
  readonly #statistics: Statistics
  #missing = 0
  #looks = 0

  constructor(random: Random, plan: FaultPlan, statistics: Statistics) {
    this.#random = random
    this.#plan = plan
    this.#statistics = statistics
  }

  /** A new batch: the core has not waited yet. */
  begin(): void {
    this.#looks = 0
  }

  next(matchers: number): { readonly matcher: number; readonly limit: number } {
    mustHold(++this.#looks < looksMax, () => 'the core waits for its matchers for ever')
    if (this.#missing === 0 && this.#plan.strikes('stall', 0.01)) {
      this.#missing = 1 + this.#plan.random('stall').below(turnsMissedMax)
      this.#plan.count('stall')
      this.#statistics.add('stalled matcher')
    }
    const matcher = this.#random.below(matchers)
    const limit = this.#random.pick(limits)
    if (this.#missing === 0) return { matcher, limit }
    this.#missing--
    return { matcher: -1, limit }
  }

  onFull(): void {
    this.#statistics.add('full result ring')
  }
}
