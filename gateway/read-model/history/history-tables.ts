import { microsPerUsd, txHashBytes } from '../../../schemas/bounds.js'
import {
  DeliveryStatus,
  isFinalRfq,
  OrderFlag,
  OrderStatus,
  RfqKind,
} from '../../../schemas/domain.js'
import {
  AccountEvent,
  DirectiveEvent,
  FillEvent,
  InstrumentEvent,
  LiquidationEvent,
  OutcomeEvent,
  PayoutEvent,
  ReferralEvent,
  RfqEvent,
  RfqQuoteEvent,
  TradeEvent,
} from '../../../schemas/generated/events.js'
import { formatHex } from '../../../schemas/hex.js'
import { AccountChange, LiquidationChange } from '../../../schemas/record-values.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { packageOf } from '../../wire/combo-fill.js'
import { symbolOf } from '../../wire/event-text.js'
import {
  competitionGaps,
  competitionHoldings,
  competitionLedgers,
  competitionMarks,
  competitionRows,
} from './competition-tables.js'
import { lostNonces, lostNumbers, lostUnderlyings, nonces } from './nonce-tables.js'
import { cashChanges, fillCost, moves } from './profit-tables.js'
import {
  address,
  excluded,
  freeText,
  given,
  givenText,
  integer,
  internal,
  optionalAddress,
  optionalText,
  table,
  text,
} from './table.js'

// The tables of the store. Money is micros, sizes are lots, times are Unix milliseconds; addresses are lower-case text.
//
// An id rises with time, so an index that ends in it answers "newest first" without sorting. A look-up whose index
// would cost more than 3 µs per order is a list (`id-lists.ts`).

const hasBuilder = ({ flags }: { readonly flags: number }) => (flags & OrderFlag.HasBuilder) !== 0

/** Instruments (Instrument event). */
export const instruments = table(
  'instruments',
  new InstrumentEvent(),
  {
    instrumentId: integer((listing) => listing.instrument),
    symbol: text(symbolOf),
    underlying: text((listing) => listing.nameText),
    underlyingIndex: integer((listing) => listing.underlying),
    state: integer((listing) => listing.state),
    expiryMillis: integer((listing) => listing.expiryMillis),
    listedMillis: integer((listing) => listing.listedMillis),
  },
  {
    key: ['instrumentId'],
    indexes: { instruments_symbol: '(symbol)', instruments_underlying: '(underlying)' },
    updates: excluded('state', 'expiryMillis'),
  },
)

/** Statuses of working orders. */
export const workingStatuses = [
  OrderStatus.Acked,
  OrderStatus.Open,
  OrderStatus.PartiallyFilled,
] as const

/** SQL condition on working orders. */
export const isWorking = `status in (${workingStatuses.join(', ')})`
/** SQL condition on orders outside the lists, which have ordinary indexes. */
export const isUnlisted = 'is_unlisted = 1'

const orderColumns = {
  orderId: integer((update: OutcomeEvent) => update.facts.orderId),
  wallet: address((update: OutcomeEvent) => update.facts.walletAt),
  instrument: integer((update: OutcomeEvent) => update.facts.instrument),
  side: integer((update: OutcomeEvent) => update.facts.side),
  tif: integer((update: OutcomeEvent) => update.facts.tif),
  flags: integer((update: OutcomeEvent) => update.facts.flags),
  status: integer((update: OutcomeEvent) => update.facts.status),
  priceMicros: integer((update: OutcomeEvent) => update.facts.priceMicros),
  sizeLots: integer((update: OutcomeEvent) => update.facts.sizeLots),
  filledLots: integer((update: OutcomeEvent) => update.facts.filledLots),
  filledMicros: integer((update: OutcomeEvent) => update.facts.filledMicros),
  clientId: freeText(text((update: OutcomeEvent) => update.facts.clientIdText)),
  builder: optionalAddress(
    (update: OutcomeEvent) => update.facts.builderAt,
    (update) => hasBuilder(update.facts),
  ),
  result: integer((update: OutcomeEvent) => update.result),
  createdMillis: integer((update: OutcomeEvent) => update.facts.createdMillis),
  updatedMillis: integer((update: OutcomeEvent) => update.timeMillis),
}

