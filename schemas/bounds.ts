import { assert } from './assert.js'

// Every bound of the system, with its reason. Relations between bounds are asserted below, at load.

// Units ------------------------------------------------------------------------------------------
export const microsPerUsd = 1_000_000
export const lotsPerContract = 100_000_000
export const moneyMicrosMax = Number.MAX_SAFE_INTEGER // cash and notional stay below 2^53
// An order is admitted while its wallet's highest possible value stays below this, in micros and in lots. The range up
// to 2^53 is left for credits that admission does not see, so every sum over a wallet stays exact.
export const exactBound = 2 ** 52
// Maximum of an underlying's index until the operator raises it, as a multiple of the index at its first listing.
export const maxIndexFactor = 10

// Values of an order
export const priceMicrosMax = 1_000_000_000 * microsPerUsd
export const sizeLotsMax = 100_000 * lotsPerContract
export const significantFiguresMax = 5
export const clientIdBytesMax = 64
/** Maximum characters of a number as text; leading and trailing zeros count. */
export const decimalCharsMax = 64
/** Maximum characters of an instrument's name; a canonical one has at most 45. */
export const symbolCharsMax = 64
export const underlyingBytesMax = 16
export const depositIdBytesMax = 64
export const intentBytesMax = 128
export const usernameBytesMax = 20
export const referralCodeBytesMin = 3
export const referralCodeBytesMax = 20
export const pushEndpointBytesMax = 2048
// An uncompressed point of P-256, then the secret that a browser shares with us.
export const pushPointBytes = 65
export const pushSecretBytes = 16
export const pushKeyBytes = pushPointBytes + pushSecretBytes
export const pushKeyPadding = 3 // pads to whole words of a record
export const pushPerWalletMax = 10 // a further one replaces the oldest
export const pushWaitingMax = 32 // notifications of one subscription: a busy wallet must leave room for others
// Over all wallets: about 30 MB if endpoints are as long as those of browsers.
export const pushSubscriptionsMax = 100_000
// Values of a rejection; the result defines their meaning.
export const detailsCount = 10

// Space for the identity in a segment's header of 256 bytes.
export const identityBytesMax = 192

// Requests
export const bulkItemsMax = 50
export const bodyBytesMax = 256 * 1024
export const streamFrameBytesMax = 256 * 1024
// Maximum for a stream that opens while memory for frames of that size is short.
export const crowdedFrameBytesMax = 16 * 1024
/** Maximum number of messages of one channel that one connection may replay at once. */
export const resumedMessagesMax = 8192
export const quoteFrameBytesMax = 1024 * 1024
// A transport buffers an unfinished frame of up to this multiple of its bound, so that it can close with a reason.
export const keptFrameFactor = 2
export const txHashBytes = 32
export const payoutIdsMax = 100 // per request
export const bidPositionsMax = 600
export const indexEntriesMax = 64
export const surfacePointsMax = 512
export const theoSymbolsMax = 50 // per read of past theoretical prices
// Traces of commands per gateway: a power of two, and as many as may wait in a `CommandPort`.
export const orderTracesKept = 1 << 16

// Requests for quote
export const uuidBytes = 16
export const rfqLegsMax = 10
export const rfqQuotesMax = 5 // per provider in one RFQ, including earlier ones
export const auctionQuotesMax = 2 // per provider in one auction
export const auctionRowsMax = 64 // providers whose indicative quotes an order carries
export const quoteMillisMax = 30_000 // longer validities are cut to this
export const rfqIdsKept = 1 << 16 // ids of RFQs; each works once

// Accounts
export const agentsPerWalletMax = 64
export const apiWalletsMax = 8 // names per account
export const apiWalletNameBytes = 32
export const providerSessionsMax = 64 // per wallet, over all gateways

// Funds in transit may return to a wallet that has reached its maximum of everything else. The exact range has room for
// both.
export const withdrawalsMicrosMax = 2 ** 51
export const withdrawalsPendingMax = 10 // per wallet
export const withdrawalsEndedKept = 4096 // ended withdrawals that are kept to detect duplicates
// Competitions, texts in bytes of UTF-8
export const competitionsMax = 1000 // ended ones stay
/** Minimum margin that efficiency divides by. */
export const efficiencyMarginMicrosMin = 1000 * microsPerUsd
export const competitionNameBytesMax = 128
export const competitionDescriptionBytesMax = 1024
export const competitionUrlBytesMax = 512
export const competitionRulesBytesMax = 8192

// Engine -----------------------------------------------------------------------------------------
export const underlyingsMax = 1024 // low bits of an order id name its underlying
// Final states that are kept, then `not found`: one word each in the core, in its replica and in the replica's snapshot
// buffer, all allocated at the start: 24 MiB. The 16 million of the design would need 192.
export const finalOrdersKept = 1 << 21
// Accounts that one batch visits for a settlement: far below 1 ms of work.
export const settlementAccountsPerBatch = 4096
// Clocks of a feed and the engine differ. An index observation further in the future would block later ones until its
// time, and would never be too old before that.
export const observationAheadMillisMax = 1000
// A Liquidation event omits more positions than this; readers know them from transfers and fills.
export const liquidationPositionsMax = 600
export const burnEntriesMax = 256 // per command; a longer list takes several
export const finalFactsKept = 1 << 16 // final orders whose full facts a cancel's answer can still show
// Memory that core and replica allocate at their start, so that it stays constant while orders come and go: slots for
// the orders with kept facts and for the working orders of a busy market, and their snapshot.
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
export const commandsPerBatchMax = 256 // commands of one closed batch
export const batchCommandBytesMax = 1 << 19 // its commands in the journal ring

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

/** Minimum and maximum milliseconds of a dead-man timer. */
export const deadManMillisMin = 1000
export const deadManMillisMax = 86_400_000

/** Maximum characters of the id of a liquidation auction. */
export const auctionIdCharsMax = 64

/** Largest limit of a market-maker protection. */
export const mmpLimitMicrosMax = 2 ** 52
/** Longest window and freeze of a market-maker protection. */
export const mmpIntervalMillisMax = 86_400_000

/** Latest events that a subscription can resume from, and their maximum age. */
export const resumedEventsMax = 65_536
export const resumedAgeMillisMax = 60_000

/** Maximum bytes of the nonce of a ClockSync. */
export const clockNonceBytesMax = 128
