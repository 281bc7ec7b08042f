import { OrderFlag, OrderStatus } from '../../../schemas/domain.js'
import * as events from '../../../schemas/events.js'
import { outcomeFactsAt as factsAt } from '../../../schemas/events.js'
import * as liquidation from '../../../schemas/liquidation.js'
import * as settlement from '../../../schemas/settlement.js'
import { type EventRecords, symbolAt, underlyingNameAt } from '../event-text.js'
import {
  address,
  ascii,
  constant,
  double,
  excluded,
  given,
  givenText,
  int,
  optionalAddress,
  table,
  text,
  word,
} from './table.js'

// The tables of the store. Money is micros, sizes are lots, times are Unix milliseconds; addresses are lower-case text.
//
// An id rises with time, so an index that ends in it answers "newest first" without sorting. Indexes per status are
// partial: a wallet's few working orders are found without a walk over its cancelled ones.

const hasBuilder =
  (flagsAt: number) =>
  ({ i32 }: EventRecords, at: number) =>
    (i32[(at + flagsAt) >> 2] & OrderFlag.HasBuilder) !== 0

/** Of an Instrument event. */
export const instruments = table(
  'instruments',
  {
    instrumentId: int(events.instrumentIdAt),
    symbol: text(symbolAt),
    underlying: text(underlyingNameAt),
    underlyingIndex: int(events.instrumentUnderlyingAt),
    state: int(events.instrumentStateAt),
    expiryMillis: double(events.instrumentExpiryMillisAt),
    listedMillis: double(events.instrumentListedMillisAt),
  },
  {
    key: ['instrumentId'],
    indexes: { instruments_symbol: '(symbol)', instruments_underlying: '(underlying)' },
    updates: excluded('state', 'expiryMillis'),
  },
)

/** Statuses of an order that works, as a condition: a partial index serves a query that has the same text. */
export const workingStatuses = `in (${OrderStatus.Acked}, ${OrderStatus.Open}, ${OrderStatus.PartiallyFilled})`
const byStatus = (condition: string) => `(wallet, order_id) where status ${condition}`

/** Of an OrderUpdate event. */
export const orders = table(
  'orders',
  {
    orderId: double(factsAt + events.factsOrderIdAt),
    wallet: address(factsAt + events.factsWalletAt),
    instrument: int(factsAt + events.factsInstrumentAt),
    side: int(factsAt + events.factsSideAt),
    tif: int(factsAt + events.factsTifAt),
    flags: int(factsAt + events.factsFlagsAt),
    status: int(factsAt + events.factsStatusAt),
    priceMicros: double(factsAt + events.factsPriceMicrosAt),
    sizeLots: double(factsAt + events.factsSizeLotsAt),
    filledLots: double(factsAt + events.factsFilledLotsAt),
    filledMicros: double(factsAt + events.factsFilledMicrosAt),
    clientId: ascii(factsAt + events.factsClientIdAt, factsAt + events.factsClientIdBytesAt),
    builder: optionalAddress(
      factsAt + events.factsBuilderAt,
      hasBuilder(factsAt + events.factsFlagsAt),
    ),
    result: int(events.outcomeResultAt),
    createdMillis: double(factsAt + events.factsCreatedMillisAt),
    updatedMillis: double(events.eventMillisAt),
  },
  {
    key: ['orderId'],
    indexes: {
      orders_wallet: '(wallet, order_id)',
      orders_client: "(wallet, client_id, order_id) where client_id <> ''",
      orders_acked: byStatus(`= ${OrderStatus.Acked}`),
      orders_open: byStatus(`= ${OrderStatus.Open}`),
      orders_partial: byStatus(`= ${OrderStatus.PartiallyFilled}`),
      orders_working: byStatus(workingStatuses),
      orders_filled: byStatus(`= ${OrderStatus.Filled}`),
    },
    updates: excluded(
      'status',
      'filledLots',
      'sizeLots',
      'filledMicros',
      'result',
      'updatedMillis',
    ),
  },
)

/** Whether a row says something else of its order than the one that stands. */
export const orderChanges =
  'status <> excluded.status or filled_lots <> excluded.filled_lots or size_lots <> excluded.size_lots'

/** Of a Fill event. */
export const fills = table(
  'fills',
  {
    fillId: double(events.fillIdAt),
    tradeId: double(events.fillTradeIdAt),
    orderId: double(events.fillOrderIdAt),
    wallet: address(events.fillWalletAt),
    instrument: int(events.fillInstrumentAt),
    side: int(events.fillSideAt),
    priceMicros: double(events.fillPriceMicrosAt),
    sizeLots: double(events.fillSizeLotsAt),
    feeMicros: double(events.fillFeeMicrosAt),
    realizedMicros: double(events.fillRealizedMicrosAt),
    isTaker: int(events.fillIsTakerAt),
    builder: optionalAddress(events.fillBuilderAt, hasBuilder(events.fillFlagsAt)),
    builderFeeMicros: double(events.fillBuilderFeeMicrosAt),
    millis: double(events.eventMillisAt),
  },
  { key: ['fillId'], indexes: { fills_wallet: '(wallet, fill_id)' } },
)

