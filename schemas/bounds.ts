import { assert } from './assert.js'

// Every bound of the system, with its reason. Relations between bounds are asserted below, at load.

// Units ------------------------------------------------------------------------------------------
export const microsPerUsd = 1_000_000
export const lotsPerContract = 100_000_000
export const moneyMicrosMax = Number.MAX_SAFE_INTEGER // cash and notional stay below 2^53
// An order is admitted while everything that its wallet may come to stays below this, in micros and in lots: credits
// that nobody asks the wallet about may use the rest up to 2^53, and every sum over a wallet stays exact.
export const exactBound = 2 ** 52
// What an underlying's index may rise to until the operator allows more: so many times that of its first listing.
export const maxIndexFactor = 10

// Values of an order
export const priceMicrosMax = 1_000_000_000 * microsPerUsd
export const sizeLotsMax = 100_000 * lotsPerContract
export const significantFiguresMax = 5
export const clientIdBytesMax = 64
/** Characters of a number as text; zeros at either end count. */
export const decimalCharsMax = 64
/** Characters of an instrument's name; a canonical one has at most 45. */
export const symbolCharsMax = 64
export const underlyingBytesMax = 16
export const depositIdBytesMax = 64
export const intentBytesMax = 128
export const usernameBytesMax = 20
export const referralCodeBytesMin = 3
export const referralCodeBytesMax = 20
export const pushEndpointBytesMax = 2048
// A point of P-256, uncompressed, then the secret that a browser shares with us.
export const pushPointBytes = 65
export const pushSecretBytes = 16
export const pushKeyBytes = pushPointBytes + pushSecretBytes
export const pushKeyPadding = 3 // up to whole words of a record
export const pushPerWalletMax = 10 // the oldest gives way
// Of all wallets: some 30 MB where endpoints are as long as browsers' are.
export const pushSubscriptionsMax = 100_000
// Values of a rejection, whose meaning belongs to its result.
export const detailsCount = 10

// Of a segment's header of 256 bytes, what is left for a sentence.
export const identityBytesMax = 192

// Requests
export const bulkItemsMax = 50
export const bodyBytesMax = 256 * 1024
export const streamFrameBytesMax = 256 * 1024
// Of a stream that opens while clients have no room for frames of that size.
export const crowdedFrameBytesMax = 16 * 1024
/** Messages that one connection may be told again at once, of one channel. */
export const resumedMessagesMax = 8192
export const quoteFrameBytesMax = 1024 * 1024
// A transport keeps an unfinished frame of up to so many times its bound, so that it can close with a reason.
export const keptFrameFactor = 2
export const txHashBytes = 32
export const payoutIdsMax = 100 // that one request may name
export const bidPositionsMax = 600
export const indexEntriesMax = 64
export const surfacePointsMax = 512
export const theoSymbolsMax = 50 // of one read of past theoretical prices
// Commands of each gateway that it can explain: a power of two, and as many as may wait in a `CommandPort`.
export const orderTracesKept = 1 << 16

// Requests for quote
export const uuidBytes = 16
export const rfqLegsMax = 10
export const rfqQuotesMax = 5 // that a provider may make in one request, those before it counted
export const auctionQuotesMax = 2 // the same in one auction
export const auctionRowsMax = 64 // providers that an order says of what they show
export const quoteMillisMax = 30_000 // a quote that is good for longer is cut to this
export const rfqIdsKept = 1 << 16 // ids of requests, of which each works once

// Accounts
export const agentsPerWalletMax = 64
export const apiWalletsMax = 8 // names of one account
export const apiWalletNameBytes = 32
export const providerSessionsMax = 64 // of one wallet, over all gateways

// What a wallet has in transit may come back beside all else: it stays below what the range of exact sums leaves then.
export const withdrawalsMicrosMax = 2 ** 51
export const withdrawalsPendingMax = 10 // of one wallet
export const withdrawalsEndedKept = 4096 // whose end is known when somebody tells of it again
// Competitions, texts in bytes of UTF-8
export const competitionsMax = 1000 // ended ones stay
/** Smallest margin that efficiency divides by. */
export const efficiencyMarginMicrosMin = 1000 * microsPerUsd
export const competitionNameBytesMax = 128
export const competitionDescriptionBytesMax = 1024
export const competitionUrlBytesMax = 512
export const competitionRulesBytesMax = 8192

// Engine -----------------------------------------------------------------------------------------
export const underlyingsMax = 1024 // low bits of an order id name its underlying
// Final states remembered, then `not found`: a word each in the core, in its replica and in what the replica
// saves, all of it from the start: 24 MiB. The 16 million of the design would be 192.
export const finalOrdersKept = 1 << 21
// Of a settlement in one batch: far below 1 ms of work.
export const settlementAccountsPerBatch = 4096
// Clocks of a feed and the engine differ; an index observation that is further ahead would keep later ones out until
// its time comes, and never be too old before.
export const observationAheadMillisMax = 1000
// More positions than this are left out of a Liquidation event; readers know them from transfers and fills.
export const liquidationPositionsMax = 600
export const burnEntriesMax = 256 // of one command; a longer list takes several
export const finalFactsKept = 1 << 16 // final orders whose full facts a cancel's answer can still show
// What core and replica take at their start, so that memory stays as it is while orders come and go: slots of the
// orders whose facts are kept and of as many working ones as a busy market has; what a snapshot of them takes.
export const orderSlotsReserved = finalFactsKept + (1 << 14)
export const snapshotBytesReserved = 4 * finalOrdersKept + 128 * orderSlotsReserved

// Memory between threads ---------------------------------------------------------------------------
export const commandBytesMax = 32 * 1024 // a bulk of 50 replaces, rounded up
export const commandRingBytes = 1 << 22
export const operatorRingBytes = 1 << 20
export const matcherRingBytes = 1 << 18 // nine batches of orders; small, so that it stays in a processor's cache
export const journalRingBytes = 1 << 24
export const eventLogBytes = 1 << 26
export const eventBytesMax = 16 * 1024 // a surface with its points
export const quoteRecordBytesMax = 16 * 1024 // rows that are removed together
export const quoteLogBytes = 1 << 22
export const commandsPerBatchMax = 256 // one closed batch
export const batchCommandBytesMax = 1 << 19 // its commands, in the journal ring

for (const bytes of [
  commandRingBytes,
  operatorRingBytes,
  matcherRingBytes,
  journalRingBytes,
  eventLogBytes,
  quoteLogBytes,
]) {
  assert((bytes & (bytes - 1)) === 0, 'ring bytes: indexes are masked, so a power of two')
}
assert(commandBytesMax <= operatorRingBytes / 8, 'one command: at most an eighth of its ring')
assert(
  batchCommandBytesMax + commandBytesMax <= journalRingBytes / 8,
  'one batch: an eighth of the journal ring',
)
assert((underlyingsMax & (underlyingsMax - 1)) === 0, 'underlyings: an order id is masked')

/** Least and most milliseconds of a dead-man timer. */
export const deadManMillisMin = 1000
export const deadManMillisMax = 86_400_000

/** Most characters of the id of a liquidation auction. */
export const auctionIdCharsMax = 64

/** Largest limit of a market-maker protection. */
export const mmpLimitMicrosMax = 2 ** 52
/** Longest window and freeze of a market-maker protection. */
export const mmpIntervalMillisMax = 86_400_000

/** Latest events that a subscription can resume from, and their greatest age. */
export const resumedEventsMax = 65_536
export const resumedAgeMillisMax = 60_000

/** Most bytes of the nonce of a ClockSync. */
export const clockNonceBytesMax = 128
