import { assert } from './assert.js'
import {
  bidPositionsMax,
  commandBytesMax,
  eventBytesMax,
  liquidationPositionsMax,
} from './bounds.js'
import { commandBodyAt, keyBytes } from './commands.js'

// Liquidation on both sides of the engine: its states, its command and its events.

// BidLiquidation: a bid for a share of a wallet in auction, by the wallet of the header. The positions are those that
// the signed portfolio hash is made of: the engine compares them with the account, number by number.
//
//  96           116            120           152     160           288
//  +------------+--------------+-------------+-------+-------------+--------------+
//  | liquidated | intent bytes | 4 x Float64 | count | intent text | positions    |
//  +------------+--------------+-------------+-------+-------------+--------------+
export const bidLiquidatedAt = commandBodyAt // 20 bytes, wallet in auction
export const bidIntentBytesAt = 116 // i32
export const bidAuctionAt = 120 // f64, number of the auction
export const bidVersionAt = 128 // f64
export const bidMicrosAt = 136 // f64, the most that the bidder pays
export const bidValuationMillisAt = 144 // f64, time of the terms that were signed
export const bidCountAt = 152 // i32, number of positions
export const bidIntentAt = 160
export const bidIntentBytesMax = 128
export const bidPositionsAt = 288
/** A position: instrument key, signed size, average entry price. */
export const bidPositionLotsAt = keyBytes // f64
export const bidPositionEntryMicrosAt = 40 // f64
export const bidPositionBytes = 48

//  Liquidation: a wallet's place in it after the change, and what it was judged by
//  24              168                 208      228      248     256
//  +---------------+-------------------+--------+--------+-------+--------------+
//  | 18 x Float64  | 10 small integers | wallet | winner | count | positions    |
//  +---------------+-------------------+--------+--------+-------+--------------+
export const liquidationEquityMicrosAt = 24 // f64
export const liquidationMmMicrosAt = 32 // f64, maintenance margin required
export const liquidationEnteredMillisAt = 40 // f64, when this state and mode began
export const liquidationDeadlineMillisAt = 48 // f64, when it ends by time alone, as of now; 0: never
export const liquidationTargetMicrosAt = 56 // f64, equity that the partial phase works for
export const liquidationRepricedMillisAt = 64 // f64, 0: not yet
export const liquidationAuctionAt = 72 // f64, number of the auction; 0: none
export const liquidationAuctionMillisAt = 80 // f64, when it began
export const liquidationVersionAt = 88 // f64, of the auction's terms
export const liquidationNeededMicrosAt = 96 // f64, what is missing to the buffer
/** Of the latest won bid: what the winner gained on what the account was worth. */
export const liquidationBonusMicrosAt = 104 // f64
export const liquidationInsuranceMicrosAt = 112 // f64, paid by the insurance fund so far
export const liquidationDeleveragedMicrosAt = 120 // f64, borne by auto-deleveraged wallets so far
export const liquidationUncoveredMicrosAt = 128 // f64, borne by nobody: the wallet's own debt
export const liquidationInsolventMillisAt = 136 // f64, since when equity is gone, by the clock of the timers; 0: it is not
export const liquidationFeeMicrosAt = 144 // f64, liquidation fees paid by the account so far
/** Time that the timers of this state and mode run by: engine time less how long they stood still. */
export const liquidationClockMillisAt = 152 // f64
export const liquidationSharedMicrosAt = 160 // f64, borne by wallets in profit, in proportion, so far
export const liquidationAccountAt = 168 // i32
export const liquidationChangeAt = 172 // i32, LiquidationChange
export const liquidationBeforeStateAt = 176 // i32
export const liquidationBeforeModeAt = 180 // i32
export const liquidationStateAt = 184 // i32
export const liquidationModeAt = 188 // i32
export const liquidationMarginModeAt = 192 // i32, MarginMode
export const liquidationBonusBpsAt = 196 // i32
export const liquidationIsWaitingAt = 200 // i32
export const liquidationIsStandingAt = 204 // i32, 1: the timers stand still
export const liquidationWalletAt = 208 // 20 bytes
export const liquidationWinnerAt = 228 // 20 bytes, zeros without one
export const liquidationCountAt = 248 // i32, positions that follow; only in the full phase
export const liquidationPositionsAt = 256
/** A position of a wallet in auction. */
export const liquidationPositionLotsAt = 0 // f64
export const liquidationPositionEntryMicrosAt = 8 // f64
export const liquidationPositionInstrumentAt = 16 // i32
export const liquidationPositionBytes = 24

//  Auction: the terms in force, as of the event's time
//  24            48        52       56
//  +-------------+---------+--------+--------+
//  | 3 x Float64 | account | change | wallet |
//  +-------------+---------+--------+--------+
export const auctionNumberAt = 24 // f64
export const auctionVersionAt = 32 // f64
/** Required of a bid at the event's time, of a won one what was paid; below 0: what the insurance fund pays. */
export const auctionRequiredMicrosAt = 40 // f64
export const auctionAccountAt = 48 // i32
export const auctionChangeAt = 52 // i32, AuctionChange
export const auctionWalletAt = 56 // 20 bytes
export const auctionBytes = 80

//  Transfer: one wallet's side of a move, and what it left behind; the other wallet's side is an event of its own
//  24            80                  100      120
//  +-------------+-------------------+--------+
//  | 7 x Float64 | 5 small integers  | wallet |
//  +-------------+-------------------+--------+
export const transferSizeLotsAt = 24 // f64
export const transferPriceMicrosAt = 32 // f64
export const transferPremiumMicrosAt = 40 // f64, what changed hands
export const transferRealizedMicrosAt = 48 // f64
export const transferPositionLotsAt = 56 // f64, after
export const transferCostMicrosAt = 64 // f64, after
export const transferCashMicrosAt = 72 // f64, after
export const transferInstrumentAt = 80 // i32
export const transferSideAt = 84 // i32, Side: `Buy` takes the position in
export const transferCauseAt = 88 // i32, TransferCause
export const transferAccountAt = 92 // i32
export const transferOtherAt = 96 // i32, account of the other side
export const transferWalletAt = 100 // 20 bytes
export const transferBytes = 120

assert(bidLiquidatedAt + 20 === bidIntentBytesAt, 'bid: wallet before length')
assert(bidIntentAt + bidIntentBytesMax === bidPositionsAt, 'bid: intent before positions')
assert(
  bidPositionsAt + bidPositionsMax * bidPositionBytes <= commandBytesMax,
  'bid: fits a command',
)
assert(
  liquidationPositionsAt + liquidationPositionsMax * liquidationPositionBytes <= eventBytesMax,
  'liquidation: fits an event',
)
assert(liquidationWinnerAt + 20 === liquidationCountAt, 'liquidation: winner before count')
for (const bytes of [
  bidPositionsAt,
  bidPositionBytes,
  liquidationPositionsAt,
  liquidationPositionBytes,
  auctionBytes,
  transferBytes,
]) {
  assert((bytes & 7) === 0, 'liquidation: lengths are multiples of 8')
}
