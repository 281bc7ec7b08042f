import { Random } from '../run/random.js'
import type { Run } from '../run/run.js'
import { mustHold } from '../run/simulation-errors.js'

const turnsMissedMax = 40
/** Maximum number of checks without progress before the core counts as stuck. */
const checksMax = 100_000
const limits = [1, 1, 2, 5, 256] as const

/** Seeded order in which matcher threads run while the core waits for them. */
export class MatcherTurns {
  readonly #run: Run
  readonly #random: Random
  #missing = 0
  #checks = 0

  constructor(run: Run) {
    this.#run = run
    this.#random = new Random(run.seed, 'matchers')
  }

  /** Starts a batch, in which the core has not waited yet. */
  begin(): void {
    this.#checks = 0
  }

  /**
   * Returns the matcher that runs now, or -1, and its maximum number of commands. Called whenever the core waits for a
   * matcher.
   */
  next(matchers: number): { readonly matcher: number; readonly limit: number } {
    const { plan, statistics } = this.#run
    mustHold(++this.#checks < checksMax, () => 'the core waits for its matchers for ever')
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

  /** Counts a result ring that was full in the middle of a command. */
  onFull(): void {
    this.#run.statistics.add('full result ring')
  }
}
