import {
  defaultsOf,
  type EngineValues,
  fraction,
  integer,
  named,
  number,
  spanSeconds,
  under,
} from '../../schemas/parameter.js'

const someSeconds = [1, spanSeconds[1], 's'] as const
const ratio = [1, 10, 'times'] as const
const given = [0, 10_000, 'bps'] as const

// Ratios have at most 6 decimals.
export const liquidationTable = {
  ...under('liquidation', {
    graceSeconds: integer(60, spanSeconds, 'time to recover before orders are taken over'),
    recoverRatio: number(1.05, ratio, 'equity over maintenance margin that ends the grace period'),
    partialSeconds: integer(120, spanSeconds, 'partial phase'),
    targetRatio: number(1.1, ratio, 'equity over maintenance margin after the partial phase'),
    bonusBps: named('bonusBps.start', integer(50, given, 'given away on the mark by first orders')),
    bonusBpsMax: named('bonusBps.max', integer(500, given, 'the most of it')),
    bonusStepBps: integer(25, given, 'added at each reprice'),
    repriceSeconds: integer(5, [1, 3600, 's'], 'between reprices'),
  }),
  ...under(
    'liquidation.auction',
    {
      start: number(0.95, fraction, 'first price, as a share of the worth'),
      fastEnd: number(0.7, fraction, 'price after the fast part'),
      fastSeconds: integer(900, spanSeconds, 'fast part'),
      slowSeconds: integer(43_200, someSeconds, 'slow part, down to 0'),
      buffer: number(1.15, ratio, 'equity over maintenance margin that ends the auction'),
    },
    'auction',
  ),
  ...under('liquidation.auction', {
    insolventSeconds: integer(3600, someSeconds, 'until an insolvent account is offered with all'),
  }),
  ...under('liquidation', {
    maxAuctionSeconds: integer(
      44_100,
      spanSeconds,
      'auction without a bid, then auto-deleveraging',
    ),
    valuationSeconds: integer(5, [1, 3600, 's'], 'age of the terms that a bid was signed over'),
  }),
  ...under('fees', {
    feeRate: named('liquidation', number(0, fraction, 'of the index, to the insurance fund')),
  }),
}

export type LiquidationParameters = EngineValues<typeof liquidationTable>
export const liquidationParametersDefault = defaultsOf(liquidationTable)
