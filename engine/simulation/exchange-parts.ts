import type { CoreState } from '../state/core-state.js'
import type { VirtualDisk } from './disk/virtual-disk.js'
import type { FaultPlan } from './fault-plan.js'
import type { LogReaderMaker } from './log-events.js'
import type { Statistics } from './statistics.js'
import type { Trace } from './trace.js'

/** What one simulated exchange is given: its seed, its faults, its disk, and who counts. */
export interface ExchangeParts {
  readonly seed: number
  readonly plan: FaultPlan
  readonly statistics: Statistics
  readonly trace: Trace
  readonly disk: VirtualDisk
  readonly makeReader: LogReaderMaker
  /** Called after each batch; a test disturbs the state. */
  readonly disturb: (state: CoreState) => void
}