/** Orders (OrderUpdate event). A rejected order has no id and no row. */
export const orders = table(
  'orders',
  new OutcomeEvent(),
  {
    /**
     * 1: a run covers the order's id but does not list it. The writer sets it for a new row. SQLite reads the first
     * column fastest.
     */
    isUnlisted: internal(given(0)),
    ...orderColumns,
  },
  {
    key: ['orderId'],
    isRow: ({ facts }) => facts.orderId !== 0 && facts.status !== OrderStatus.Rejected,
    timedBy: 'createdMillis',
    lists: {
      order_ids: { by: ['wallet', 'status'], where: 'is_unlisted = 0' },
      order_client_ids: {
        by: ['wallet', 'clientId'],
        where: "is_unlisted = 0 and client_id <> ''",
      },
    },
    indexes: {
      orders_unlisted: `(wallet, status) where ${isUnlisted}`,
      orders_unlisted_client: `(wallet, client_id) where ${isUnlisted}`,
    },
    beforeRun: `update orders set is_unlisted = 1 where order_id between ?2 and ?3 and ${isWorking}`,
    updates: excluded(...Object.keys(orderColumns)),
  },
)

/** Index of the underlying of a fill or trade whose instrument is not in the store. */
export const unknownUnderlying = -1

/** Fills (Fill event). The writer supplies the underlying. */
export const fills = table(
  'fills',
  new FillEvent(),
  {
    fillId: integer((fill) => fill.fillId),
    tradeId: integer((fill) => fill.tradeId),
    orderId: integer((fill) => fill.orderId),
    wallet: address((fill) => fill.walletAt),
    instrument: integer((fill) => fill.instrument),
    side: integer((fill) => fill.side),
    priceMicros: integer((fill) => fill.priceMicros),
    sizeLots: integer((fill) => fill.sizeLots),
    feeMicros: integer((fill) => fill.feeMicros),
    realizedMicros: integer((fill) => fill.realizedMicros),
    isTaker: integer((fill) => fill.isTaker),
    builder: optionalAddress((fill: FillEvent) => fill.builderAt, hasBuilder),
    builderFeeMicros: integer((fill) => fill.builderFeeMicros),
    millis: integer((fill) => fill.timeMillis),
    rfqId: optionalText((fill) => packageOf(fill)?.rfqId ?? null),
    quoteId: optionalText((fill) => packageOf(fill)?.quoteId ?? null),
    notionalMicros: integer((fill) => fill.notionalMicros),
    /** Change of the cost basis. */
    costMicros: integer(fillCost),
    underlyingIndex: internal(given(0)),
  },
  {
    key: ['fillId'],
    timedBy: 'millis',
    lists: { fill_ids: { by: ['wallet', 'underlyingIndex', 'instrument'] } },
  },
)

/** Returns the trade of a fill. A fill's number is twice that of its trade, or one more. */
export function tradeOfFill(fillId: number): number {
  return Math.floor(fillId / 2)
}

const microsPerUsdText = String(microsPerUsd)

/**
 * Volumes of wallets so far, as USD value of the underlyings. They outlive old fills. A volume may exceed 2^53 micros,
 * so it is whole USD plus micros. Volumes include the same fills as the sums of profit, and are written with them.
 */
export const walletVolumes = table(
  'wallet_volumes',
  null,
  {
    wallet: givenText,
    volumeUsd: given(0),
    volumeMicros: given(1),
  },
  {
    key: ['wallet'],
    updates:
      'volume_usd = volume_usd + excluded.volume_usd + ' +
      `(volume_micros + excluded.volume_micros) / ${microsPerUsdText}, ` +
      `volume_micros = (volume_micros + excluded.volume_micros) % ${microsPerUsdText}`,
  },
)

/** Referral code and referrer of each wallet (Referral event). */
export const referrals = table(
  'referrals',
  new ReferralEvent(),
  {
    wallet: address((referral) => referral.walletAt),
    code: optionalText((referral) => referral.codeText || null),
    createdMillis: integer((referral) => referral.createdMillis),
    referrer: optionalAddress((referral) => referral.referrerAt),
    number: integer((referral) => referral.number),
  },
  {
    key: ['wallet'],
    indexes: { referrals_code: '(code)', referrals_referrer: '(referrer, number)' },
  },
)

/** Trades (Trade event). The writer supplies the underlying and the notional. */
export const trades = table(
  'trades',
  new TradeEvent(),
  {
    tradeId: integer((trade) => trade.tradeId),
    instrument: integer((trade) => trade.instrument),
    underlyingIndex: given(0),
    priceMicros: integer((trade) => trade.priceMicros),
    sizeLots: integer((trade) => trade.sizeLots),
    notionalMicros: given(1),
    takerSide: integer((trade) => trade.takerSide),
    maker: address((trade) => trade.makerAt),
    taker: address((trade) => trade.takerAt),
    makerFeeMicros: integer((trade) => trade.makerFeeMicros),
    takerFeeMicros: integer((trade) => trade.takerFeeMicros),
    millis: integer((trade) => trade.timeMillis),
  },
  {
    key: ['tradeId'],
    timedBy: 'millis',
    lists: { trade_ids: { by: ['underlyingIndex', 'instrument'] } },
    beforeRun: lastTradesSql('trade_id between ?2 and ?3'),
  },
)

