import { clientIdBytesMax, depositIdBytesMax, underlyingBytesMax } from '../bounds.js'
import {
  address,
  block,
  bytes,
  f64,
  f64s,
  i32,
  instead,
  type LayoutGroup,
  one,
  padded,
  part,
  recordsWith,
  rows,
  text,
  u32,
  unused,
} from './layout.js'
import { instrumentKey, orderFacts, wordPair } from './parts.js'

// Events: every fact that anybody may see, once, in total order. One writer (the core), many readers.

//  Header of every event
//  0       4      8        16       24
//  +-------+------+--------+--------+---- ... ----+
//  | bytes | type | seq    | time   | body        |   seq and time (engine millis) are Float64
//  +-------+------+--------+--------+---- ... ----+
const event = recordsWith('Event', [...wordPair, f64('seq'), f64('timeMillis')], 24)
const marketData = (
  name: string,
  number: number,
  doc: string,
  fields: Parameters<typeof event>[2],
) => event({ [name]: number }, doc, fields, { isMarketData: true })

/** Values whose meaning belongs to the result: `details` of its row. */
const detailsCount = 10
const outcome = [
  i32('gateway', '-1 in an OrderUpdate, which has no asker'),
  i32('request'),
  one('result', 'Result', 'why refused or cancelled'),
  one('command', 'CommandType'),
  i32('flags', 'OutcomeFlag bits'),
  i32('account', 'account index, -1 unknown'),
  block('facts', orderFacts),
  f64s('details', detailsCount, 'of a rejection; their meaning belongs to the result'),
  instead('details', 'in the repeat of a signed action: of its first outcome', [
    f64('firstSeq', '0 in the repeat of an operator command'),
    f64('firstMillis'),
  ]),
  instead('details', 'in the outcome of a carried out order or cancel (`Told`)', [
    f64(
      'toldSeq',
      "of the order's last event of this step, which is the one that the streams carry, too",
    ),
  ]),
  instead(
    'details',
    'at their end, where a nonce was burned (`burnsNonce`): which one, and by whom',
    [i32('nonceHigh'), i32('nonceLow'), one('signer', 'Signer'), i32('zero')],
    64,
  ),
]

const liquidationPosition = part('LiquidationPosition', 'A position of a wallet in auction.', [
  f64('lots'),
  f64('entryMicros'),
  i32('instrument'),
  i32('zero'),
])

const mmpTerms = [
  one('change', 'MmpChange'),
  i32('account'),
  i32('underlying'),
  i32('triggers', 'limits reached: 1 quantity, 2 delta, 4 vega'),
  f64('intervalMillis'),
  f64('frozenMillis'),
  f64s('limits', 3, 'micros; 0: none'),
  f64('frozenUntilMillis', '0: never was frozen; Infinity: until reset'),
  i32('nonceHigh', 'of the latest accepted SetMmp'),
  i32('nonceLow'),
  f64('sizeLots', 'above zero when the protected wallet bought'),
  f64('deltaMicros', 'per contract'),
  f64('vegaMicros', 'per contract'),
  unused(32),
  instead('sizeLots', 'Entry: instead of a fill', [
    f64('entryMillis'),
    f64s('amounts', 6, 'micros and remainder of quantity, delta, vega'),
  ]),
]

