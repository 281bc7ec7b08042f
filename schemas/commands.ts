import { assert } from './assert.js'
import {
  bulkItemsMax,
  burnEntriesMax,
  clientIdBytesMax,
  commandBytesMax,
  surfacePointsMax,
  underlyingBytesMax,
} from './bounds.js'
import { type AnyCommand, CommandType } from './generated/commands.js'

// Commands: what gateways ask of the core, as fixed-layout records, little endian. The journal keeps
// exactly these bytes, so a layout changes only together with the engine version of its segments.

//  Header of every command
//  0       4       8         12        16      36      56         60        64      96
//  +-------+-------+---------+---------+-------+-------+----------+---------+-------+----
//  | bytes | type  | gateway | request | wallet| signer| nonce hi | nonce lo| digest| body
//  +-------+-------+---------+---------+-------+-------+----------+---------+-------+----
//  gateway and request name the asker and come back in the outcome; wallet is zero in the structs that
//  have no wallet field (the signer is the wallet) and in operator commands that concern no wallet;
//  signer, nonce and digest are zero in operator commands, which carry no signature.
export const commandGatewayAt = 8
export const commandRequestAt = 12
export const commandWalletAt = 16
export const commandSignerAt = 36
export const commandNonceHighAt = 56
export const commandNonceLowAt = 60
export const commandDigestAt = 64
export const commandBodyAt = 96

const operatorCommandsFrom = 16
const signedCommandsAgainFrom = 64

/** Whether commands of this type carry a signature: wallet, signer, nonce and digest are set. */
export function isSigned(type: number): boolean {
  return type < operatorCommandsFrom || type >= signedCommandsAgainFrom
}

/** Where the wallet that acts stands: the signer's field in records whose wallet is whoever signed. */
export function walletAtOf(command: AnyCommand): number {
  const type = command.recordType
  const signerIsWallet =
    type === CommandType.ApproveAgent ||
    type === CommandType.RevokeAgent ||
    type === CommandType.RevokeAllAgents ||
    type === CommandType.SetUserTier
  return signerIsWallet ? command.signerAt : command.walletAt
}

// Instrument key, wherever one appears: underlying text (NUL padded), date, right, strike.
export const keyUnderlyingAt = 0
export const keyExpiryDateAt = 16 // i32, YYYYMMDD
export const keyRightAt = 20 // i32
export const keyStrikeMicrosAt = 24 // f64
export const keyBytes = 32

// PlaceOrder and ReplaceOrder
export const placeKeyAt = commandBodyAt
export const placePriceMicrosAt = 128 // f64
export const placeSizeLotsAt = 136 // f64
export const placeSideAt = 144 // i32
export const placeTifAt = 148 // i32
export const placeRouteAt = 152 // i32
export const placeFlagsAt = 156 // i32, OrderFlag bits
export const placeOldOrderIdAt = 160 // f64, ReplaceOrder only, else 0
export const placeClientIdBytesAt = 168 // i32
export const placeClientIdAt = 172
export const placeBuilderAt = 236 // 20 bytes
export const placeOrderBytes = 256

// CancelOrder
export const cancelOrderIdAt = commandBodyAt // f64
export const cancelOrderBytes = 104

// CancelByClientId
export const cancelClientIdBytesAt = commandBodyAt // i32
export const cancelClientIdAt = 100
export const cancelByClientIdBytes = 168

// A PlaceOrder or one of these cancels that is a perp action is longer by its terms: the instrument that it is for,
// which counts in place of the key, and how long it may be carried out. A repeat of it is answered whatever they say.
export const perpAssetAt = 0 // i32, id of the instrument; -1: a number that no instrument has
export const perpExpiresMillisAt = 8 // f64, last millisecond; 0: no end
export const perpTermsBytes = 16

// ApproveAgent, RevokeAgent
export const agentAddressAt = commandBodyAt // 20 bytes
export const agentCommandBytes = 120
export const revokeAllAgentsBytes = commandBodyAt

// Bulk: items are whole records of the types above, each with its own header, wallet, signer, nonce, digest and
// request; they run in order in one batch. The bulk's own wallet to digest are zero.
export const bulkCountAt = commandBodyAt // i32
export const bulkItemsAt = 104

// SetSelfTrade
export const selfTradeModeAt = commandBodyAt // i32, SelfTradeMode
export const setSelfTradeBytes = 104

// SetMarginMode
export const marginModeAt = commandBodyAt // i32, MarginMode
export const setMarginModeBytes = 104

// Deposit, and FundInsurance without a wallet; an empty deposit id is never remembered. SettlementPrice and
// MarkPayoutsSeen stand in settlement.ts.
export const depositAmountMicrosAt = commandBodyAt // f64
export const depositIdBytesAt = 104 // i32
export const depositIdAt = 108
export const depositBytes = 176

