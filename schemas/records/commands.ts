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

// Commands from gateways to the core: fixed-layout records, little endian. The journal stores exactly these bytes, so a
// layout changes only together with the engine version of its segments. Type numbers are journaled: never reuse or
// renumber them.

//  Header of every command
//  0       4       8         12        16      36      56         60        64      96
//  +-------+-------+---------+---------+-------+-------+----------+---------+-------+----
//  | bytes | type  | gateway | request | wallet| signer| nonce hi | nonce lo| digest| body
//  +-------+-------+---------+---------+-------+-------+----------+---------+-------+----
const anyCommand = header('AnyCommand', 'Header of every command.', anyRecord, [
  i32(
    'gateway',
    'identifies the requester together with `request`; returned in the acknowledgement',
  ),
  i32('request'),
  address(
    'wallet',
    'zero for structs without a wallet field (the signer is the wallet) and for operator commands without ' +
      'a wallet',
  ),
  address('signer', 'zero, like nonce and digest, in operator commands, which are unsigned'),
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

const burnEntry = part('BurnEntry', 'Highest known nonce of one kind of signer.', [
  address('wallet'),
  one('signer', 'Signer'),
  i32('nonceHigh'),
  i32('nonceLow'),
])

const bidPosition = part('BidPosition', 'A position in the signed portfolio hash.', [
  block('key', instrumentKey),
  f64('lots', 'signed'),
  f64('entryMicros', 'average price'),
])

const submittedLeg = part('SubmittedLeg', 'A leg of a combo, as the taker trades it.', [
  block('key', instrumentKey),
  f64('sizeLots'),
  one('side', 'Side'),
  unused(4),
])

const quotedLeg = part('QuotedLeg', "A leg of a provider's quote; the side is the taker's.", [
  block('key', instrumentKey),
  f64('sizeLots'),
  f64('priceMicros', 'truncated'),
  one('side', 'Side'),
  unused(4),
])

const auctionTerms = part(
  'AuctionTerms',
  'Follows a PlaceOrder with best execution: indicative quotes for its instrument, from its gateway. ' +
    'A record without quotes ends before it.',
  [i32('count'), unused(4)],
)

const indicativeRow = part(
  'IndicativeRow',
  "One provider's indicative quote. An ask is rounded up to a micro and a bid down, so a price that reaches the rounded one reaches the quote.",
  [
    f64('bidMicros', '0: none'),
    f64('askMicros', '0: none'),
    f64('sizeLots', 'size that the provider would trade with the order, whole lots; 0: unknown'),
    i32('account'),
    unused(4),
  ],
)

const underlyingName = part('UnderlyingName', 'Name of an underlying.', [
  padded('name', underlyingBytesMax),
])

const ofUnderlying = underlying('empty: all')

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
    command({ PlaceOrder: 1, ReplaceOrder: 2 }, 'A new order, which may replace another.', [
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
    command({ CancelOrder: 3 }, 'Cancels a working order.', [f64('orderId')]),
    command({ CancelByClientId: 4 }, 'Cancels the working order with this client id.', [
      text('clientId', clientIdBytesMax),
      unused(4),
    ]),
    command(
      { ApproveAgent: 5, RevokeAgent: 6 },
      'Approves or revokes an agent.',
      [address('agent'), unused(4)],
      { name: 'Agent' },
    ),
    command({ RevokeAllAgents: 7 }, 'Revokes all agents.', []),
    command(
      { Bulk: 8 },
      'Items are complete records, each with its own header, wallet, signer, nonce, digest and request. They run in ' +
        'order in one batch. Wallet, signer, nonce and digest of the bulk itself are zero.',
      [i32('count'), unused(4), rows('items', 'bytes')],
    ),
    command({ SetSelfTrade: 9 }, '', [one('mode', 'SelfTradeMode'), unused(4)]),
    command(
      { SetTier: 21, SetUserTier: 10 },
      "SetUserTier is signed by an operator's signer. The wallet of the header is the one whose tier changes. Nonce " +
        'and result belong to the signer.',
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
      'Ends the protection, or empties its window and ends its freeze.',
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
      'FundInsurance has no wallet. An empty deposit id is not stored.',
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
      i32('stands', '1: for all, including those listed later'),
    ]),
    command(
      { SetWalletStop: 47 },
      "Stops or resumes trading of the header's wallet: the shell stops it, the operator resumes it.",
      [i32('stopped', '1: the wallet may only cancel, 0: it trades again'), unused(4)],
    ),
    command({ SettlementPrice: 23 }, '', [underlying(), f64('expiryMillis'), f64('priceMicros')]),
    command({ SetMaxIndex: 27 }, '', [underlying(), f64('maxIndexMicros')]),
    command({ SetBuilder: 28 }, "The builder is the header's wallet.", [
      one('status', 'BuilderStatus'),
      unused(4),
    ]),
    command({ SetProvider: 29 }, "The provider is the header's wallet.", [
      one('status', 'ProviderStatus'),
      unused(4),
    ]),
    command({ SetCompetition: 45 }, 'Creates a competition, or changes one that has not ended.', [
      f64('competitionId', '0: the one of this name that has not ended, or a new one'),
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
      "From the core's shell: the clock was stepped, or its alarm has ended.",
      [
        one('alarm', 'ClockAlarm'),
        unused(4),
        f64('stepMillis', 'clock minus engine time'),
        f64('offsetMillis', 'part of it that engine time does not follow from now on'),
      ],
    ),
    command({ AcceptClock: 35 }, '', [
      one('choice', 'ClockChoice'),
      unused(4),
      f64('wallMillis', 'the clock when it was accepted'),
    ]),
    command(
      { AcceptLoss: 36 },
      'From the engine itself: the last lost number of each kind, and the lost ' +
        'underlyings. It is the first command of its batch, and takes effect before the others.',
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
      'From the engine itself: for wallets with lost actions, the highest nonce that their owners, or ' +
        'their agents, are known to have used. All nonces up to it are burned.',
      [i32('count'), unused(4), rows('entries', burnEntry)],
    ),
    command({ LeaveProvider: 38 }, "From a gateway: a session of the header's wallet has ended.", [
      i32('session', 'number from its ConnectProvider, of the same gateway'),
      unused(4),
    ]),
    command(
      { EndConnection: 41 },
      "From a gateway: a connection with a SetCancelOnDisconnect of the header's wallet has closed.",
      [i32('session'), unused(4)],
    ),
    command(
      { DropPush: 46 },
      "From the push sender: the push service reports that a subscription of the header's wallet no longer exists.",
      [f64('subscriptionId')],
    ),
    command(
      { EndSessions: 40 },
      'From the shell at its start: all earlier sessions ended with their process.',
      [],
    ),
    command(
      { DeclineRfq: 39 },
      "A session of the header's wallet will not quote, or withdraws its quote. It is unsigned.",
      [uuid('rfqId')],
    ),
    //  96           116            120           152     160           288
    //  +------------+--------------+-------------+-------+-------------+--------------+
    //  | liquidated | intent bytes | 4 x Float64 | count | intent text | positions    |
    //  +------------+--------------+-------------+-------+-------------+--------------+
    command(
      { BidLiquidation: 64 },
      'A bid for a share of a wallet in auction, by the wallet of the header. The positions are those of the ' +
        'signed portfolio hash; the engine compares each number with the account.',
      [
        address('liquidated', 'wallet in auction'),
        i32('intentBytes'),
        f64('auction', 'number of the auction'),
        f64('version'),
        f64('bidMicros', 'maximum payment of the bidder'),
        f64('valuationMillis', 'time of the signed terms'),
        i32('count', 'number of positions'),
        unused(4),
        bytes('intent', intentBytesMax, '', 'counted'),
        rows('positions', bidPosition),
      ],
    ),
    command(
      { ConnectProvider: 68 },
      'A quote provider has opened a session. Its nonce is used like that of any action.',
      [i32('session', 'number from the gateway, unique among open sessions'), unused(4)],
    ),
    command(
      { CancelAll: 69 },
      "Cancels the wallet's working orders, RFQs and live quotes in a scope.",
      [
        block('key', instrumentKey, 'Underlying: its name; Instrument: its terms'),
        one('scope', 'CancelScope'),
        unused(4),
      ],
    ),
    command({ SetDeadMan: 70 }, 'Cancels all of them if the wallet is inactive for this long.', [
      f64('timeoutMillis', '0: ends the timer'),
    ]),
    command(
      { SetCancelOnDisconnect: 71 },
      'Cancels all of them when the sending connection closes.',
      [i32('session', 'number from the gateway'), i32('enabled')],
    ),
    command(
      { UpdateApiWallet: 73 },
      'Sets a named key that may sign trading directives, or removes the key of that name. Only the ' +
        'wallet owner may sign it.',
      [bytes('name', apiWalletNameBytes), address('apiWallet', 'zero: removes'), unused(4)],
    ),
    command(
      { SetAbstraction: 74 },
      'Records how the account is presented; decides nothing. Only the wallet owner may sign it.',
      [i32('abstraction'), unused(4)],
    ),
    command(
      { WithdrawUsdc: 72 },
      "Withdraws the wallet's money, under the id of its digest (`directiveIdOf`).",
      [f64('amountMicros'), address('destination'), unused(4)],
    ),
    command({ SettleWithdrawal: 42 }, 'From the settlement rail: progress of a withdrawal.', [
      uuid('directiveId'),
      bytes('txHash', txHashBytes, 'zeros: none'),
      one('delivery', 'DeliveryStatus'),
      unused(4),
    ]),
    command({ JudgeWithdrawal: 43 }, 'From the operator: the result of a stuck withdrawal.', [
      uuid('directiveId'),
      one('verdict', 'WithdrawalVerdict'),
      unused(4),
    ]),
    command(
      { NoteFile: 49 },
      'From the venue: a file next to the journal has at least this many bytes on disk. Later starts require them.',
      [one('file', 'NotedFile'), unused(4), f64('bytes')],
    ),
    command({ RequestUsername: 75 }, "Requests a name for the header's wallet, in lower case.", [
      text('username', usernameBytesMax),
    ]),
    command(
      { JudgeUsername: 44 },
      "The operator's decision about the name that the header's wallet requested.",
      [
        one('verdict', 'UsernameVerdict'),
        text('username', usernameBytesMax, 'applies only to this name; empty: to any'),
        unused(4),
      ],
    ),
    command({ CreateReferralCode: 76 }, 'Assigns a permanent referral code to the wallet.', [
      text('code', referralCodeBytesMax, 'as stored: in capitals'),
    ]),
    command({ SetReferrer: 77 }, 'Sets the permanent referrer of the wallet.', [
      address('referrer', 'owner of the code'),
      text('code', referralCodeBytesMax, 'as stored'),
      unused(4),
    ]),
    //  96     100    104      108        112    196      200
    //  +------+------+--------+----------+------+--------+----------+
    //  | kind | mask | topics | endpoint | keys | unused | endpoint |
    //  +------+------+--------+--bytes---+------+--------+----------+
    command(
      { PushAction: 78 },
      'Browser notifications: subscribes, unsubscribes, or sets topics. Contains secrets of the browser.',
      [
        one('kind', 'PushActionKind'),
        i32('mask', 'Preferences: PushTopic bits to change'),
        i32('topics', 'Preferences: PushTopic bits'),
        i32('endpointBytes', 'Subscribe, Unsubscribe'),
        bytes('keys', pushKeyBytes + pushKeyPadding, 'Subscribe: point, secret, zeros'),
        unused(4),
        rows('endpoint', 'bytes', 'ASCII'),
      ],
    ),
    command({ SubmitRfq: 65 }, 'Requests quotes for a combo.', [
      uuid('rfqId'),
      f64(
        'limitMicros',
        'Auto: as signed; above 0 the highest payment or the lowest proceeds, else the net premium',
      ),
      one('kind', 'RfqKind'),
      i32('count', 'legs'),
      rows('legs', submittedLeg),
    ]),
    command({ AcceptRfqQuote: 66 }, '', [
      uuid('rfqId'),
      uuid('quoteId'),
      f64('netPremiumMicros', 'of the quote, as signed'),
    ]),
    command(
      { QuoteRfq: 67 },
      "A provider's firm quote. Faults in its terms are reported before a wrong signer. The signer is zero if " +
        'none was recovered.',
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