export const events: LayoutGroup = {
  file: 'events',
  typeName: 'EventType',
  typeDoc: 'What an event tells.',
  layouts: [
    orderFacts,
    liquidationPosition,
    event({}, 'What every event begins with.', [], { name: 'Any' }),
    event(
      { Outcome: 1, OrderUpdate: 2 },
      'The answer to one command, for the gateway that asked; or a working order changed.',
      outcome,
    ),
    event(
      { OrderUpdate: 2 },
      'The longer OrderUpdate of something refused says what was asked for, behind the common layout.',
      [
        ...outcome,
        u32('refusedNonceHigh'),
        u32('refusedNonceLow'),
        f64('refusedOrderId', 'of the order to cancel or replace; 0: none by its id'),
        block('refusedKey', instrumentKey, 'zeroes in a cancel'),
      ],
      { name: 'Refusal' },
    ),
    event({ Fill: 3 }, "One wallet's part of a trade, with what it left behind.", [
      f64('fillId'),
      f64('tradeId'),
      f64('orderId'),
      f64('priceMicros'),
      f64('sizeLots'),
      f64('feeMicros', 'below 0: a rebate'),
      f64('realizedMicros', 'realized PnL of this fill'),
      f64('positionLots', 'after the fill'),
      f64('costMicros', 'cost basis after the fill, signed like the position'),
      f64('cashMicros', 'after the fill'),
      f64('cumFilledLots', 'of the order'),
      i32('instrument'),
      one('side', 'Side'),
      i32('isTaker'),
      i32('flags', 'OrderFlag bits of the order'),
      address('wallet'),
      address('builder'),
      f64('builderFeeMicros', "the builder's part of the fee"),
      i32('clientIdBytes'),
      i32('account'),
      bytes('clientId', clientIdBytesMax, '', 'counted'),
    ]),
    event({ Account: 4 }, 'Cash, tier or modes changed, or bootstrap.', [
      f64('cashMicros'),
      f64('deltaMicros', 'change of cash by this event'),
      one('change', 'AccountChange'),
      one('tier', 'Tier'),
      one('marginMode', 'MarginMode'),
      one('selfTrade', 'SelfTradeMode'),
      address('wallet'),
      i32('account'),
      f64('depositsMicros', 'net deposits so far'),
      text('depositId', depositIdBytesMax),
      unused(4),
    ]),
    event({ Agent: 5 }, '', [
      one('change', 'AgentChange'),
      i32('account'),
      address('wallet'),
      address('agent'),
    ]),
    event(
      { Instrument: 6 },
      'Listed, expired, deleted, settled, or bootstrap. Ids are dense and rise in order of listing.',
      [
        i32('instrument'),
        i32('underlying', 'index of the underlying, dense in order of first listing'),
        one('change', 'InstrumentChange'),
        one('state', 'InstrumentState'),
        i32('tradingMode', 'TradingMode bits'),
        one('right', 'Right'),
        i32('expiryDate', 'YYYYMMDD of the symbol'),
        unused(4),
        f64('strikeMicros'),
        f64('expiryMillis'),
        f64('listedMillis'),
        padded('name', underlyingBytesMax, 'of the underlying'),
      ],
    ),
    event({ Surface: 7 }, 'An accepted volatility input, as in the command.', [
      i32('underlying'),
      one('surfaceKind', 'SurfaceKind'),
      f64('expiryMillis'),
      i32('count'),
      unused(4),
      f64('takenMillis'),
      f64('indexMicros', 'index when the input was taken; NaN: unknown'),
      rows('values', 'f64'),
    ]),
    event({ Remarked: 8 }, '', [i32('underlying'), one('phase', 'RemarkPhase')]),
    event({ Halt: 9 }, '', [i32('underlying'), one('mode', 'HaltMode')]),
    event({ Position: 10 }, 'Bootstrap only; later changes travel in fills and payouts.', [
      f64('lots'),
      f64('costMicros'),
      f64('realizedMicros', 'realized PnL so far'),
      i32('instrument'),
      i32('account'),
      address('wallet'),
      unused(4),
    ]),
    event({ BootstrapBegin: 11, BootstrapEnd: 12 }, '', [], { name: 'Bootstrap' }),
    event(
      { Mmp: 13 },
      "A wallet's market-maker protection of an underlying: terms and freeze after the change, then the fill " +
        'counted, or one entry of a window.',
      mmpTerms,
    ),
    //  24           28      32            40      48     56       60       64      72
    //  +------------+-------+-------------+-------+------+--------+--------+-------+
    //  | underlying | phase | expiry      | price | dust | source | valid  | borne |
    //  +------------+-------+-------------+-------+------+--------+--------+-------+
    event({ Settlement: 14 }, "An underlying's expiry in a new phase, or with a new estimate.", [
      i32('underlying'),
      one('phase', 'SettlementPhase'),
      f64('expiryMillis'),
      f64('priceMicros', 'estimate up to Pending, then the price; NaN: none'),
      f64('dustMicros', 'Settled: what rounding left to the dust account'),
      one('source', 'PriceSource'),
      i32('valid', 'valid samples'),
      f64('borneMicros', 'Settled: what those who were owed got less, since others could not pay'),
    ]),
    event(
      { Payout: 15 },
      "One wallet's position in one instrument was settled, with what it left behind.",
      [
        f64('payoutId', 'rises by one with each payout'),
        f64('positionLots', 'signed, before'),
        f64('payoffMicros', 'per contract'),
        f64('valueMicros', 'signed like the position, as it was paid'),
        f64('feeMicros'),
        f64('costMicros', 'cost basis of the position, signed'),
        f64('cashMicros', 'after'),
        f64('priceMicros', 'settlement price of the underlying'),
        f64(
          'borneMicros',
          'what the value was lowered by, since others could not pay what they owed; the payoff has it still',
        ),
        i32('instrument'),
        i32('account'),
        address('wallet'),
        unused(4),
      ],
    ),
    event(
      { PayoutsSeen: 16 },
      "The ids as the wallet sent them; those of others' payouts mean nothing.",
      [i32('account'), i32('seen'), address('wallet'), i32('count'), rows('ids', 'f64')],
    ),
    event({ Funds: 17 }, "All balances of the venue's own, as they are now.", [
      f64('feesMicros'),
      f64('insuranceMicros'),
      f64('dustMicros'),
      f64('clearingMicros'),
      f64('depositsMicros', 'operator deposits to the insurance fund so far'),
      one('change', 'FundsChange'),
      unused(4),
    ]),
    //  24              168                 208      228      248     256
    //  +---------------+-------------------+--------+--------+-------+--------------+
    //  | 18 x Float64  | 10 small integers | wallet | winner | count | positions    |
    //  +---------------+-------------------+--------+--------+-------+--------------+
    event(
      { Liquidation: 18 },
      "A wallet's place in liquidation after the change, and what it was judged by.",
      [
        f64('equityMicros'),
        f64('mmMicros', 'maintenance margin required'),
        f64('enteredMillis', 'when this state and mode began'),
        f64('deadlineMillis', 'when it ends by time alone, as of now; 0: never'),
        f64('targetMicros', 'equity that the partial phase works for'),
        f64('repricedMillis', '0: not yet'),
        f64('auction', 'number of the auction; 0: none'),
        f64('auctionMillis', 'when it began'),
        f64('version', "of the auction's terms"),
        f64('neededMicros', 'what is missing to the buffer'),
        f64(
          'bonusMicros',
          'of the latest won bid: what the winner gained on what the account was worth',
        ),
        f64('insuranceMicros', 'paid by the insurance fund so far'),
        f64('deleveragedMicros', 'borne by auto-deleveraged wallets so far'),
        f64('uncoveredMicros', "borne by nobody: the wallet's own debt"),
        f64(
          'insolventMillis',
          'since when equity is gone, by the clock of the timers; 0: it is not',
        ),
        f64('feeMicros', 'liquidation fees paid by the account so far'),
        f64(
          'clockMillis',
          'that the timers of this state and mode run by: engine time less how long they stood still',
        ),
        f64('sharedMicros', 'borne by wallets in profit, in proportion, so far'),
        i32('account'),
        one('change', 'LiquidationChange'),
        one('beforeState', 'LiquidationState'),
        one('beforeMode', 'LiquidationMode'),
        one('state', 'LiquidationState'),
        one('mode', 'LiquidationMode'),
        one('marginMode', 'MarginMode'),
        i32('bonusBps'),
        i32('isWaiting'),
        i32('isStanding', '1: the timers stand still'),
        address('wallet'),
        address('winner', 'zeros without one'),
        i32('count', 'positions that follow; only in the full phase'),
        unused(4),
        rows('positions', liquidationPosition),
      ],
    ),
    event(
      { Auction: 19 },
      "Terms of a running liquidation auction as of the event's time, or its end.",
      [
        f64('number'),
        f64('version'),
        f64(
          'requiredMicros',
          "of a bid at the event's time, of a won one what was paid; below 0: what the insurance fund pays",
        ),
        i32('account'),
        one('change', 'AuctionChange'),
        address('wallet'),
        unused(4),
      ],
    ),
    event(
      { Transfer: 20 },
      "One wallet's side of a position's move off the book, and what it left behind; the other wallet's side is an " +
        'event of its own.',
      [
        f64('sizeLots'),
        f64('priceMicros'),
        f64('premiumMicros', 'what changed hands'),
        f64('realizedMicros'),
        f64('positionLots', 'after'),
        f64('costMicros', 'after'),
        f64('cashMicros', 'after'),
        i32('instrument'),
        one('side', 'Side', '`Buy` takes the position in'),
        one('cause', 'TransferCause'),
        i32('account'),
        i32('other', 'account of the other side'),
        address('wallet'),
      ],
    ),
    event(
      { Funding: 21 },
      "A perp's period has its rate, or everything of it is paid. Payments between are Account events.",
      [
        f64('rateNanos', 'share of the index per period, 1e-9; above 0 longs pay'),
        f64('indexMicros', 'Bootstrap: NaN'),
        f64('endMillis', 'of the period'),
        f64('dustMicros', 'Paid: what rounding left to the dust account'),
        i32('instrument'),
        one('phase', 'FundingPhase'),
        i32('samples', 'that the rate is the mean of'),
        i32('holders', 'wallets with a position when it was fixed'),
      ],
    ),
    event({ MaxIndex: 22 }, 'The highest index that an underlying may have was fixed or raised.', [
      f64('maxIndexMicros'),
      i32('underlying'),
      unused(4),
    ]),
    marketData('Trade', 32, '', [
      f64('tradeId'),
      f64('priceMicros'),
      f64('sizeLots'),
      f64('makerFeeMicros'),
      f64('takerFeeMicros'),
      i32('instrument'),
      one('takerSide', 'Side'),
      address('maker'),
      address('taker'),
    ]),
    marketData('BookLevel', 33, '', [
      f64('priceMicros'),
      f64('sizeLots', 'total at the price after the change; 0: the level is gone'),
      i32('instrument'),
      one('side', 'Side'),
    ]),
    marketData('BookCleared', 34, '', [i32('instrument'), unused(4)]),
    marketData('IndexPrice', 35, '', [
      f64('priceMicros'),
      f64('observedMillis'),
      i32('underlying'),
      unused(4),
    ]),
  ],
}
