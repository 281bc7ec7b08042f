import {
  apiWalletNameBytes,
  clientIdBytesMax,
  depositIdBytesMax,
  intentBytesMax,
  pushKeyBytes,
  pushKeyPadding,
  referralCodeBytesMax,
  txHashBytes,
  underlyingBytesMax,
  usernameBytesMax,
} from '../bounds.js'
import {
  address,
  block,
  bytes,
  f64,
  f64s,
  header,
  i32,
  type LayoutGroup,
  one,
  padded,
  part,
  recordsWith,
  rows,
  text,
  unused,
} from './layout.js'
import { anyRecord, competitionTerms, instrumentKey, perpTerms, underlying, uuid } from './parts.js'

// Commands: what gateways ask of the core, as fixed-layout records, little endian. The journal keeps exactly these
// bytes, so a layout changes only together with the engine version of its segments. Numbers of types are journaled:
// never reused, never renumbered.

//  Header of every command
//  0       4       8         12        16      36      56         60        64      96
//  +-------+-------+---------+---------+-------+-------+----------+---------+-------+----
//  | bytes | type  | gateway | request | wallet| signer| nonce hi | nonce lo| digest| body
//  +-------+-------+---------+---------+-------+-------+----------+---------+-------+----
const anyCommand = header('AnyCommand', 'What every command begins with.', anyRecord, [
  i32('gateway', 'names the asker with `request`, and comes back in the outcome'),
  i32('request'),
  address(
    'wallet',
    'zero in the structs that have no wallet field (the signer is the wallet) and in operator commands that concern ' +
      'no wallet',
  ),
  address('signer', 'zero, like nonce and digest, in operator commands: they carry no signature'),
  i32('nonceHigh'),
  i32('nonceLow'),
  bytes('digest', 32),
])
const command = recordsWith('Command', anyCommand)

const indexEntry = part('IndexEntry', 'The price of one underlying.', [
  underlying(),
  f64('priceMicros'),
  f64('observedMillis'),
])

const burnEntry = part(
  'BurnEntry',
  'The highest nonce that one kind of signer is known to have used.',
  [address('wallet'), one('signer', 'Signer'), i32('nonceHigh'), i32('nonceLow')],
)

const bidPosition = part('BidPosition', 'A position as the signed portfolio hash has it.', [
  block('key', instrumentKey),
  f64('lots', 'signed'),
  f64('entryMicros', 'average price'),
])

const submittedLeg = part('SubmittedLeg', 'A leg of a package, as the taker trades it.', [
  block('key', instrumentKey),
  f64('sizeLots'),
  one('side', 'Side'),
  unused(4),
])

const quotedLeg = part(
  'QuotedLeg',
  "A leg as a provider would trade it; the side is the taker's.",
  [
    block('key', instrumentKey),
    f64('sizeLots'),
    f64('priceMicros', 'truncated'),
    one('side', 'Side'),
    unused(4),
  ],
)

const auctionTerms = part(
  'AuctionTerms',
  'Behind a PlaceOrder by best execution: what quote providers show for its instrument, as its gateway knows it. ' +
    'Without any the record ends before it.',
  [i32('count'), unused(4)],
)

const indicativeRow = part(
  'IndicativeRow',
  'What one provider shows. An ask counts as the next micro above it, a bid as the one below: who reaches that, reaches it.',
  [
    f64('bidMicros', '0: none'),
    f64('askMicros', '0: none'),
    f64('sizeLots', 'that it would trade with the order, whole lots; 0: it does not say'),
    i32('account'),
    unused(4),
  ],
)

const underlyingName = part('UnderlyingName', 'Text of an underlying.', [
  padded('name', underlyingBytesMax),
])

const ofUnderlying = underlying('empty: all of them')

