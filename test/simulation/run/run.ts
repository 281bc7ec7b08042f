import type { FaultPlan } from './fault-plan.js'
import type { Statistics } from './statistics.js'
import type { Trace } from './trace.js'

/** What everything in one run is given: the seed of its streams of numbers, its faults, and who counts and notes. */
export interface Run {
  readonly seed: number
  readonly plan: FaultPlan
  readonly statistics: Statistics
  readonly trace: Trace
}
