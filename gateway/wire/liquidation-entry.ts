import type { LiquidationMode, LiquidationState } from '../../schemas/record-values.js'

/** Liquidation state of a wallet, from its latest event. */
export interface LiquidationEntry {
  /** Lower-case address. */
  readonly wallet: string
  readonly state: LiquidationState
  readonly mode: LiquidationMode
  /** True if its check waits for a mark. */
  readonly isWaiting: boolean
  /** True if its timers are paused, because a market of its positions is closed. */
  readonly isStanding: boolean
  readonly enteredMillis: number
  /** Time at which the phase ends without other events; 0: never. */
  readonly deadlineMillis: number
  readonly equityMicros: number
  /** Maintenance margin. */
  readonly mmMicros: number
}
