import type { FaultPlan } from './fault-plan.js'
import type { Statistics } from './statistics.js'
import type { Trace } from './trace.js'

/** Context of one run that all its parts share: the seed of its random streams, its faults, counters and trace. */
export interface Run {
  readonly seed: number
  readonly plan: FaultPlan
  readonly statistics: Statistics
  readonly trace: Trace
}
