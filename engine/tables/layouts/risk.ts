import { derived, f64, rowTable } from '../describe.js'

const zero = { initial: 0 } as const
const none = { initial: 'none' } as const
const ofKey = derived('its key in the snapshot')
const ofOrders = derived('working orders')
const ofPositions = derived('positions and working orders')
const ofMarks = derived('positions, working orders and marks')

/** Positions of wallets by instrument; only position, cost and realized profit are state. */
export const exposures = rowTable(
  'ExposureRows',
  'exposure-rows',
  "Columns of exposures: a wallet's position and orders in one instrument.",
  'nextInAccount',
  [
    ofKey.i32('account'),
    ofKey.i32('instrument'),
    f64('positionLots', 'Signed: short is negative.', zero),
    f64(
      'costMicros',
      'Signed like the position: what a long paid, or minus what a short received.',
      zero,
    ),
    f64(
      'realizedMicros',
      "Realized since the row exists; the wallet's permanent total is separate.",
      zero,
    ),
    ofOrders.f64('workingBuyLots', '', zero),
    ofOrders.f64('workingSellLots', '', zero),
    ofOrders.f64(
      'riskReducingLots',
      'Of risk-reducing orders on either side: they reserve nothing and are not in the two above.',
      zero,
    ),
    ofOrders.f64('reduceOnlyBuyLots', 'Reduce-only part of all three above.', zero),
    ofOrders.f64('reduceOnlySellLots', '', zero),
    ofOrders.i32('firstOrder', 'Head of the list of working orders in the order store.', none),
    ofPositions.i32('nextInAccount'),
    ofPositions.i32('prevInAccount'),
    ofPositions.i32(
      'group',
      "The wallet's (underlying, expiry) group, and the group's list by rising strike.",
    ),
    ofPositions.i32('nextInGroup'),
    ofPositions.i32('prevInGroup'),
  ],
  { hashKind: 'Exposure', keys: ['account', 'instrument'] },
)

/** A wallet's exposures in one underlying and expiry. */
export const expiryGroups = rowTable(
  'ExpiryGroupRows',
  'expiry-group-rows',
  "Columns of expiry groups: a wallet's exposures in one underlying and expiry.",
  'nextInBucket',
  [
    ofPositions.f64('expiryMillis'),
    ofPositions.f64(
      'maxLossMicros',
      'Worst payoff without and with sells; valid if `lossKnown` has the bit 1 << with sells.',
    ),
    ofPositions.f64('maxLossWithSellsMicros'),
    ofPositions.i32('bucket'),
    ofPositions.i32('firstExposure', '', none),
    ofPositions.i32('nextInBucket', '', none),
    ofPositions.i32('lossKnown', '', zero),
  ],
)

/** A wallet's exposures in one underlying, with everything that margin sums over them. */
export const buckets = rowTable(
  'BucketRows',
  'bucket-rows',
  "Columns of buckets: a wallet's exposures in one underlying, with everything that margin sums over them.",
  'nextInAccount',
  [
    ofMarks.f64('version', "Equal to that of the underlying's marks while the sums are valid.", {
      initial: -1,
    }),
    ofMarks.f64('premiumMicros', '', zero),
    ofMarks.f64('valueMicros', 'Σ m·q of the options; positions without a mark count 0.'),
    ofMarks.f64('slippageMicros', 'Of working sells of options.'),
    ofMarks.f64('keptSpotMicros', 'Index of the cached requirements.'),
    ofMarks.f64('keptSellsIm'),
    ofMarks.f64('keptSellsUncovered'),
    ofMarks.f64('feeMicros', 'Fee reserve of the working buys.', zero),
    ofMarks.f64('keptPositionIm'),
    ofMarks.f64('keptPositionMm'),
    ofMarks.f64('keptPositionUncovered'),
    ofMarks.f64('feeSpotMicros', 'Index of `feeMicros`; NaN if it must be recomputed.', {
      initial: 'NaN',
    }),
    ofMarks.f64('perpSlippageMicros', 'Of working orders of perps, either side.'),
    ofMarks.f64('keptSellsMm'),
    ofMarks.i32('account'),
    ofMarks.i32('underlying'),
    ofMarks.i32('nextInAccount', '', none),
    ofMarks.i32('firstGroup', '', none),
    ofMarks.i32(
      'unmarkedShorts',
      'Exposures without a mark that are short, or would be with all sells filled; perps on either side.',
    ),
    ofMarks.i32(
      'kept',
      'Bit 1: the cached requirement of the positions is valid; bit 2: that with all working sells.',
      zero,
    ),
  ],
)
