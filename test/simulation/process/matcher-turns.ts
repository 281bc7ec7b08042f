import { Random } from '../run/random.js'
import type { Run } from '../run/run.js'
import { mustHold } from '../run/simulation-errors.js'

const turnsMissedMax = 40
/** Looks without any progress that the core may take before it counts as stuck. */
const looksMax = 100_000
const limits = [1, 1, 2, 5, 256] as const

/** The seeded order in which matcher threads run while the core waits for them. */
export class MatcherTurns {
  readonly #run: Run
  readonly #random: Random
  #missing = 0
  #looks = 0

  constructor(run: Run) {
    this.#run = run
    this.#random = new Random(run.seed, 'matchers')
  }

  /** A new batch: the core has not waited yet. */
  begin(): void {
    this.#looks = 0
  }

  /** Which matcher runs now, -1 for none, and at most how many commands: asked whenever the core waits for one. */
  next(matchers: number): { readonly matcher: number; readonly limit: number } {
    const { plan, statistics } = this.#run
    mustHold(++this.#looks < looksMax, () => 'the core waits for its matchers for ever')
    if (this.#missing === 0 && plan.happens('stall', 0.01)) {
      this.#missing = 1 + plan.random('stall').below(turnsMissedMax)
      statistics.add('stalled matcher')
    }
    const matcher = this.#random.below(matchers)
    const limit = this.#random.pick(limits)
    if (this.#missing === 0) return { matcher, limit }
    this.#missing--
    return { matcher: -1, limit }
  }

  /** A result ring was full in the middle of a command. */
  onFull(): void {
    this.#run.statistics.add('full result ring')
  }
}