/** Last listed trade of each instrument, even if retention has removed its trades. */
export const lastTrades = table(
  'last_trades',
  null,
  { instrument: given(0), tradeId: given(1), priceMicros: given(2) },
  { key: ['instrument'] },
)

/** Returns the SQL that stores the last of some trades by instrument. */
export function lastTradesSql(where: string): string {
  // SQLite takes the price from the row of the maximum.
  return `insert or replace into last_trades select instrument, max(trade_id), price_micros from trades where ${where} group by instrument`
}

/** Deposits (Account event). */
export const transfers = table(
  'transfers',
  new AccountEvent(),
  {
    seq: integer((account) => account.seq),
    wallet: address((account) => account.walletAt),
    amountMicros: integer((account) => account.deltaMicros),
    depositId: text((account) => account.depositIdText),
    millis: integer((account) => account.timeMillis),
  },
  {
    key: ['seq'],
    isRow: (account) => account.change === AccountChange.Deposit,
    indexes: { transfers_wallet: '(wallet, seq)', transfers_time: '(wallet, millis)' },
  },
)

/** Directives (Directive event). A row has the state of the latest event of its id. */
export const directives = table(
  'directives',
  new DirectiveEvent(),
  {
    directiveId: text((directive) => formatUuid(directive.u8, directive.directiveIdAt)),
    /** Sequence of its first event in this store. */
    seq: integer((directive) => directive.seq),
    wallet: address((directive) => directive.walletAt),
    action: integer((directive) => directive.action),
    domain: integer((directive) => directive.domain),
    delivery: integer((directive) => directive.delivery),
    reason: integer((directive) => directive.reason),
    amountMicros: integer((directive) => directive.amountMicros),
    destination: optionalAddress((directive) => directive.destinationAt),
    txHash: optionalText((directive) => hashText(directive.u8, directive.txHashAt)),
    createdMillis: integer((directive) => directive.createdMillis),
    updatedMillis: integer((directive) => directive.timeMillis),
  },
  {
    key: ['directiveId'],
    indexes: {
      directives_wallet: '(wallet, action, seq, directive_id)',
      directives_time: '(updated_millis)',
    },
    updates: excluded('domain', 'delivery', 'reason', 'txHash', 'updatedMillis'),
  },
)

/**
 * Condition on rows that may be updated. A delivered directive stays delivered: a duplicate that arrives after its
 * result was forgotten is rejected under the same id.
 */
export const directiveChanges = `directives.delivery <> ${DeliveryStatus.Finalized}`

/** Returns the text of a hash; null if it is all zeros. */
function hashText(bytes: Uint8Array, at: number): string | null {
  const isKnown = bytes.subarray(at, at + txHashBytes).some((byte) => byte !== 0)
  return isKnown ? formatHex(bytes, at, txHashBytes) : null
}

/** Payouts (Payout event). A PayoutsSeen event sets `isSeen`. */
export const payouts = table(
  'payouts',
  new PayoutEvent(),
  {
    payoutId: integer((payout) => payout.payoutId),
    wallet: address((payout) => payout.walletAt),
    instrument: integer((payout) => payout.instrument),
    positionLots: integer((payout) => payout.positionLots),
    payoffMicros: integer((payout) => payout.payoffMicros),
    valueMicros: integer((payout) => payout.valueMicros),
    feeMicros: integer((payout) => payout.feeMicros),
    costMicros: integer((payout) => payout.costMicros),
    priceMicros: integer((payout) => payout.priceMicros),
    isSeen: integer(() => 0),
    millis: integer((payout) => payout.timeMillis),
    borneMicros: integer((payout) => payout.borneMicros),
  },
  {
    key: ['payoutId'],
    indexes: { payouts_wallet: '(wallet, payout_id)', payouts_time: '(wallet, millis)' },
  },
)

/** Changes of liquidation state (Liquidation event). */
export const liquidations = table(
  'liquidations',
  new LiquidationEvent(),
  {
    seq: integer((change) => change.seq),
    wallet: address((change) => change.walletAt),
    beforeState: integer((change) => change.beforeState),
    beforeMode: integer((change) => change.beforeMode),
    state: integer((change) => change.state),
    mode: integer((change) => change.mode),
    marginMode: integer((change) => change.marginMode),
    equityMicros: integer((change) => change.equityMicros),
    mmMicros: integer((change) => change.mmMicros),
    auction: integer((change) => change.auction),
    neededMicros: integer((change) => change.neededMicros),
    winner: optionalAddress((change) => change.winnerAt),
    bonusMicros: integer((change) => change.bonusMicros),
    insuranceMicros: integer((change) => change.insuranceMicros),
    deleveragedMicros: integer((change) => change.deleveragedMicros),
    uncoveredMicros: integer((change) => change.uncoveredMicros),
    feeMicros: integer((change) => change.feeMicros),
    sharedMicros: integer((change) => change.sharedMicros),
    millis: integer((change) => change.timeMillis),
  },
  {
    key: ['seq'],
    isRow: ({ change }) => change === LiquidationChange.State,
    indexes: { liquidations_wallet: '(wallet, seq)' },
  },
)

