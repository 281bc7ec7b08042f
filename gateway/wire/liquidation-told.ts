import type { LiquidationMode, LiquidationState } from '../../schemas/record-values.js'

/** Where a wallet stands in liquidation, as its latest event has told it. */
export interface LiquidationTold {
  /** Lower-case address. */
  readonly wallet: string
  readonly state: LiquidationState
  readonly mode: LiquidationMode
  /** Whether its check waits for a mark. */
  readonly isWaiting: boolean
  /** Whether its timers stand still, because a market of its positions is closed. */
  readonly isStanding: boolean
  readonly enteredMillis: number
  /** When the phase ends by time alone; 0: never. */
  readonly deadlineMillis: number
  readonly equityMicros: number
  /** Maintenance margin required. */
  readonly mmMicros: number
}
