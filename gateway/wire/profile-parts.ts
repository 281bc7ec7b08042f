// What a gateway puts a profile together from: texts are decimals of USD, times Unix milliseconds.

/** Of the read model. */
export type ProfilePresent = {
  readonly wallet: string
  /** What it is shown as. */
  readonly username: string
  readonly in_use: string
  readonly available: string
  readonly total: string
  readonly unrealized: string
}

/** Of the history. */
export type ProfilePast = {
  /** When the wallet first had anything; null: it never had. */
  readonly firstMillis: number | null
  readonly nowMillis: number
  readonly deposits: string
  readonly withdraws: string
  readonly pnlOfDay: string
  readonly lifetimeRealized: string
}

/** The span that realized profit is asked for; null: without a bound. */
export interface RealizedSpan {
  readonly wallet: string
  readonly from: number | null
  /** The first millisecond behind it. */
  readonly to: number | null
}
