import { bool, derived, f64, i32, objectTable, sum } from '../describe.js'

const zero = { initial: 0 } as const

/** Expiries that have passed. */
export const settlements = objectTable(
  'Settlement',
  'settlement',
  "An underlying's expiry after its time. All its instruments, even those listed later, settle at one price.",
  { hashKind: 'Settlement', keys: ['underlying', 'expiryMillis'] },
  [
    i32('underlying'),
    f64('expiryMillis'),
    i32('phase', '', { initial: 1, holds: 'SettlementPhase' }),
    f64('priceMicros', 'NaN until it is known; then it never changes.', { initial: 'NaN' }),
    i32('source', '', { initial: 0, holds: 'PriceSource' }),
    i32('validCount', 'Valid samples when the window was evaluated.', zero),
    bool('isNew', 'True until the window is evaluated.', { initial: 1 }),
    i32('step', 'Paying: current round over the accounts.', {
      initial: 0,
      holds: 'PayoutStep',
    }),
    i32('accountNext', 'Paying: next account.', zero),
    sum('owedMicros', 'Paying: net amount owed to all wallets that are owed anything.'),
    sum('countedMicros', 'Paying: processed part of it.'),
    sum(
      'lackingMicros',
      'Paying: debts that neither the wallets nor the insurance fund could pay.',
    ),
    sum('borneMicros', 'Paying: part of it that reduced payouts.'),
    sum(
      'clearingMicros',
      'Paying: minus the sum of all values so far. After all payouts, the rounding dust.',
    ),
  ],
)

export const liquidations = objectTable(
  'Liquidation',
  'liquidation',
  "One wallet's liquidation, while it is not healthy. Times are engine millis.",
  { hashKind: 'Liquidation', keys: ['account'] },
  [
    i32('account'),
    f64('state', '', { initial: 0, holds: 'LiquidationState' }),
    f64('mode', '', { initial: 0, holds: 'LiquidationMode' }),
    f64('enteredMillis', 'Start of this state and mode.', zero),
    f64('purging', '1 while orders that must be cancelled may be left.', zero),
    f64(
      'repricedMillis',
      'Partial phase: time when the current orders were placed; 0 if none.',
      zero,
    ),
    f64('targetMicros', 'Partial phase.', zero),
    f64('bonusBps', 'Partial phase.', zero),
    f64('auction', 'Full phase: number of the auction; 0 if none.', zero),
    f64('auctionMillis', '', zero),
    f64(
      'version',
      'Incremented at every valuation: at each re-mark and each change of the positions.',
      zero,
    ),
    f64('positionsVersion', 'Version of the latest change of the positions.', zero),
    f64(
      'insolventMillis',
      'Time since when equity is 0 or below, by the clock of `rowMillis`; 0 if positive.',
      zero,
    ),
    f64('winner', 'Account that won the latest bid, plus 1; 0 if none.', zero),
    f64('bonusMicros', 'Gain of the winner.', zero),
    f64('insuranceMicros', 'Part of the loss so far that the insurance fund bore.', zero),
    f64('deleveragedMicros', 'Part of the loss so far that deleveraged wallets bore.', zero),
    f64('uncoveredMicros', 'Uncovered part of the loss so far.', zero),
    f64('feeMicros', 'Liquidation fees that the account has paid so far.', zero),
    f64('waiting', '1 while a mark or index is missing.', zero),
    f64('revived', '1 after a deposit or order of a liquidated wallet.', zero),
    f64(
      'standingMillis',
      'Time since when the timers of this state and mode are stopped; 0 if they run.',
      zero,
    ),
    f64('stoodMillis', 'Total duration of earlier stops.', zero),
    f64('sharedMicros', 'Part of the loss so far that wallets in profit bore in proportion.', zero),
    f64(
      'deadlineMillis',
      'Time of the next check if nothing else happens. Stored, although it follows from the rest.',
      { initial: 'Infinity' },
    ),
    derived('the heap of deadlines').i32('place', 'Index in the heap.', zero),
  ],
)

export const perps = objectTable(
  'PerpFunding',
  'perp-funding',
  'Current funding period of a listed perp.',
  { hashKind: 'Perp', keys: ['instrument'] },
  [
    i32('instrument'),
    f64('periodMillis', 'Start of the latest period; 0 if none since funding is on.', zero),
    f64('sampledMillis', 'Start of the latest sample interval; 0 likewise.', zero),
    i32('sampleCount', 'Samples of the period so far.', zero),
    f64('premiumNanos', 'Sum of their premiums, 1e-9.', zero),
    f64('rateNanos', 'Latest fixed rate, for readers; 0 if none yet.', zero),
    f64('endMillis', 'End of the period of that rate.', zero),
  ],
)
