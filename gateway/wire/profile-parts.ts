// Parts of a profile, which a gateway combines. Texts are decimals in USD, times Unix milliseconds.

/** Part from the read model. */
export type ProfilePresent = {
  readonly wallet: string
  /** Display name. */
  readonly username: string
  readonly in_use: string
  readonly available: string
  readonly total: string
  readonly unrealized: string
}

/** Part from the history. */
export type ProfilePast = {
  /** Time of the wallet's first activity; null if there was none. */
  readonly firstMillis: number | null
  readonly nowMillis: number
  readonly deposits: string
  readonly withdraws: string
  readonly pnlOfDay: string
  readonly lifetimeRealized: string
}

/** Time range of a realized PnL query; null: unbounded. */
export interface RealizedSpan {
  readonly wallet: string
  readonly from: number | null
  /** First millisecond after it. */
  readonly to: number | null
}
