import { Random } from './run/random.js'
import type { Run } from './run/run.js'

/** Threads that take turns, in proportion to their weights. */
const threadWeights = [
  { name: 'clients', weight: 8 },
  { name: 'core', weight: 8 },
  { name: 'journal', weight: 8 },
  { name: 'gateways', weight: 6 },
  { name: 'market', weight: 4 },
  { name: 'history', weight: 3 },
  { name: 'snapshots', weight: 2 },
] as const
export type ThreadName = (typeof threadWeights)[number]['name']

/** Threads that can stall here; matchers and single gateways stall elsewhere. */
const stallable: readonly ThreadName[] = ['core', 'journal', 'market', 'history', 'snapshots']
const stallTurnsMax = 60

/** Chooses the thread that runs next, and stalls threads for a while. */
export class Threads {
  readonly #run: Run
  readonly #random: Random
  /** Number of turns that each thread still misses. */
  readonly #missing = new Map<ThreadName, number>()

  constructor(run: Run) {
    this.#run = run
    this.#random = new Random(run.seed, 'threads')
  }

  /** @returns the thread that runs now, or null if it is stalled */
  next(): ThreadName | null {
    if (this.#run.plan.happens('stall', 0.01)) this.#stall()
    const { name } = this.#random.pickWeighted(threadWeights)
    const missing = this.#missing.get(name) ?? 0
    if (missing === 0) return name
    this.#missing.set(name, missing - 1)
    return null
  }

  /** Ends all stalls. */
  release(): void {
    this.#missing.clear()
  }

  #stall(): void {
    const { plan, statistics } = this.#run
    const random = plan.random('stall')
    const name = random.pick(stallable)
    this.#missing.set(name, 1 + random.below(stallTurnsMax))
    statistics.add(`stalled ${name}`)
  }
}