/** Of a Trade event, whose underlying and notional the writer gives. */
export const trades = table(
  'trades',
  {
    tradeId: double(events.tradeIdAt),
    instrument: int(events.tradeInstrumentAt),
    underlyingIndex: given(0),
    priceMicros: double(events.tradePriceMicrosAt),
    sizeLots: double(events.tradeSizeLotsAt),
    notionalMicros: given(1),
    takerSide: int(events.tradeTakerSideAt),
    maker: address(events.tradeMakerAt),
    taker: address(events.tradeTakerAt),
    makerFeeMicros: double(events.tradeMakerFeeMicrosAt),
    takerFeeMicros: double(events.tradeTakerFeeMicrosAt),
    millis: double(events.eventMillisAt),
  },
  {
    key: ['tradeId'],
    indexes: {
      trades_instrument: '(instrument, trade_id)',
      trades_underlying: '(underlying_index, trade_id)',
      trades_time: '(millis)',
    },
  },
)

/** Of an Account event that tells of a deposit. */
export const transfers = table(
  'transfers',
  {
    seq: double(events.eventSeqAt),
    wallet: address(events.accountWalletAt),
    amountMicros: double(events.accountDeltaMicrosAt),
    depositId: ascii(events.accountDepositIdAt, events.accountDepositIdBytesAt),
    millis: double(events.eventMillisAt),
  },
  { key: ['seq'], indexes: { transfers_wallet: '(wallet, seq)' } },
)

/** Of a Payout event, and whether a PayoutsSeen has named it. */
export const payouts = table(
  'payouts',
  {
    payoutId: double(settlement.payoutIdAt),
    wallet: address(settlement.payoutWalletAt),
    instrument: int(settlement.payoutInstrumentAt),
    positionLots: double(settlement.payoutPositionLotsAt),
    payoffMicros: double(settlement.payoutPayoffMicrosAt),
    valueMicros: double(settlement.payoutValueMicrosAt),
    feeMicros: double(settlement.payoutFeeMicrosAt),
    costMicros: double(settlement.payoutCostMicrosAt),
    priceMicros: double(settlement.payoutPriceMicrosAt),
    isSeen: constant(0),
    millis: double(events.eventMillisAt),
    borneMicros: double(settlement.payoutBorneMicrosAt),
  },
  { key: ['payoutId'], indexes: { payouts_wallet: '(wallet, payout_id)' } },
)

/** Of a Liquidation event that tells of a change of state. */
export const liquidations = table(
  'liquidations',
  {
    seq: double(events.eventSeqAt),
    wallet: address(liquidation.liquidationWalletAt),
    beforeState: int(liquidation.liquidationBeforeStateAt),
    beforeMode: int(liquidation.liquidationBeforeModeAt),
    state: int(liquidation.liquidationStateAt),
    mode: int(liquidation.liquidationModeAt),
    marginMode: int(liquidation.liquidationMarginModeAt),
    equityMicros: double(liquidation.liquidationEquityMicrosAt),
    mmMicros: double(liquidation.liquidationMmMicrosAt),
    auction: double(liquidation.liquidationAuctionAt),
    neededMicros: double(liquidation.liquidationNeededMicrosAt),
    winner: optionalAddress(liquidation.liquidationWinnerAt),
    bonusMicros: double(liquidation.liquidationBonusMicrosAt),
    insuranceMicros: double(liquidation.liquidationInsuranceMicrosAt),
    deleveragedMicros: double(liquidation.liquidationDeleveragedMicrosAt),
    uncoveredMicros: double(liquidation.liquidationUncoveredMicrosAt),
    feeMicros: double(liquidation.liquidationFeeMicrosAt),
    sharedMicros: double(liquidation.liquidationSharedMicrosAt),
    millis: double(events.eventMillisAt),
  },
  { key: ['seq'], indexes: { liquidations_wallet: '(wallet, seq)' } },
)

const nonceColumns = {
  wallet: address(factsAt + events.factsWalletAt),
  signer: int(events.outcomeSignerAt),
  high: word(events.outcomeNonceHighAt),
  low: word(events.outcomeNonceLowAt),
}
export const isHigherNonce = '(excluded.high, excluded.low) > (high, low)'
const higher = (half: string) =>
  `${half} = case when ${isHigherNonce} then excluded.${half} else ${half} end`

/**
 * The highest nonce that a wallet's owner, or its agents, have used, and when they last used one. Of an Outcome that
 * burned one; the writer gives a sequence that is not below its own.
 */
export const nonces = table(
  'nonces',
  { ...nonceColumns, lastSeq: given(0) },
  {
    key: ['wallet', 'signer'],
    updates: `${higher('high')}, ${higher('low')}, ${excluded('lastSeq')}`,
  },
)

// What is known of nonces, numbers and underlyings that were lost with the journal's end stays for good.
export const lostNonces = table('lost_nonces', nonceColumns, { key: ['wallet', 'signer'] })
export const lostNumbers = table(
  'lost_numbers',
  { name: givenText, last: given(0) },
  { key: ['name'], updates: 'last = max(last, excluded.last)' },
)
export const lostUnderlyings = table(
  'lost_underlyings',
  { underlying: givenText, underlyingIndex: given(0) },
  { key: ['underlying'], updates: excluded('underlyingIndex') },
)

const bucketColumns = { intervalMillis: given(0), startMillis: given(1) }
export const theos = table(
  'theos',
  { ...bucketColumns, instrument: given(2), priceMicros: given(3) },
  { key: ['intervalMillis', 'startMillis', 'instrument'] },
)
/** Which buckets have theos of any instrument. */
export const theoBuckets = table('theo_buckets', bucketColumns, {
  key: ['intervalMillis', 'startMillis'],
})

export const historyTables = [
  instruments,
  orders,
  fills,
  trades,
  transfers,
  payouts,
  liquidations,
  nonces,
  lostNonces,
  lostNumbers,
  lostUnderlyings,
  theos,
  theoBuckets,
] as const
