import { assert } from './assert.js'
import { clientIdBytesMax } from './bounds.js'
import { isSigned } from './commands.js'
import { OutcomeFlag } from './record-values.js'
import { Result } from './results.js'

// Events: every fact that anybody may see, once, in total order. One writer (the core), many readers.
// Layouts of Settlement, Payout and PayoutsSeen stand in settlement.ts, those of Funds and Funding in funds.ts and
// funding.ts.

//  Header of every event
//  0       4      8        16       24
//  +-------+------+--------+--------+---- ... ----+
//  | bytes | type | seq    | time   | body        |   seq and time (engine millis) are Float64
//  +-------+------+--------+--------+---- ... ----+
export const eventSeqAt = 8
export const eventMillisAt = 16
export const eventBodyAt = 24

// Facts of an order: a block inside Outcome and OrderUpdate; offsets from the block's begin.
export const factsOrderIdAt = 0 // f64, 0: none
export const factsPriceMicrosAt = 8 // f64
export const factsSizeLotsAt = 16 // f64
export const factsFilledLotsAt = 24 // f64
export const factsFilledMicrosAt = 32 // f64, premium of all fills: average price = this / filled
export const factsInstrumentAt = 40 // i32, -1: unknown
export const factsSideAt = 44 // i32
export const factsTifAt = 48 // i32
export const factsFlagsAt = 52 // i32, OrderFlag bits
export const factsStatusAt = 56 // i32, OrderStatus
export const factsClientIdBytesAt = 60 // i32
export const factsClientIdAt = 64
export const factsWalletAt = 128 // 20 bytes
export const factsBuilderAt = 148 // 20 bytes
export const factsCreatedMillisAt = 168 // f64
export const factsBytes = 176
/** In the outcome of a SetMarginMode, which is about no order: the `MarginMode` of before, i32. */
export const factsPreviousModeAt = factsSideAt
/** In the outcome of a ListInstrument: the `InstrumentState` that it found or left, i32. */
export const factsListedStateAt = factsSideAt

// Details of a rejection: ten Float64 whose meaning belongs to the result (results.ts, `details`).
export const detailsCount = 10
export const detailsBytes = detailsCount * 8

// Outcome and OrderUpdate share one layout; an OrderUpdate has no asker.
export const outcomeGatewayAt = 24 // i32, -1 in an OrderUpdate
export const outcomeRequestAt = 28 // i32
export const outcomeResultAt = 32 // i32, Result: why refused or cancelled
export const outcomeCommandAt = 36 // i32, CommandType
export const outcomeFlagsAt = 40 // i32, OutcomeFlag bits
export const outcomeAccountAt = 44 // i32, account index, -1 unknown
export const outcomeFactsAt = 48
export const outcomeDetailsAt = outcomeFactsAt + factsBytes
export const outcomeBytes = outcomeDetailsAt + detailsBytes
/** Instead of details, in the repeat of a signed action: sequence and engine time of its first outcome. */
export const outcomeFirstSeqAt = outcomeDetailsAt // f64, 0 in the repeat of an operator command
export const outcomeFirstMillisAt = outcomeDetailsAt + 8 // f64
/**
 * Instead of details, in the outcome of a carried out order or cancel (`Told`): sequence of the order's last event of
 * this step, which is the one that the streams carry, too.
 */
export const outcomeToldSeqAt = outcomeDetailsAt // f64
/** At their end, where a nonce was burned (`burnsNonce`): which one, and by whom, a `Signer`. */
export const outcomeNonceHighAt = outcomeDetailsAt + 64 // i32
export const outcomeNonceLowAt = outcomeDetailsAt + 68 // i32
export const outcomeSignerAt = outcomeDetailsAt + 72 // i32

// An OrderUpdate of something refused says what was asked for, behind the common layout.
export const rejectionNonceHighAt = outcomeBytes // u32
export const rejectionNonceLowAt = outcomeBytes + 4 // u32
export const rejectionOrderIdAt = outcomeBytes + 8 // f64, of the order to cancel or replace; 0: none by its id
export const rejectionKeyAt = outcomeBytes + 16 // key of the instrument (commands.ts); zeroes in a cancel
export const rejectionBytes = outcomeBytes + 48
assert((rejectionOrderIdAt & 7) === 0, 'rejection: whole doubles')

/** Whether an outcome tells of a signed action that was accepted, and not of a repeat of one. */
export function burnsNonce(command: number, result: number, flags: number): boolean {
  if ((flags & OutcomeFlag.Told) !== 0) return true
  return result === Result.Accepted && isSigned(command) && (flags & OutcomeFlag.Repeat) === 0
}

// Fill: one wallet's part of a trade, with what it left behind
export const fillIdAt = 24 // f64
export const fillTradeIdAt = 32 // f64
export const fillOrderIdAt = 40 // f64
export const fillPriceMicrosAt = 48 // f64
export const fillSizeLotsAt = 56 // f64
export const fillFeeMicrosAt = 64 // f64, below 0: a rebate
export const fillRealizedMicrosAt = 72 // f64, realized PnL of this fill
export const fillPositionLotsAt = 80 // f64, after the fill
export const fillCostMicrosAt = 88 // f64, cost basis after the fill, signed like the position
export const fillCashMicrosAt = 96 // f64, cash after the fill
export const fillCumFilledLotsAt = 104 // f64, of the order
export const fillInstrumentAt = 112 // i32
export const fillSideAt = 116 // i32
export const fillIsTakerAt = 120 // i32
export const fillFlagsAt = 124 // i32, OrderFlag bits of the order
export const fillWalletAt = 128 // 20 bytes
export const fillBuilderAt = 148 // 20 bytes
export const fillBuilderFeeMicrosAt = 168 // f64, the builder's part of the fee
export const fillClientIdBytesAt = 176 // i32
export const fillAccountAt = 180 // i32
export const fillClientIdAt = 184
export const fillBytes = 248

