/** Numbers of the liquidation process; ratios have at most 6 decimals. */
export interface LiquidationParameters {
  /** Time to recover before orders are taken over. */
  readonly graceSeconds: number
  /** Equity over maintenance margin that ends the grace period at once. */
  readonly recoverRatio: number
  readonly partialSeconds: number
  /** Equity over maintenance margin that the partial phase works for. */
  readonly targetRatio: number
  /** What the first orders of the partial phase give away on the mark, and the most of it. */
  readonly bonusBps: number
  readonly bonusBpsMax: number
  /** Added at each reprice. */
  readonly bonusStepBps: number
  readonly repriceSeconds: number
  /** Price of the auction at its begin, as a share of the account's worth. */
  readonly auctionStart: number
  /** The same after `auctionFastSeconds`; from there it falls to 0 within `auctionSlowSeconds`. */
  readonly auctionFastEnd: number
  readonly auctionFastSeconds: number
  readonly auctionSlowSeconds: number
  /** Equity over maintenance margin that the auction restores. */
  readonly auctionBuffer: number
  /** Time within which the insurance fund's offer for an insolvent account rises to its whole. */
  readonly insolventSeconds: number
  /** An auction without a bid ends after this long. */
  readonly maxAuctionSeconds: number
  /** Age of the terms that a bid may have been signed over. */
  readonly valuationSeconds: number
  /** Of the index, per contract taken; to the insurance fund. */
  readonly feeRate: number
}

export const liquidationParametersDefault: LiquidationParameters = {
  graceSeconds: 60,
  recoverRatio: 1.05,
  partialSeconds: 120,
  targetRatio: 1.1,
  bonusBps: 50,
  bonusBpsMax: 500,
  bonusStepBps: 25,
  repriceSeconds: 5,
  auctionStart: 0.95,
  auctionFastEnd: 0.7,
  auctionFastSeconds: 900,
  auctionSlowSeconds: 43_200,
  auctionBuffer: 1.15,
  insolventSeconds: 3600,
  maxAuctionSeconds: 44_100,
  valuationSeconds: 5,
  feeRate: 0,
}

/** The order in which they are journaled. */
export const liquidationKeys = [
  'graceSeconds',
  'recoverRatio',
  'partialSeconds',
  'targetRatio',
  'bonusBps',
  'bonusBpsMax',
  'bonusStepBps',
  'repriceSeconds',
  'auctionStart',
  'auctionFastEnd',
  'auctionFastSeconds',
  'auctionSlowSeconds',
  'auctionBuffer',
  'insolventSeconds',
  'maxAuctionSeconds',
  'valuationSeconds',
  'feeRate',
] as const satisfies readonly (keyof LiquidationParameters)[]