/**
 * RFQs (Rfq event). Auctions are sealed and have no row. An id may be reused after it is forgotten; the row is then of
 * the latest RFQ.
 */
export const rfqs = table(
  'rfqs',
  new RfqEvent(),
  {
    rfqId: text((rfq) => formatUuid(rfq.u8, rfq.rfqIdAt)),
    /** Sequence of its first event. */
    seq: integer((rfq) => rfq.seq),
    wallet: address((rfq) => rfq.walletAt),
    kind: integer((rfq) => rfq.kind),
    status: integer((rfq) => rfq.status),
    reason: integer((rfq) => rfq.reason),
    /** JSON: instrument, side and lots of each leg. */
    legs: text(legsText),
    createdMillis: integer((rfq) => rfq.createdMillis),
    responseMillis: integer((rfq) => rfq.responseMillis),
    expiresMillis: integer((rfq) => rfq.expiresMillis),
    limitMicros: integer((rfq) => rfq.limitMicros),
    fillId: integer((rfq) => rfq.fillId),
    fallbackOrderId: integer((rfq) => rfq.fallbackOrderId),
    endedMillis: integer((rfq) => (isFinalRfq(rfq.status) ? rfq.timeMillis : 0)),
  },
  {
    key: ['rfqId'],
    isRow: ({ kind }) => kind !== RfqKind.Auction,
    indexes: { rfqs_wallet: '(wallet, seq)' },
    updates:
      excluded(
        ...['wallet', 'kind', 'status', 'reason', 'legs', 'createdMillis', 'responseMillis'],
        ...['expiresMillis', 'limitMicros', 'fillId', 'fallbackOrderId', 'endedMillis'],
      ) +
      ', seq = case when created_millis <> excluded.created_millis then excluded.seq else seq end',
  },
)

function legsText(rfq: RfqEvent): string {
  const legs = Array.from({ length: rfq.count }, (_, index) => {
    const { instrument, side, sizeLots } = rfq.legs(index)
    return [instrument, side, sizeLots]
  })
  return JSON.stringify(legs)
}

const noTaker = -1

/** Quotes of a taker's RFQ (RfqQuote event). */
export const rfqQuotes = table(
  'rfq_quotes',
  new RfqQuoteEvent(),
  {
    quoteId: text((quote) => formatUuid(quote.u8, quote.quoteIdAt)),
    rfqId: text((quote) => formatUuid(quote.u8, quote.rfqIdAt)),
    seq: integer((quote) => quote.seq),
    provider: address((quote) => quote.walletAt),
    /** Latest `RfqQuoteChange`. */
    change: integer((quote) => quote.change),
    netPremiumMicros: integer((quote) => quote.netPremiumMicros),
    /** JSON: micros by leg. */
    prices: text((quote) => JSON.stringify([...quote.pricesMicrosView(quote.count)])),
    madeMillis: integer((quote) => quote.madeMillis),
    expiresMillis: integer((quote) => quote.expiresMillis),
  },
  {
    key: ['quoteId'],
    isRow: ({ count, taker }) => count > 0 && taker !== noTaker,
    indexes: { rfq_quotes_rfq: '(rfq_id)' },
    updates: excluded('change'),
  },
)

const bucketColumns = { intervalMillis: given(0), startMillis: given(1) }
export const theos = table(
  'theos',
  null,
  { ...bucketColumns, instrument: given(2), priceMicros: given(3) },
  { key: ['intervalMillis', 'startMillis', 'instrument'] },
)
/** Buckets that have a theo of any instrument. */
export const theoBuckets = table('theo_buckets', null, bucketColumns, {
  key: ['intervalMillis', 'startMillis'],
})

export const historyTables = [
  instruments,
  orders,
  fills,
  trades,
  lastTrades,
  walletVolumes,
  referrals,
  transfers,
  moves,
  cashChanges,
  directives,
  payouts,
  liquidations,
  rfqs,
  rfqQuotes,
  nonces,
  lostNonces,
  lostNumbers,
  lostUnderlyings,
  theos,
  theoBuckets,
  competitionGaps,
  competitionLedgers,
  competitionRows,
  competitionHoldings,
  competitionMarks,
] as const

/** Tables that have lists. */
export const listedTables = [fills, trades, orders] as const
