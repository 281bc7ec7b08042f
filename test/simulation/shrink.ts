import { type FaultKind, faultKinds } from './run/fault-plan.js'
import { type SimulationOptions, type SimulationResult, simulate } from './simulation.js'

export interface Shrunk {
  /** Smallest options found that fail. */
  readonly options: SimulationOptions
  readonly result: SimulationResult
  /** Number of runs that it took. */
  readonly runs: number
}

const runsMax = 60

/**
 * Makes a failing run smaller: first fewer steps, then without each kind of fault that it does not need, then fewer
 * steps again. The seed stays. Any failure counts: a smaller run may show the same bug with another message.
 */
export function shrink(options: SimulationOptions, result: SimulationResult): Shrunk {
  const search = new Search(options, result)
  search.fewerSteps()
  search.fewerFaults()
  search.fewerSteps()
  return { options: search.options, result: search.result, runs: search.runs }
}

/** Returns the command line that repeats a run. */
export function commandLine({ seed, steps, without }: SimulationOptions): string {
  const list = [...(without ?? [])].join(',')
  const tail = list === '' ? '' : ` --without ${list}`
  return `npx strikebook simulate --seed ${seed} --steps ${steps}${tail}`
}

class Search {
  options: SimulationOptions
  result: SimulationResult
  runs = 0

  constructor(options: SimulationOptions, result: SimulationResult) {
    this.options = options
    this.result = result
  }

  /** Drops all steps after the failing one, then removes steps by halves. */
  fewerSteps(): void {
    const { failure } = this.result
    if (failure !== null) this.#try({ ...this.options, steps: failure.step + 1 })
    let cut = this.options.steps >> 1
    while (cut > 0) {
      const steps = this.options.steps - cut
      if (steps > 0 && this.#try({ ...this.options, steps })) continue
      cut >>= 1
    }
  }

  fewerFaults(): void {
    for (const kind of faultKinds) {
      const without = new Set<FaultKind>(this.options.without)
      if (without.has(kind)) continue
      without.add(kind)
      this.#try({ ...this.options, without })
    }
  }

  #try(options: SimulationOptions): boolean {
    if (this.runs === runsMax || options.steps > this.options.steps) return false
    this.runs++
    const result = simulate(options)
    if (result.failure === null) return false
    this.options = options
    this.result = result
    return true
  }
}