export const accountCashMicrosAt = 24 // f64
export const accountDeltaMicrosAt = 32 // f64, change of cash by this event
export const accountChangeAt = 40 // i32, AccountChange
export const accountTierAt = 44 // i32
export const accountMarginModeAt = 48 // i32
export const accountSelfTradeAt = 52 // i32
export const accountWalletAt = 56 // 20 bytes
export const accountIndexAt = 76 // i32
export const accountDepositsMicrosAt = 80 // f64, net deposits so far
export const accountDepositIdBytesAt = 88 // i32
export const accountDepositIdAt = 92
export const accountBytes = 160

export const agentChangeAt = 24 // i32
export const agentAccountAt = 28 // i32
export const agentWalletAt = 32 // 20 bytes
export const agentAgentAt = 52 // 20 bytes
export const agentBytes = 72

export const instrumentIdAt = 24 // i32
export const instrumentUnderlyingAt = 28 // i32, index of the underlying, dense in order of first listing
export const instrumentChangeAt = 32 // i32
export const instrumentStateAt = 36 // i32, InstrumentState
export const instrumentModeAt = 40 // i32, TradingMode bits
export const instrumentRightAt = 44 // i32
export const instrumentExpiryDateAt = 48 // i32, YYYYMMDD of the symbol
export const instrumentStrikeMicrosAt = 56 // f64
export const instrumentExpiryMillisAt = 64 // f64
export const instrumentListedMillisAt = 72 // f64
export const instrumentNameAt = 80 // 16 bytes, text of the underlying, NUL padded
export const instrumentBytes = 96

// Surface: an accepted volatility input, as in the command
export const surfaceEventUnderlyingAt = 24 // i32
export const surfaceEventKindAt = 28 // i32, SurfaceKind
export const surfaceEventExpiryMillisAt = 32 // f64
export const surfaceEventCountAt = 40 // i32, number of Float64 values
export const surfaceEventTakenMillisAt = 48 // f64
export const surfaceEventIndexMicrosAt = 56 // f64, index when the input was taken (NaN: unknown)
export const surfaceEventValuesAt = 64

export const remarkedUnderlyingAt = 24 // i32
export const remarkedPhaseAt = 28 // i32, RemarkPhase
export const remarkedBytes = 32

// Halt
export const haltEventUnderlyingAt = 24 // i32
export const haltEventModeAt = 28 // i32
export const haltEventBytes = 32

// MaxIndex
export const maxIndexEventMicrosAt = 24 // f64
export const maxIndexEventUnderlyingAt = 32 // i32
export const maxIndexEventBytes = 40

// Position: bootstrap only; later changes travel in fills and payouts
export const positionLotsAt = 24 // f64
export const positionCostMicrosAt = 32 // f64
export const positionRealizedMicrosAt = 40 // f64, realized PnL so far
export const positionInstrumentAt = 48 // i32
export const positionAccountAt = 52 // i32
export const positionWalletAt = 56 // 20 bytes
export const positionBytes = 80

export const bootstrapBytes = eventBodyAt

// Market data bodies: FlatBuffers structs at eventBodyAt (schemas/market-data.fbs). These offsets are the
// struct's own layout, checked against the generated code by a test.
export const tradeIdAt = 24 // f64
export const tradePriceMicrosAt = 32 // f64
export const tradeSizeLotsAt = 40 // f64
export const tradeMakerFeeMicrosAt = 48 // f64
export const tradeTakerFeeMicrosAt = 56 // f64
export const tradeInstrumentAt = 64 // i32
export const tradeTakerSideAt = 68 // i32
export const tradeMakerAt = 72 // 20 bytes
export const tradeTakerAt = 92 // 20 bytes
export const tradeBytes = 112

export const levelPriceMicrosAt = 24 // f64
export const levelSizeLotsAt = 32 // f64, total at the price after the change; 0: the level is gone
export const levelInstrumentAt = 40 // i32
export const levelSideAt = 44 // i32
export const levelBytes = 48

export const clearedInstrumentAt = 24 // i32
export const clearedBytes = 32

export const indexPriceMicrosAt = 24 // f64
export const indexObservedMillisAt = 32 // f64
export const indexUnderlyingAt = 40 // i32
export const indexPriceBytes = 48

assert(factsClientIdAt + clientIdBytesMax === factsWalletAt, 'facts: client id before wallet')
assert(factsCreatedMillisAt + 8 === factsBytes && (factsCreatedMillisAt & 7) === 0, 'facts: length')
assert(fillClientIdAt + clientIdBytesMax === fillBytes, 'fill: length')
for (const bytes of [
  outcomeBytes,
  fillBytes,
  accountBytes,
  agentBytes,
  instrumentBytes,
  remarkedBytes,
  positionBytes,
  tradeBytes,
  levelBytes,
  clearedBytes,
  indexPriceBytes,
]) {
  assert((bytes & 7) === 0, 'events: lengths are multiples of 8')
}