export const commands: LayoutGroup = {
  file: 'commands',
  typeName: 'CommandType',
  typeDoc: 'Values are journaled: never reused, never renumbered.',
  layouts: [
    instrumentKey,
    perpTerms,
    indexEntry,
    burnEntry,
    bidPosition,
    submittedLeg,
    quotedLeg,
    auctionTerms,
    indicativeRow,
    underlyingName,
    anyCommand,
    command({ PlaceOrder: 1, ReplaceOrder: 2 }, 'A new order, in the place of another or not.', [
      block('key', instrumentKey),
      f64('priceMicros'),
      f64('sizeLots'),
      one('side', 'Side'),
      one('tif', 'Tif'),
      one('route', 'Route'),
      i32('flags', 'OrderFlag bits'),
      f64('oldOrderId', 'ReplaceOrder only, else 0'),
      text('clientId', clientIdBytesMax),
      address('builder'),
    ]),
    command({ CancelOrder: 3 }, 'Takes a working order back.', [f64('orderId')]),
    command({ CancelByClientId: 4 }, 'Takes back the working order that has this client id.', [
      text('clientId', clientIdBytesMax),
      unused(4),
    ]),
    command(
      { ApproveAgent: 5, RevokeAgent: 6 },
      'Lets another key sign, or no longer.',
      [address('agent'), unused(4)],
      { name: 'Agent' },
    ),
    command({ RevokeAllAgents: 7 }, 'No other key may sign.', []),
    command(
      { Bulk: 8 },
      'Items are whole records, each with its own header, wallet, signer, nonce, digest and request; they run in ' +
        "order in one batch. The bulk's own wallet to digest are zero.",
      [i32('count'), unused(4), rows('items', 'bytes')],
    ),
    command({ SetSelfTrade: 9 }, '', [one('mode', 'SelfTradeMode'), unused(4)]),
    command(
      { SetTier: 21, SetUserTier: 10 },
      "SetUserTier is signed by an operator's signer: the wallet of the header is the one whose tier changes, nonce " +
        "and outcome are the signer's.",
      [one('tier', 'Tier'), unused(4)],
    ),
    command({ SetMarginMode: 11 }, '', [one('mode', 'MarginMode'), unused(4)]),
    command({ SetMmp: 12 }, "Sets the protection of the header's wallet in an underlying.", [
      underlying(),
      f64('intervalMillis'),
      f64('frozenMillis', '0: until reset'),
      f64s('limits', 3, 'quantity, delta, vega in micros; 0: none'),
    ]),
    command(
      { DeleteMmp: 13, ResetMmp: 14 },
      'Ends the protection, or thaws and empties it.',
      [underlying()],
      { name: 'EndMmp' },
    ),
    command({ MarkPayoutsSeen: 15 }, '', [
      i32('seen', '1: seen, 0: not seen'),
      i32('count'),
      rows('ids', 'f64'),
    ]),
    command(
      { Deposit: 16, FundInsurance: 24 },
      'FundInsurance has no wallet. An empty deposit id is never remembered.',
      [f64('amountMicros'), text('depositId', depositIdBytesMax), unused(4)],
    ),
    command({ ListInstrument: 17, DeleteInstrument: 18 }, '', [
      block('key', instrumentKey),
      f64('expiryMillis', '0: the time of day of the underlying'),
      i32('tradingMode', 'TradingMode bits'),
      unused(4),
    ]),
    command({ IndexPrices: 19 }, '', [i32('count'), unused(4), rows('entries', indexEntry)]),
    command(
      { VolSurface: 20 },
      'Points are pairs (strike in USD, iv as a fraction); SVI is a, b, rho, m, s.',
      [
        underlying(),
        f64('expiryMillis'),
        one('surfaceKind', 'SurfaceKind'),
        i32('count'),
        rows('values', 'f64'),
      ],
    ),
    command({ SetHalt: 22 }, '', [
      ofUnderlying,
      one('mode', 'HaltMode'),
      i32('stands', '1: of all, and of those that are listed later'),
    ]),
    command(
      { SetWalletStop: 47 },
      "Stops or resumes trading of the header's wallet: the shell stops it, the operator resumes it.",
      [i32('stopped', '1: the wallet may only cancel, 0: it trades again'), unused(4)],
    ),
    command({ SettlementPrice: 23 }, '', [underlying(), f64('expiryMillis'), f64('priceMicros')]),
    command({ SetMaxIndex: 27 }, '', [underlying(), f64('maxIndexMicros')]),
    command({ SetBuilder: 28 }, "The builder stands in the header's wallet.", [
      one('status', 'BuilderStatus'),
      unused(4),
    ]),
    command({ SetProvider: 29 }, "The provider stands in the header's wallet.", [
      one('status', 'ProviderStatus'),
      unused(4),
    ]),
    command({ SetCompetition: 45 }, 'Creates a competition, or changes one that has not ended.', [
      f64('competitionId', '0: that of this name which has not ended, or a new one'),
      ...competitionTerms,
      rows('texts', 'bytes', 'UTF-8'),
    ]),
    command({ Configure: 32 }, 'Engine parameters, in the order of the engine configuration.', [
      i32('count'),
      unused(4),
      rows('values', 'f64'),
    ]),
    command({ Tick: 33 }, '', []),
    command(
      { SetClockAlarm: 34 },
      "Of the core's own shell: its clock was stepped, or can be followed again.",
      [
        one('alarm', 'ClockAlarm'),
        unused(4),
        f64('stepMillis', 'what the clock says beyond engine time'),
        f64('offsetMillis', 'as from now: what of that is not followed'),
      ],
    ),
    command({ AcceptClock: 35 }, '', [
      one('choice', 'ClockChoice'),
      unused(4),
      f64('wallMillis', 'the clock when it was accepted'),
    ]),
    command(
      { AcceptLoss: 36 },
      'Of the engine itself: numbers that were given out and lost, as the last one of each kind, and the underlyings ' +
        'that there were. It comes first in its batch, and takes effect before anything else of it.',
      [
        f64('batchNumber'),
        f64('seq'),
        f64('timeMillis'),
        f64('orderCount'),
        f64('tradeCount'),
        f64('payoutCount'),
        f64('auctionCount'),
        i32('underlyingCount'),
        unused(4),
        rows('underlyings', underlyingName),
      ],
    ),
    command(
      { BurnNonces: 37 },
      'Of the engine itself: of wallets that have acted in what is lost, the highest nonce that their owners, or ' +
        'their agents, are known to have used. It is burned with all below it.',
      [i32('count'), unused(4), rows('entries', burnEntry)],
    ),
    command({ LeaveProvider: 38 }, "Of a gateway: a session of the header's wallet has ended.", [
      i32('session', 'as in its ConnectProvider, of the same gateway'),
      unused(4),
    ]),
    command(
      { EndConnection: 41 },
      "Of a gateway: a connection has ended that a SetCancelOnDisconnect of the header's wallet has bound.",
      [i32('session'), unused(4)],
    ),
    command(
      { DropPush: 46 },
      "Of whoever sends notifications: a push service says that a subscription of the header's wallet is gone.",
      [f64('subscriptionId')],
    ),
    command(
      { EndSessions: 40 },
      'Of the shell at its start: no session of before has outlived the process.',
      [],
    ),
    command(
      { DeclineRfq: 39 },
      "A session of the header's wallet will not quote, or takes its quote back. It carries no signature.",
      [uuid('rfqId')],
    ),
    //  96           116            120           152     160           288
    //  +------------+--------------+-------------+-------+-------------+--------------+
    //  | liquidated | intent bytes | 4 x Float64 | count | intent text | positions    |
    //  +------------+--------------+-------------+-------+-------------+--------------+
    command(
      { BidLiquidation: 64 },
      'A bid for a share of a wallet in auction, by the wallet of the header. The positions are those that the ' +
        'signed portfolio hash is made of: the engine compares them with the account, number by number.',
      [
        address('liquidated', 'wallet in auction'),
        i32('intentBytes'),
        f64('auction', 'number of the auction'),
        f64('version'),
        f64('bidMicros', 'the most that the bidder pays'),
        f64('valuationMillis', 'time of the terms that were signed'),
        i32('count', 'number of positions'),
        unused(4),
        bytes('intent', intentBytesMax, '', 'counted'),
        rows('positions', bidPosition),
      ],
    ),
    command(
      { ConnectProvider: 68 },
      'A quote provider has opened a session; its nonce is burned like that of any action.',
      [i32('session', "the gateway's own number of it, of no other that is open"), unused(4)],
    ),
    command(
      { CancelAll: 69 },
      "Ends the wallet's working orders, requests for quote and live quotes of a scope.",
      [
        block('key', instrumentKey, 'Underlying: its name; Instrument: its terms'),
        one('scope', 'CancelScope'),
        unused(4),
      ],
    ),
    command({ SetDeadMan: 70 }, 'The same of all, where the wallet does nothing for so long.', [
      f64('timeoutMillis', '0: never any more'),
    ]),
    command(
      { SetCancelOnDisconnect: 71 },
      'The same of all, when the connection ends that has sent this.',
      [i32('session', "the gateway's own number of it"), i32('enabled')],
    ),
    command(
      { UpdateApiWallet: 73 },
      'Sets, under a name, another key that may sign directives for trading; or removes the one of that name. Only the ' +
        'wallet itself may sign it.',
      [bytes('name', apiWalletNameBytes), address('apiWallet', 'zero: removes'), unused(4)],
    ),
    command(
      { SetAbstraction: 74 },
      'Records how the account is to be presented; it decides nothing. Only the wallet itself may sign it.',
      [i32('abstraction'), unused(4)],
    ),
    command(
      { WithdrawUsdc: 72 },
      "Sends the wallet's money away, under the id of its digest (`directiveIdOf`).",
      [f64('amountMicros'), address('destination'), unused(4)],
    ),
    command({ SettleWithdrawal: 42 }, 'Of the settlement rail: a withdrawal has come so far.', [
      uuid('directiveId'),
      bytes('txHash', txHashBytes, 'zeros: none'),
      one('delivery', 'DeliveryStatus'),
      unused(4),
    ]),
    command({ JudgeWithdrawal: 43 }, 'Of the operator: what became of one that got stuck.', [
      uuid('directiveId'),
      one('verdict', 'WithdrawalVerdict'),
      unused(4),
    ]),
    command(
      { NoteFile: 49 },
      'Of the venue: a file next to the journal has at least so many bytes on disk. Any later start expects them.',
      [one('file', 'NotedFile'), unused(4), f64('bytes')],
    ),
    command({ RequestUsername: 75 }, "A name for the header's wallet, in lower case.", [
      text('username', usernameBytesMax),
    ]),
    command(
      { JudgeUsername: 44 },
      "The operator's word about the name that the header's wallet has asked for.",
      [
        one('verdict', 'UsernameVerdict'),
        text('username', usernameBytesMax, 'only of this one; empty: whatever it is'),
        unused(4),
      ],
    ),
    command({ CreateReferralCode: 76 }, 'Takes a code for the wallet, for good.', [
      text('code', referralCodeBytesMax, 'as it is kept: in capitals'),
    ]),
    command({ SetReferrer: 77 }, 'Says who has brought the wallet here, for good.', [
      address('referrer', 'owner of the code'),
      text('code', referralCodeBytesMax, 'as it is kept'),
      unused(4),
    ]),
    //  96     100    104      108        112    196      200
    //  +------+------+--------+----------+------+--------+----------+
    //  | kind | mask | topics | endpoint | keys | unused | endpoint |
    //  +------+------+--------+--bytes---+------+--------+----------+
    command(
      { PushAction: 78 },
      'Notifications of browsers: where to, or no longer, or of what. It holds what only the browser and we may know.',
      [
        one('kind', 'PushActionKind'),
        i32('mask', 'Preferences: PushTopic bits that are set'),
        i32('topics', 'Preferences: PushTopic bits'),
        i32('endpointBytes', 'Subscribe, Unsubscribe'),
        bytes('keys', pushKeyBytes + pushKeyPadding, 'Subscribe: point, secret, zeros'),
        unused(4),
        rows('endpoint', 'bytes', 'ASCII'),
      ],
    ),
    command({ SubmitRfq: 65 }, 'Asks providers for a price of a package.', [
      uuid('rfqId'),
      f64(
        'limitMicros',
        'Auto: as signed, above 0 the most that is paid or the least that is got, else the net premium',
      ),
      one('kind', 'RfqKind'),
      i32('count', 'legs'),
      rows('legs', submittedLeg),
    ]),
    command({ AcceptRfqQuote: 66 }, '', [
      uuid('rfqId'),
      uuid('quoteId'),
      f64('netPremiumMicros', 'as signed: that of the quote'),
    ]),
    command(
      { QuoteRfq: 67 },
      "A provider's firm quote. What is wrong with its terms is told before who has signed it: the signer is zero where " +
        'nobody was recovered.',
      [
        uuid('rfqId'),
        f64('netPremiumMicros', "truncated, in the taker's view"),
        f64('validForMillis'),
        i32('count', 'legs'),
        unused(4),
        rows('legs', quotedLeg),
      ],
    ),
  ],
}
