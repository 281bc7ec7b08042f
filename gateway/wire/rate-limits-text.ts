/** One window of a minute. */
export interface RateWindowText {
  /** `OrderPlacement`, `OrderCancellation`, `ApiRequest`. */
  readonly category: string
  /** A minute; -1: unlimited. */
  readonly limit: number
  /** Of this minute; -1: unlimited. */
  readonly remaining: number
  /** Unix seconds at which the window ends. */
  readonly reset: number
}

/** `data` of GET /rate-limits. */
export interface RateLimits {
  readonly wallet: string
  readonly tier: string
  /** Of the wallet's signed writes: all its signers and connections share them. */
  readonly windows: readonly RateWindowText[]
  /** Of this client's reads of the wallet. */
  readonly reads: RateWindowText
}
