import { beginExact } from './checks/exact-invariants.js'
import { type FaultKind, FaultPlan } from './run/fault-plan.js'
import { Violation } from './run/simulation-errors.js'
import { Statistics } from './run/statistics.js'
import { Trace } from './run/trace.js'
import { type Seams, SimulatedExchange } from './simulated-exchange.js'

export interface SimulationOptions {
  readonly seed: number
  /** Steps of the safety phase; the liveness phase takes as many as it needs. */
  readonly steps: number
  readonly without?: ReadonlySet<FaultKind>
  /** Parts in which a test plants a fault that the simulation must find. */
  readonly seams?: Seams
}

export interface SimulationFailure {
  /** Step of the safety phase, or its length when the liveness phase failed. */
  readonly step: number
  readonly what: string
  readonly stack: string
  /** Latest notable events before it. */
  readonly notes: readonly string[]
}

export interface SimulationResult {
  readonly seed: number
  readonly steps: number
  /** Hash of everything that happened. */
  readonly traceHash: string
  /** Hash of all bytes of the events alone, which no change of the state hash affects. */
  readonly eventsHash: string
  readonly failure: SimulationFailure | null
  readonly statistics: Statistics
}

/**
 * Runs one simulated exchange: a safety phase with faults, then a liveness phase without. The same options give the
 * same run, bit for bit.
 */
export function simulate(options: SimulationOptions): SimulationResult {
  const { seed, steps, without = new Set(), seams = {} } = options
  beginExact()
  const statistics = new Statistics()
  const trace = new Trace()
  const plan = new FaultPlan(seed, without, statistics)
  const exchange = new SimulatedExchange({ seed, plan, statistics, trace }, seams)
  let failure: SimulationFailure | null = null
  let step = 0
  try {
    exchange.start()
    for (; step < steps; step++) exchange.step()
    exchange.finish()
  } catch (error) {
    failure = failureOf(error, step, trace)
  }
  const hashes = { traceHash: trace.hash, eventsHash: trace.events.text }
  return { seed, steps, ...hashes, failure, statistics }
}

/** Returns the failure for any error: a broken invariant, or an assertion of the engine. */
function failureOf(error: unknown, step: number, trace: Trace): SimulationFailure {
  const isError = error instanceof Error
  const name = isError && !(error instanceof Violation) ? `${error.name}: ` : ''
  return {
    step,
    what: isError ? `${name}${error.message}` : String(error),
    stack: isError ? (error.stack ?? '') : '',
    notes: [...trace.notes],
  }
}