// ListInstrument, DeleteInstrument
export const listKeyAt = commandBodyAt
export const listExpiryMillisAt = 128 // f64, 0: the time of day of the underlying
export const listTradingModeAt = 136 // i32
export const listInstrumentBytes = 144

// IndexPrices: entries of 32 bytes: underlying text, price, time of the observation
export const indexCountAt = commandBodyAt // i32
export const indexEntriesAt = 104
export const indexEntryUnderlyingAt = 0
export const indexEntryPriceMicrosAt = 16 // f64
export const indexEntryObservedMillisAt = 24 // f64
export const indexEntryBytes = 32

export const surfaceUnderlyingAt = commandBodyAt
export const surfaceExpiryMillisAt = 112 // f64
export const surfaceKindAt = 120 // i32
export const surfaceCountAt = 124 // i32, number of Float64 values
export const surfaceValuesAt = 128

// SetTier, and SetUserTier, which an operator's signer has signed: the wallet of the header is the one whose
// tier changes, nonce and outcome are the signer's
export const tierAt = commandBodyAt // i32
export const setTierBytes = 104

// SetHalt; an empty underlying means all of them
export const haltUnderlyingAt = commandBodyAt
export const haltModeAt = 112 // i32
export const haltStandsAt = 116 // i32, 1: of all, and of those that are listed later
export const setHaltBytes = 120

// SetMaxIndex
export const maxIndexUnderlyingAt = commandBodyAt
export const maxIndexMicrosAt = 112 // f64
export const setMaxIndexBytes = 120

// SetBuilder: the builder stands in the header's wallet
export const builderStatusAt = commandBodyAt // i32, BuilderStatus
export const setBuilderBytes = 104

// Configure: engine parameters as Float64 values in the order of engine/state/engine-config.ts
export const configCountAt = commandBodyAt // i32
export const configValuesAt = 104

export const tickBytes = commandBodyAt

// SetClockAlarm, of the core's own shell: its clock was stepped, or can be followed again
export const clockAlarmAt = commandBodyAt // i32, ClockAlarm
export const clockStepMillisAt = 104 // f64, what the clock says beyond engine time
export const clockOffsetMillisAt = 112 // f64, as from now: what of that is not followed
export const setClockAlarmBytes = 120

// AcceptClock
export const acceptedClockAt = commandBodyAt // i32, ClockChoice
export const acceptedWallMillisAt = 104 // f64, the clock when it was accepted
export const acceptClockBytes = 112

// AcceptLoss, of the engine itself: numbers that were given out and lost, as the last one of each kind, and the
// underlyings that there were. It comes first in its batch, and takes effect before anything else of it.
export const lossBatchNumberAt = commandBodyAt // f64
export const lossSeqAt = 104 // f64
export const lossTimeMillisAt = 112 // f64
export const lossOrderCountAt = 120 // f64
export const lossTradeCountAt = 128 // f64
export const lossPayoutCountAt = 136 // f64
export const lossAuctionCountAt = 144 // f64
export const lossUnderlyingCountAt = 152 // i32
export const lossUnderlyingsAt = 160 // names of 16 bytes each, NUL padded

// BurnNonces, of the engine itself: of wallets that have acted in what is lost, the highest nonce that their owners, or
// their agents, are known to have used. It is burned with all below it.
export const burnCountAt = commandBodyAt // i32
export const burnEntriesAt = 104
export const burnEntryWalletAt = 0 // 20 bytes
export const burnEntrySignerAt = 20 // i32, Signer
export const burnEntryNonceHighAt = 24 // i32
export const burnEntryNonceLowAt = 28 // i32
export const burnEntryBytes = 32

assert(
  keyStrikeMicrosAt + 8 === keyBytes && keyExpiryDateAt === underlyingBytesMax,
  'instrument key',
)
assert(placeKeyAt + keyBytes === placePriceMicrosAt, 'place: key before price')
assert(placeClientIdAt + clientIdBytesMax === placeBuilderAt, 'place: client id before builder')
assert(placeBuilderAt + 20 === placeOrderBytes, 'place: length')
assert(surfaceValuesAt + surfacePointsMax * 16 <= commandBytesMax, 'surface: fits a command')
assert(burnEntriesAt + burnEntriesMax * burnEntryBytes <= commandBytesMax, 'burn: fits a command')
assert(bulkItemsAt + bulkItemsMax * placeOrderBytes <= commandBytesMax, 'bulk: fits a command')
for (const bytes of [
  placeOrderBytes,
  cancelOrderBytes,
  cancelByClientIdBytes,
  perpTermsBytes,
  agentCommandBytes,
  setMarginModeBytes,
  depositBytes,
  listInstrumentBytes,
  setTierBytes,
  setHaltBytes,
  setMaxIndexBytes,
  setBuilderBytes,
  tickBytes,
  setClockAlarmBytes,
  acceptClockBytes,
]) {
  assert((bytes & 7) === 0, 'commands: lengths are multiples of 8')
}
