import { bool, derived, f64, i32, objectTable, sum } from '../describe.js'

const zero = { initial: 0 } as const

/** Expiries that have come. */
export const settlements = objectTable(
  'Settlement',
  'settlement',
  "One underlying's expiry from its time on. All its instruments settle at one price, those listed later too.",
  { hashKind: 'Settlement', keys: ['underlying', 'expiryMillis'] },
  [
    i32('underlying'),
    f64('expiryMillis'),
    i32('phase', '', { initial: 1, holds: 'SettlementPhase' }),
    f64('priceMicros', 'NaN until it is known; it never changes then.', { initial: 'NaN' }),
    i32('source', '', { initial: 0, holds: 'PriceSource' }),
    i32('validCount', 'Valid samples of the window, when it was looked at.', zero),
    bool('isNew', 'Whether the window is still to be looked at.', { initial: 1 }),
    i32('step', 'Paying: which round over the accounts it is in.', {
      initial: 0,
      holds: 'PayoutStep',
    }),
    i32('accountNext', 'Paying: the account from which to go on.', zero),
    sum(
      'owedMicros',
      'Paying: what wallets are owed that are owed anything, positions of each in sum.',
    ),
    sum('countedMicros', 'Paying: the part of it that has had its turn.'),
    sum(
      'lackingMicros',
      'Paying: what wallets owed and neither they nor the insurance fund could pay.',
    ),
    sum('borneMicros', 'Paying: what those who were paid have borne of it.'),
    sum(
      'clearingMicros',
      'Paying: minus the sum of all values so far. Once all are paid out that is the dust of rounding.',
    ),
  ],
)

export const liquidations = objectTable(
  'Liquidation',
  'liquidation',
  "One wallet's liquidation, from the moment that it is not healthy until it is again. Times are engine millis.",
  { hashKind: 'Liquidation', keys: ['account'] },
  [
    i32('account'),
    f64('state', '', { initial: 0, holds: 'LiquidationState' }),
    f64('mode', '', { initial: 0, holds: 'LiquidationMode' }),
    f64('enteredMillis', 'When this state and mode began.', zero),
    f64('purging', '1 while working orders that have to go may be left.', zero),
    f64(
      'repricedMillis',
      'Partial phase: when the orders in force were placed; 0: none were.',
      zero,
    ),
    f64('targetMicros', 'Partial phase.', zero),
    f64('bonusBps', 'Partial phase.', zero),
    f64('auction', 'Full phase: number of the auction, 0: none.', zero),
    f64('auctionMillis', '', zero),
    f64(
      'version',
      'Rises with every valuation: at each re-mark and each change of the positions.',
      zero,
    ),
    f64('positionsVersion', 'Version since which the positions are what they are.', zero),
    f64(
      'insolventMillis',
      'When equity was gone, by the clock of `rowMillis`; 0: it is not.',
      zero,
    ),
    f64('winner', 'Account that won the latest bid, plus 1, 0: none.', zero),
    f64('bonusMicros', 'What the winner gained.', zero),
    f64('insuranceMicros', 'Of the loss so far, what the insurance fund bore.', zero),
    f64('deleveragedMicros', 'Of the loss so far, what deleveraged wallets bore.', zero),
    f64('uncoveredMicros', 'Of the loss so far, what nobody bore.', zero),
    f64('feeMicros', 'Liquidation fees that the account has paid so far.', zero),
    f64('waiting', '1 while a mark or index is missing.', zero),
    f64('revived', '1: a deposit or an order has come for a liquidated wallet.', zero),
    f64(
      'standingMillis',
      'Since when the timers of this state and mode stand still; 0: they run.',
      zero,
    ),
    f64('stoodMillis', 'How long they have stood still before.', zero),
    f64('sharedMicros', 'Of the loss so far, what wallets in profit bore in proportion.', zero),
    f64(
      'deadlineMillis',
      'When it is looked at next if nothing else happens: follows from the rest, but is kept.',
      { initial: 'Infinity' },
    ),
    derived('the heap of deadlines').i32('place', "Its place among the table's rows.", zero),
  ],
)

export const perps = objectTable(
  'PerpFunding',
  'perp-funding',
  'A listed perp in its period.',
  { hashKind: 'Perp', keys: ['instrument'] },
  [
    i32('instrument'),
    f64('periodMillis', 'Begin of the period reached last; 0: none since funding is on.', zero),
    f64('sampledMillis', "Begin of the sample's time reached last, likewise.", zero),
    i32('sampleCount', 'Samples of the period so far.', zero),
    f64('premiumNanos', 'Sum of their premiums, 1e-9.', zero),
    f64('rateNanos', 'What was fixed last, for readers; 0: nothing yet.', zero),
    f64('endMillis', 'End of the period of that rate.', zero),
  ],
)
