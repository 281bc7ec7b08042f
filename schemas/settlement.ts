import { assert } from './assert.js'
import { underlyingBytesMax } from './bounds.js'
import { commandBodyAt } from './commands.js'

// Records of expiry and settlement, in the layouts' own words of commands.ts and events.ts.

// SettlementPrice
export const settlementUnderlyingAt = commandBodyAt
export const settlementExpiryMillisAt = 112 // f64
export const settlementPriceMicrosAt = 120 // f64
export const settlementPriceBytes = 128

//  MarkPayoutsSeen, signed
//  96     100     104
//  +------+-------+------+------+----
//  | seen | count | id 0 | id 1 | ...   ids are Float64
//  +------+-------+------+------+----
export const seenValueAt = commandBodyAt // i32, 1: seen, 0: not seen
export const seenCountAt = 100 // i32
export const seenIdsAt = 104

//  Settlement: an underlying's expiry in a new phase, or with a new estimate
//  24           28      32            40      48     56       60       64      72
//  +------------+-------+-------------+-------+------+--------+--------+-------+
//  | underlying | phase | expiry      | price | dust | source | valid  | borne |
//  +------------+-------+-------------+-------+------+--------+--------+-------+
export const settlementEventUnderlyingAt = 24 // i32
export const settlementEventPhaseAt = 28 // i32, SettlementPhase
export const settlementEventExpiryMillisAt = 32 // f64
export const settlementEventPriceMicrosAt = 40 // f64, estimate up to Pending, then the price; NaN: none
export const settlementEventDustMicrosAt = 48 // f64, Settled: what rounding left to the dust account
export const settlementEventSourceAt = 56 // i32, PriceSource
export const settlementEventValidAt = 60 // i32, valid samples
/** Settled: what those who were owed got less, since others could not pay. */
export const settlementEventBorneMicrosAt = 64 // f64
export const settlementEventBytes = 72

// Payout: one wallet's position in one instrument was settled, with what it left behind
export const payoutIdAt = 24 // f64, rises by one with each payout
export const payoutPositionLotsAt = 32 // f64, signed, before
export const payoutPayoffMicrosAt = 40 // f64, per contract
export const payoutValueMicrosAt = 48 // f64, signed like the position, as it was paid
export const payoutFeeMicrosAt = 56 // f64
export const payoutCostMicrosAt = 64 // f64, cost basis of the position, signed
export const payoutCashMicrosAt = 72 // f64, cash after
export const payoutPriceMicrosAt = 80 // f64, settlement price of the underlying
/** What the value was lowered by, since others could not pay what they owed; the payoff has it still. */
export const payoutBorneMicrosAt = 88 // f64
export const payoutInstrumentAt = 96 // i32
export const payoutAccountAt = 100 // i32
export const payoutWalletAt = 104 // 20 bytes
export const payoutBytes = 128

// PayoutsSeen: the ids as the wallet sent them; those of others' payouts mean nothing
export const seenEventAccountAt = 24 // i32
export const seenEventValueAt = 28 // i32
export const seenEventWalletAt = 32 // 20 bytes
export const seenEventCountAt = 52 // i32
export const seenEventIdsAt = 56 // f64 each

assert(
  settlementUnderlyingAt + underlyingBytesMax === settlementExpiryMillisAt,
  'price: underlying',
)
assert(payoutWalletAt + 24 === payoutBytes, 'payout: length')
for (const bytes of [settlementPriceBytes, seenIdsAt, settlementEventBytes, payoutBytes]) {
  assert((bytes & 7) === 0, 'settlement: lengths are multiples of 8')
}
assert((seenEventIdsAt & 7) === 0, 'payouts seen: ids are aligned')
