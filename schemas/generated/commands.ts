// Generated from schemas/records by `npm run generate`; not to be edited.
import type { BuilderStatus, ClockAlarm, ClockChoice, DeliveryStatus, HaltMode, MarginMode, ProviderStatus, RfqKind, Right, Route, SelfTradeMode, Side, Tier, Tif, WithdrawalVerdict } from '../domain.js'
import type { CancelScope, NotedFile, PerpScheme, PushActionKind, Signer, SurfaceKind, UsernameVerdict } from '../record-values.js'
import { AnyRecord } from './any-record.js'
import { readText, writeText } from '../record-text.js'
import { RecordCursor } from '../record-views.js'
import type { RecordSink } from '../record-views.js'

/** Values are journaled: never reused, never renumbered. */
export const CommandType = {
  PlaceOrder: 1,
  ReplaceOrder: 2,
  CancelOrder: 3,
  CancelByClientId: 4,
  ApproveAgent: 5,
  RevokeAgent: 6,
  RevokeAllAgents: 7,
  Bulk: 8,
  SetSelfTrade: 9,
  SetUserTier: 10,
  SetMarginMode: 11,
  SetMmp: 12,
  DeleteMmp: 13,
  ResetMmp: 14,
  MarkPayoutsSeen: 15,
  Deposit: 16,
  ListInstrument: 17,
  DeleteInstrument: 18,
  IndexPrices: 19,
  VolSurface: 20,
  SetTier: 21,
  SetHalt: 22,
  SettlementPrice: 23,
  FundInsurance: 24,
  SetMaxIndex: 27,
  SetBuilder: 28,
  SetProvider: 29,
  Configure: 32,
  Tick: 33,
  SetClockAlarm: 34,
  AcceptClock: 35,
  AcceptLoss: 36,
  BurnNonces: 37,
  LeaveProvider: 38,
  DeclineRfq: 39,
  EndSessions: 40,
  EndConnection: 41,
  SettleWithdrawal: 42,
  JudgeWithdrawal: 43,
  JudgeUsername: 44,
  SetCompetition: 45,
  DropPush: 46,
  SetWalletStop: 47,
  NoteFile: 49,
  BidLiquidation: 64,
  SubmitRfq: 65,
  AcceptRfqQuote: 66,
  QuoteRfq: 67,
  ConnectProvider: 68,
  CancelAll: 69,
  SetDeadMan: 70,
  SetCancelOnDisconnect: 71,
  WithdrawUsdc: 72,
  UpdateApiWallet: 73,
  SetAbstraction: 74,
  RequestUsername: 75,
  CreateReferralCode: 76,
  SetReferrer: 77,
  PushAction: 78,
} as const
export type CommandType = (typeof CommandType)[keyof typeof CommandType]

/** Terms that identify an instrument. 32 bytes. */
export class InstrumentKey extends RecordCursor {
  static readonly bytes: number = 32

  /** Zeros in all fields. */
  clear(): this {
    this.u8.fill(0, this.at, this.at + 32)
    return this
  }

  /** All of it, from another. */
  copy(from: InstrumentKey): void {
    const to = this.at >> 2
    const first = from.at >> 2
    for (let i = 0; i < 8; i++) this.i32[to + i] = from.i32[first + i]!
  }

  get underlyingAt(): number {
    return this.at
  }

  get underlyingText(): string {
    return readText(this.u8, this.at, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at, 16)
  }

  /** YYYYMMDD */
  get expiryDate(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set expiryDate(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get right(): Right {
    return this.i32[(this.at + 20) >> 2] as Right
  }

  set right(value: Right) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get strikeMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set strikeMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }
}

/**
 * Follows a PlaceOrder or a cancel that is a perp action: its instrument, which replaces the key,
 * and its deadline. Duplicates are answered regardless of both. 16 bytes.
 */
export class PerpTerms extends RecordCursor {
  static readonly bytes: number = 16

  /** id of the instrument; -1: an unknown number */
  get asset(): number {
    return this.i32[this.at >> 2]!
  }

  set asset(value: number) {
    this.i32[this.at >> 2] = value
  }

  /** of its signature; determines the allowed signers */
  get scheme(): PerpScheme {
    return this.i32[(this.at + 4) >> 2] as PerpScheme
  }

  set scheme(value: PerpScheme) {
    this.i32[(this.at + 4) >> 2] = value
  }

  /** last millisecond; 0: none */
  get expiresMillis(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set expiresMillis(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }
}

/** The price of one underlying. 32 bytes. */
export class IndexEntry extends RecordCursor {
  static readonly bytes: number = 32

  get underlyingAt(): number {
    return this.at
  }

  get underlyingText(): string {
    return readText(this.u8, this.at, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at, 16)
  }

  get priceMicros(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  get observedMillis(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set observedMillis(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }
}

/** Highest known nonce of one kind of signer. 32 bytes. */
export class BurnEntry extends RecordCursor {
  static readonly bytes: number = 32

  get walletAt(): number {
    return this.at
  }

  get signer(): Signer {
    return this.i32[(this.at + 20) >> 2] as Signer
  }

  set signer(value: Signer) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get nonceHigh(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set nonceHigh(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get nonceLow(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set nonceLow(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }
}

/** A position in the signed portfolio hash. 48 bytes. */
export class BidPosition extends RecordCursor {
  static readonly bytes: number = 48
  readonly #key = new InstrumentKey()

  get key(): InstrumentKey {
    return this.#key.over(this.views, this.at)
  }

  /** signed */
  get lots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set lots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** average price */
  get entryMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set entryMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }
}

/** A leg of a combo, as the taker trades it. 48 bytes. */
export class SubmittedLeg extends RecordCursor {
  static readonly bytes: number = 48
  readonly #key = new InstrumentKey()

  get key(): InstrumentKey {
    return this.#key.over(this.views, this.at)
  }

  get sizeLots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get side(): Side {
    return this.i32[(this.at + 40) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 40) >> 2] = value
  }
}

/** A leg of a provider's quote; the side is the taker's. 56 bytes. */
export class QuotedLeg extends RecordCursor {
  static readonly bytes: number = 56
  readonly #key = new InstrumentKey()

  get key(): InstrumentKey {
    return this.#key.over(this.views, this.at)
  }

  get sizeLots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** truncated */
  get priceMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get side(): Side {
    return this.i32[(this.at + 48) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 48) >> 2] = value
  }
}

/**
 * Follows a PlaceOrder with best execution: indicative quotes for its instrument, from its gateway.
 * A record without quotes ends before it. 8 bytes.
 */
export class AuctionTerms extends RecordCursor {
  static readonly bytes: number = 8

  get count(): number {
    return this.i32[this.at >> 2]!
  }

  set count(value: number) {
    this.i32[this.at >> 2] = value
  }
}

/**
 * One provider's indicative quote. An ask is rounded up to a micro and a bid down, so a price that
 * reaches the rounded one reaches the quote. 32 bytes.
 */
export class IndicativeRow extends RecordCursor {
  static readonly bytes: number = 32

  /** 0: none */
  get bidMicros(): number {
    return this.f64[this.at >> 3]!
  }

  set bidMicros(value: number) {
    this.f64[this.at >> 3] = value
  }

  /** 0: none */
  get askMicros(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set askMicros(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }

  /** size that the provider would trade with the order, whole lots; 0: unknown */
  get sizeLots(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  get account(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }
}

/** Name of an underlying. 16 bytes. */
export class UnderlyingName extends RecordCursor {
  static readonly bytes: number = 16

  get nameAt(): number {
    return this.at
  }

  get nameText(): string {
    return readText(this.u8, this.at, 16)
  }

  set nameText(text: string) {
    writeText(text, this.u8, this.at, 16)
  }
}

/** Header of every command. 96 bytes. */
export class AnyCommand extends AnyRecord {
  static override readonly bytes: number = 96

  /** identifies the requester together with `request`; returned in the acknowledgement */
  get gateway(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set gateway(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  get request(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set request(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /**
   * zero for structs without a wallet field (the signer is the wallet) and for operator commands
   * without a wallet
   */
  get walletAt(): number {
    return this.at + 16
  }

  /** zero, like nonce and digest, in operator commands, which are unsigned */
  get signerAt(): number {
    return this.at + 36
  }

  get nonceHigh(): number {
    return this.i32[(this.at + 56) >> 2]!
  }

  set nonceHigh(value: number) {
    this.i32[(this.at + 56) >> 2] = value
  }

  get nonceLow(): number {
    return this.i32[(this.at + 60) >> 2]!
  }

  set nonceLow(value: number) {
    this.i32[(this.at + 60) >> 2] = value
  }

  get digestAt(): number {
    return this.at + 64
  }
}

/** A new order, which may replace another. 256 bytes. */
export class PlaceOrderCommand extends AnyCommand {
  static override readonly bytes: number = 256
  readonly #key = new InstrumentKey()

  claim(sink: RecordSink, type: typeof CommandType.PlaceOrder | typeof CommandType.ReplaceOrder): boolean {
    return this.claimIn(sink, 256, type)
  }

  get key(): InstrumentKey {
    return this.#key.over(this.views, this.at + 96)
  }

  get priceMicros(): number {
    return this.f64[(this.at + 128) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 128) >> 3] = value
  }

  get sizeLots(): number {
    return this.f64[(this.at + 136) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 136) >> 3] = value
  }

  get side(): Side {
    return this.i32[(this.at + 144) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 144) >> 2] = value
  }

  get tif(): Tif {
    return this.i32[(this.at + 148) >> 2] as Tif
  }

  set tif(value: Tif) {
    this.i32[(this.at + 148) >> 2] = value
  }

  get route(): Route {
    return this.i32[(this.at + 152) >> 2] as Route
  }

  set route(value: Route) {
    this.i32[(this.at + 152) >> 2] = value
  }

  /** OrderFlag bits */
  get flags(): number {
    return this.i32[(this.at + 156) >> 2]!
  }

  set flags(value: number) {
    this.i32[(this.at + 156) >> 2] = value
  }

  /** ReplaceOrder only, else 0 */
  get oldOrderId(): number {
    return this.f64[(this.at + 160) >> 3]!
  }

  set oldOrderId(value: number) {
    this.f64[(this.at + 160) >> 3] = value
  }

  get clientIdBytes(): number {
    return this.i32[(this.at + 168) >> 2]!
  }

  set clientIdBytes(value: number) {
    this.i32[(this.at + 168) >> 2] = value
  }

  get clientIdAt(): number {
    return this.at + 172
  }

  get clientIdText(): string {
    return readText(this.u8, this.at + 172, Math.min(64, this.clientIdBytes))
  }

  set clientIdText(text: string) {
    this.clientIdBytes = text.length
    writeText(text, this.u8, this.at + 172, 64)
  }

  get builderAt(): number {
    return this.at + 236
  }
}

/** Cancels a working order. 104 bytes. */
export class CancelOrderCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 104, 3)
  }

  get orderId(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set orderId(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }
}

/** Cancels the working order with this client id. 168 bytes. */
export class CancelByClientIdCommand extends AnyCommand {
  static override readonly bytes: number = 168

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 168, 4)) return false
    this.i32[(this.at + 164) >> 2] = 0
    return true
  }

  get clientIdBytes(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set clientIdBytes(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get clientIdAt(): number {
    return this.at + 100
  }

  get clientIdText(): string {
    return readText(this.u8, this.at + 100, Math.min(64, this.clientIdBytes))
  }

  set clientIdText(text: string) {
    this.clientIdBytes = text.length
    writeText(text, this.u8, this.at + 100, 64)
  }
}

/** Approves or revokes an agent. 120 bytes. */
export class AgentCommand extends AnyCommand {
  static override readonly bytes: number = 120

  claim(sink: RecordSink, type: typeof CommandType.ApproveAgent | typeof CommandType.RevokeAgent): boolean {
    if (!this.claimIn(sink, 120, type)) return false
    this.i32[(this.at + 116) >> 2] = 0
    return true
  }

  get agentAt(): number {
    return this.at + 96
  }
}

/** Revokes all agents. 96 bytes. */
export class RevokeAllAgentsCommand extends AnyCommand {
  static override readonly bytes: number = 96

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 96, 7)
  }
}

/**
 * Items are complete records, each with its own header, wallet, signer, nonce, digest and request.
 * They run in order in one batch. Wallet, signer, nonce and digest of the bulk itself are zero. 104
 * bytes and its rows.
 */
export class BulkCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 8)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get count(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get itemsAt(): number {
    return this.at + 104
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (104 + count * 1 + 7) & ~7
  }
}

/** 104 bytes. */
export class SetSelfTradeCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 9)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get mode(): SelfTradeMode {
    return this.i32[(this.at + 96) >> 2] as SelfTradeMode
  }

  set mode(value: SelfTradeMode) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/**
 * SetUserTier is signed by an operator's signer. The wallet of the header is the one whose tier
 * changes. Nonce and result belong to the signer. 104 bytes.
 */
export class SetTierCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink, type: typeof CommandType.SetTier | typeof CommandType.SetUserTier): boolean {
    if (!this.claimIn(sink, 104, type)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get tier(): Tier {
    return this.i32[(this.at + 96) >> 2] as Tier
  }

  set tier(value: Tier) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/** 104 bytes. */
export class SetMarginModeCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 11)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get mode(): MarginMode {
    return this.i32[(this.at + 96) >> 2] as MarginMode
  }

  set mode(value: MarginMode) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/** Sets the protection of the header's wallet in an underlying. 152 bytes. */
export class SetMmpCommand extends AnyCommand {
  static override readonly bytes: number = 152

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 152, 12)
  }

  get underlyingAt(): number {
    return this.at + 96
  }

  get underlyingText(): string {
    return readText(this.u8, this.at + 96, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at + 96, 16)
  }

  get intervalMillis(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set intervalMillis(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  /** 0: until reset */
  get frozenMillis(): number {
    return this.f64[(this.at + 120) >> 3]!
  }

  set frozenMillis(value: number) {
    this.f64[(this.at + 120) >> 3] = value
  }

  /** quantity, delta, vega in micros; 0: none */
  limits(i: number): number {
    return this.f64[((this.at + 128) >> 3) + i]!
  }

  setLimits(i: number, value: number): void {
    this.f64[((this.at + 128) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  limitsView(): Float64Array {
    const first = (this.at + 128) >> 3
    return this.f64.subarray(first, first + 3)
  }
}

/** Ends the protection, or empties its window and ends its freeze. 112 bytes. */
export class EndMmpCommand extends AnyCommand {
  static override readonly bytes: number = 112

  claim(sink: RecordSink, type: typeof CommandType.DeleteMmp | typeof CommandType.ResetMmp): boolean {
    return this.claimIn(sink, 112, type)
  }

  get underlyingAt(): number {
    return this.at + 96
  }

  get underlyingText(): string {
    return readText(this.u8, this.at + 96, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at + 96, 16)
  }
}

/** 104 bytes and its rows. */
export class MarkPayoutsSeenCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 15)
  }

  /** 1: seen, 0: not seen */
  get seen(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set seen(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get count(): number {
    return this.i32[(this.at + 100) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 100) >> 2] = value
  }

  get idsAt(): number {
    return this.at + 104
  }

  ids(i: number): number {
    return this.f64[((this.at + 104) >> 3) + i]!
  }

  setIds(i: number, value: number): void {
    this.f64[((this.at + 104) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  idsView(count: number): Float64Array {
    const first = (this.at + 104) >> 3
    return this.f64.subarray(first, first + count)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (104 + count * 8 + 7) & ~7
  }
}

/** FundInsurance has no wallet. An empty deposit id is not stored. 176 bytes. */
export class DepositCommand extends AnyCommand {
  static override readonly bytes: number = 176

  claim(sink: RecordSink, type: typeof CommandType.Deposit | typeof CommandType.FundInsurance): boolean {
    if (!this.claimIn(sink, 176, type)) return false
    this.i32[(this.at + 172) >> 2] = 0
    return true
  }

  get amountMicros(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set amountMicros(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  get depositIdBytes(): number {
    return this.i32[(this.at + 104) >> 2]!
  }

  set depositIdBytes(value: number) {
    this.i32[(this.at + 104) >> 2] = value
  }

  get depositIdAt(): number {
    return this.at + 108
  }

  get depositIdText(): string {
    return readText(this.u8, this.at + 108, Math.min(64, this.depositIdBytes))
  }

  set depositIdText(text: string) {
    this.depositIdBytes = text.length
    writeText(text, this.u8, this.at + 108, 64)
  }
}

/** 144 bytes. */
export class ListInstrumentCommand extends AnyCommand {
  static override readonly bytes: number = 144
  readonly #key = new InstrumentKey()

  claim(sink: RecordSink, type: typeof CommandType.ListInstrument | typeof CommandType.DeleteInstrument): boolean {
    if (!this.claimIn(sink, 144, type)) return false
    this.i32[(this.at + 140) >> 2] = 0
    return true
  }

  get key(): InstrumentKey {
    return this.#key.over(this.views, this.at + 96)
  }

  /** 0: the time of day of the underlying */
  get expiryMillis(): number {
    return this.f64[(this.at + 128) >> 3]!
  }

  set expiryMillis(value: number) {
    this.f64[(this.at + 128) >> 3] = value
  }

  /** TradingMode bits */
  get tradingMode(): number {
    return this.i32[(this.at + 136) >> 2]!
  }

  set tradingMode(value: number) {
    this.i32[(this.at + 136) >> 2] = value
  }
}

/** 104 bytes and its rows. */
export class IndexPricesCommand extends AnyCommand {
  static override readonly bytes: number = 104
  readonly #entries = new IndexEntry()

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 19)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get count(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  entries(i: number): IndexEntry {
    return this.#entries.over(this.views, this.at + 104 + i * 32)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (104 + count * 32 + 7) & ~7
  }
}

/**
 * Points are pairs (strike in USD, iv as a fraction); SVI is a, b, rho, m, s. 128 bytes and its
 * rows.
 */
export class VolSurfaceCommand extends AnyCommand {
  static override readonly bytes: number = 128

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 20)
  }

  get underlyingAt(): number {
    return this.at + 96
  }

  get underlyingText(): string {
    return readText(this.u8, this.at + 96, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at + 96, 16)
  }

  get expiryMillis(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set expiryMillis(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  get surfaceKind(): SurfaceKind {
    return this.i32[(this.at + 120) >> 2] as SurfaceKind
  }

  set surfaceKind(value: SurfaceKind) {
    this.i32[(this.at + 120) >> 2] = value
  }

  get count(): number {
    return this.i32[(this.at + 124) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 124) >> 2] = value
  }

  get valuesAt(): number {
    return this.at + 128
  }

  values(i: number): number {
    return this.f64[((this.at + 128) >> 3) + i]!
  }

  setValues(i: number, value: number): void {
    this.f64[((this.at + 128) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  valuesView(count: number): Float64Array {
    const first = (this.at + 128) >> 3
    return this.f64.subarray(first, first + count)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (128 + count * 8 + 7) & ~7
  }
}

/** 120 bytes. */
export class SetHaltCommand extends AnyCommand {
  static override readonly bytes: number = 120

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 120, 22)
  }

  /** empty: all */
  get underlyingAt(): number {
    return this.at + 96
  }

  get underlyingText(): string {
    return readText(this.u8, this.at + 96, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at + 96, 16)
  }

  get mode(): HaltMode {
    return this.i32[(this.at + 112) >> 2] as HaltMode
  }

  set mode(value: HaltMode) {
    this.i32[(this.at + 112) >> 2] = value
  }

  /** 1: for all, including those listed later */
  get stands(): number {
    return this.i32[(this.at + 116) >> 2]!
  }

  set stands(value: number) {
    this.i32[(this.at + 116) >> 2] = value
  }
}

/**
 * Stops or resumes trading of the header's wallet: the shell stops it, the operator resumes it. 104
 * bytes.
 */
export class SetWalletStopCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 47)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  /** 1: the wallet may only cancel, 0: it trades again */
  get stopped(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set stopped(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/** 128 bytes. */
export class SettlementPriceCommand extends AnyCommand {
  static override readonly bytes: number = 128

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 128, 23)
  }

  get underlyingAt(): number {
    return this.at + 96
  }

  get underlyingText(): string {
    return readText(this.u8, this.at + 96, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at + 96, 16)
  }

  get expiryMillis(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set expiryMillis(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  get priceMicros(): number {
    return this.f64[(this.at + 120) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 120) >> 3] = value
  }
}

/** 120 bytes. */
export class SetMaxIndexCommand extends AnyCommand {
  static override readonly bytes: number = 120

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 120, 27)
  }

  get underlyingAt(): number {
    return this.at + 96
  }

  get underlyingText(): string {
    return readText(this.u8, this.at + 96, 16)
  }

  set underlyingText(text: string) {
    writeText(text, this.u8, this.at + 96, 16)
  }

  get maxIndexMicros(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set maxIndexMicros(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }
}

/** The builder is the header's wallet. 104 bytes. */
export class SetBuilderCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 28)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get status(): BuilderStatus {
    return this.i32[(this.at + 96) >> 2] as BuilderStatus
  }

  set status(value: BuilderStatus) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/** The provider is the header's wallet. 104 bytes. */
export class SetProviderCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 29)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get status(): ProviderStatus {
    return this.i32[(this.at + 96) >> 2] as ProviderStatus
  }

  set status(value: ProviderStatus) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/** Creates a competition, or changes one that has not ended. 144 bytes and its rows. */
export class SetCompetitionCommand extends AnyCommand {
  static override readonly bytes: number = 144

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 45)
  }

  /** 0: the one of this name that has not ended, or a new one */
  get competitionId(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set competitionId(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  get startMillis(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set startMillis(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  /** first millisecond after the competition */
  get endMillis(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set endMillis(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  /** CompetitionMetric of each win condition, two bits each, the primary one lowest */
  get conditions(): number {
    return this.i32[(this.at + 120) >> 2]!
  }

  set conditions(value: number) {
    this.i32[(this.at + 120) >> 2] = value
  }

  get nameBytes(): number {
    return this.i32[(this.at + 124) >> 2]!
  }

  set nameBytes(value: number) {
    this.i32[(this.at + 124) >> 2] = value
  }

  get descriptionBytes(): number {
    return this.i32[(this.at + 128) >> 2]!
  }

  set descriptionBytes(value: number) {
    this.i32[(this.at + 128) >> 2] = value
  }

  /** of its rules */
  get urlBytes(): number {
    return this.i32[(this.at + 132) >> 2]!
  }

  set urlBytes(value: number) {
    this.i32[(this.at + 132) >> 2] = value
  }

  get rulesBytes(): number {
    return this.i32[(this.at + 136) >> 2]!
  }

  set rulesBytes(value: number) {
    this.i32[(this.at + 136) >> 2] = value
  }

  /** bytes of all texts */
  get count(): number {
    return this.i32[(this.at + 140) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 140) >> 2] = value
  }

  /** UTF-8 */
  get textsAt(): number {
    return this.at + 144
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (144 + count * 1 + 7) & ~7
  }
}

/** Engine parameters, in the order of the engine configuration. 104 bytes and its rows. */
export class ConfigureCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 32)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get count(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get valuesAt(): number {
    return this.at + 104
  }

  values(i: number): number {
    return this.f64[((this.at + 104) >> 3) + i]!
  }

  setValues(i: number, value: number): void {
    this.f64[((this.at + 104) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  valuesView(count: number): Float64Array {
    const first = (this.at + 104) >> 3
    return this.f64.subarray(first, first + count)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (104 + count * 8 + 7) & ~7
  }
}

/** 96 bytes. */
export class TickCommand extends AnyCommand {
  static override readonly bytes: number = 96

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 96, 33)
  }
}

/** From the core's shell: the clock was stepped, or its alarm has ended. 120 bytes. */
export class SetClockAlarmCommand extends AnyCommand {
  static override readonly bytes: number = 120

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 120, 34)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get alarm(): ClockAlarm {
    return this.i32[(this.at + 96) >> 2] as ClockAlarm
  }

  set alarm(value: ClockAlarm) {
    this.i32[(this.at + 96) >> 2] = value
  }

  /** clock minus engine time */
  get stepMillis(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set stepMillis(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  /** part of it that engine time does not follow from now on */
  get offsetMillis(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set offsetMillis(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }
}

/** 112 bytes. */
export class AcceptClockCommand extends AnyCommand {
  static override readonly bytes: number = 112

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 112, 35)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get choice(): ClockChoice {
    return this.i32[(this.at + 96) >> 2] as ClockChoice
  }

  set choice(value: ClockChoice) {
    this.i32[(this.at + 96) >> 2] = value
  }

  /** the clock when it was accepted */
  get wallMillis(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set wallMillis(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }
}

/**
 * From the engine itself: the last lost number of each kind, and the lost underlyings. It is the
 * first command of its batch, and takes effect before the others. 160 bytes and its rows.
 */
export class AcceptLossCommand extends AnyCommand {
  static override readonly bytes: number = 160
  readonly #underlyings = new UnderlyingName()

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 36)) return false
    this.i32[(this.at + 156) >> 2] = 0
    return true
  }

  get batchNumber(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set batchNumber(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  get seq(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set seq(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  get timeMillis(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set timeMillis(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  get orderCount(): number {
    return this.f64[(this.at + 120) >> 3]!
  }

  set orderCount(value: number) {
    this.f64[(this.at + 120) >> 3] = value
  }

  get tradeCount(): number {
    return this.f64[(this.at + 128) >> 3]!
  }

  set tradeCount(value: number) {
    this.f64[(this.at + 128) >> 3] = value
  }

  get payoutCount(): number {
    return this.f64[(this.at + 136) >> 3]!
  }

  set payoutCount(value: number) {
    this.f64[(this.at + 136) >> 3] = value
  }

  get auctionCount(): number {
    return this.f64[(this.at + 144) >> 3]!
  }

  set auctionCount(value: number) {
    this.f64[(this.at + 144) >> 3] = value
  }

  get underlyingCount(): number {
    return this.i32[(this.at + 152) >> 2]!
  }

  set underlyingCount(value: number) {
    this.i32[(this.at + 152) >> 2] = value
  }

  underlyings(i: number): UnderlyingName {
    return this.#underlyings.over(this.views, this.at + 160 + i * 16)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (160 + count * 16 + 7) & ~7
  }
}

/**
 * From the engine itself: for wallets with lost actions, the highest nonce that their owners, or
 * their agents, are known to have used. All nonces up to it are burned. 104 bytes and its rows.
 */
export class BurnNoncesCommand extends AnyCommand {
  static override readonly bytes: number = 104
  readonly #entries = new BurnEntry()

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 37)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get count(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  entries(i: number): BurnEntry {
    return this.#entries.over(this.views, this.at + 104 + i * 32)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (104 + count * 32 + 7) & ~7
  }
}

/** From a gateway: a session of the header's wallet has ended. 104 bytes. */
export class LeaveProviderCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 38)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  /** number from its ConnectProvider, of the same gateway */
  get session(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set session(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/**
 * From a gateway: a connection with a SetCancelOnDisconnect of the header's wallet has closed. 104
 * bytes.
 */
export class EndConnectionCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 41)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get session(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set session(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/**
 * From the push sender: the push service reports that a subscription of the header's wallet no
 * longer exists. 104 bytes.
 */
export class DropPushCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 104, 46)
  }

  get subscriptionId(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set subscriptionId(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }
}

/** From the shell at its start: all earlier sessions ended with their process. 96 bytes. */
export class EndSessionsCommand extends AnyCommand {
  static override readonly bytes: number = 96

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 96, 40)
  }
}

/**
 * A session of the header's wallet will not quote, or withdraws its quote. It is unsigned. 112
 * bytes.
 */
export class DeclineRfqCommand extends AnyCommand {
  static override readonly bytes: number = 112

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 112, 39)
  }

  get rfqIdAt(): number {
    return this.at + 96
  }
}

/**
 * A bid for a share of a wallet in auction, by the wallet of the header. The positions are those of
 * the signed portfolio hash; the engine compares each number with the account. 288 bytes and its
 * rows.
 */
export class BidLiquidationCommand extends AnyCommand {
  static override readonly bytes: number = 288
  readonly #positions = new BidPosition()

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 64)) return false
    this.i32[(this.at + 156) >> 2] = 0
    return true
  }

  /** wallet in auction */
  get liquidatedAt(): number {
    return this.at + 96
  }

  get intentBytes(): number {
    return this.i32[(this.at + 116) >> 2]!
  }

  set intentBytes(value: number) {
    this.i32[(this.at + 116) >> 2] = value
  }

  /** number of the auction */
  get auction(): number {
    return this.f64[(this.at + 120) >> 3]!
  }

  set auction(value: number) {
    this.f64[(this.at + 120) >> 3] = value
  }

  get version(): number {
    return this.f64[(this.at + 128) >> 3]!
  }

  set version(value: number) {
    this.f64[(this.at + 128) >> 3] = value
  }

  /** maximum payment of the bidder */
  get bidMicros(): number {
    return this.f64[(this.at + 136) >> 3]!
  }

  set bidMicros(value: number) {
    this.f64[(this.at + 136) >> 3] = value
  }

  /** time of the signed terms */
  get valuationMillis(): number {
    return this.f64[(this.at + 144) >> 3]!
  }

  set valuationMillis(value: number) {
    this.f64[(this.at + 144) >> 3] = value
  }

  /** number of positions */
  get count(): number {
    return this.i32[(this.at + 152) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 152) >> 2] = value
  }

  get intentAt(): number {
    return this.at + 160
  }

  get intentText(): string {
    return readText(this.u8, this.at + 160, Math.min(128, this.intentBytes))
  }

  set intentText(text: string) {
    this.intentBytes = text.length
    writeText(text, this.u8, this.at + 160, 128)
  }

  positions(i: number): BidPosition {
    return this.#positions.over(this.views, this.at + 288 + i * 48)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (288 + count * 48 + 7) & ~7
  }
}

/** A quote provider has opened a session. Its nonce is used like that of any action. 104 bytes. */
export class ConnectProviderCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 68)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  /** number from the gateway, unique among open sessions */
  get session(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set session(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/** Cancels the wallet's working orders, RFQs and live quotes in a scope. 136 bytes. */
export class CancelAllCommand extends AnyCommand {
  static override readonly bytes: number = 136
  readonly #key = new InstrumentKey()

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 136, 69)) return false
    this.i32[(this.at + 132) >> 2] = 0
    return true
  }

  /** Underlying: its name; Instrument: its terms */
  get key(): InstrumentKey {
    return this.#key.over(this.views, this.at + 96)
  }

  get scope(): CancelScope {
    return this.i32[(this.at + 128) >> 2] as CancelScope
  }

  set scope(value: CancelScope) {
    this.i32[(this.at + 128) >> 2] = value
  }
}

/** Cancels all of them if the wallet is inactive for this long. 104 bytes. */
export class SetDeadManCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 104, 70)
  }

  /** 0: ends the timer */
  get timeoutMillis(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set timeoutMillis(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }
}

/** Cancels all of them when the sending connection closes. 104 bytes. */
export class SetCancelOnDisconnectCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 104, 71)
  }

  /** number from the gateway */
  get session(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set session(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get enabled(): number {
    return this.i32[(this.at + 100) >> 2]!
  }

  set enabled(value: number) {
    this.i32[(this.at + 100) >> 2] = value
  }
}

/**
 * Sets a named key that may sign trading directives, or removes the key of that name. Only the
 * wallet owner may sign it. 152 bytes.
 */
export class UpdateApiWalletCommand extends AnyCommand {
  static override readonly bytes: number = 152

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 152, 73)) return false
    this.i32[(this.at + 148) >> 2] = 0
    return true
  }

  get nameAt(): number {
    return this.at + 96
  }

  /** zero: removes */
  get apiWalletAt(): number {
    return this.at + 128
  }
}

/**
 * Records how the account is presented; decides nothing. Only the wallet owner may sign it. 104
 * bytes.
 */
export class SetAbstractionCommand extends AnyCommand {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 74)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get abstraction(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set abstraction(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }
}

/** Withdraws the wallet's money, under the id of its digest (`directiveIdOf`). 128 bytes. */
export class WithdrawUsdcCommand extends AnyCommand {
  static override readonly bytes: number = 128

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 128, 72)) return false
    this.i32[(this.at + 124) >> 2] = 0
    return true
  }

  get amountMicros(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set amountMicros(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  get destinationAt(): number {
    return this.at + 104
  }
}

/** From the settlement rail: progress of a withdrawal. 152 bytes. */
export class SettleWithdrawalCommand extends AnyCommand {
  static override readonly bytes: number = 152

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 152, 42)) return false
    this.i32[(this.at + 148) >> 2] = 0
    return true
  }

  get directiveIdAt(): number {
    return this.at + 96
  }

  /** zeros: none */
  get txHashAt(): number {
    return this.at + 112
  }

  get delivery(): DeliveryStatus {
    return this.i32[(this.at + 144) >> 2] as DeliveryStatus
  }

  set delivery(value: DeliveryStatus) {
    this.i32[(this.at + 144) >> 2] = value
  }
}

/** From the operator: the result of a stuck withdrawal. 120 bytes. */
export class JudgeWithdrawalCommand extends AnyCommand {
  static override readonly bytes: number = 120

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 120, 43)) return false
    this.i32[(this.at + 116) >> 2] = 0
    return true
  }

  get directiveIdAt(): number {
    return this.at + 96
  }

  get verdict(): WithdrawalVerdict {
    return this.i32[(this.at + 112) >> 2] as WithdrawalVerdict
  }

  set verdict(value: WithdrawalVerdict) {
    this.i32[(this.at + 112) >> 2] = value
  }
}

/**
 * From the venue: a file next to the journal has at least this many bytes on disk. Later starts
 * require them. 112 bytes.
 */
export class NoteFileCommand extends AnyCommand {
  static override readonly bytes: number = 112

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 112, 49)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get file(): NotedFile {
    return this.i32[(this.at + 96) >> 2] as NotedFile
  }

  set file(value: NotedFile) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get bytes(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set bytes(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }
}

/** Requests a name for the header's wallet, in lower case. 120 bytes. */
export class RequestUsernameCommand extends AnyCommand {
  static override readonly bytes: number = 120

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 120, 75)
  }

  get usernameBytes(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set usernameBytes(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get usernameAt(): number {
    return this.at + 100
  }

  get usernameText(): string {
    return readText(this.u8, this.at + 100, Math.min(20, this.usernameBytes))
  }

  set usernameText(text: string) {
    this.usernameBytes = text.length
    writeText(text, this.u8, this.at + 100, 20)
  }
}

/** The operator's decision about the name that the header's wallet requested. 128 bytes. */
export class JudgeUsernameCommand extends AnyCommand {
  static override readonly bytes: number = 128

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 128, 44)) return false
    this.i32[(this.at + 124) >> 2] = 0
    return true
  }

  get verdict(): UsernameVerdict {
    return this.i32[(this.at + 96) >> 2] as UsernameVerdict
  }

  set verdict(value: UsernameVerdict) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get usernameBytes(): number {
    return this.i32[(this.at + 100) >> 2]!
  }

  set usernameBytes(value: number) {
    this.i32[(this.at + 100) >> 2] = value
  }

  /** applies only to this name; empty: to any */
  get usernameAt(): number {
    return this.at + 104
  }

  get usernameText(): string {
    return readText(this.u8, this.at + 104, Math.min(20, this.usernameBytes))
  }

  set usernameText(text: string) {
    this.usernameBytes = text.length
    writeText(text, this.u8, this.at + 104, 20)
  }
}

/** Assigns a permanent referral code to the wallet. 120 bytes. */
export class CreateReferralCodeCommand extends AnyCommand {
  static override readonly bytes: number = 120

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 120, 76)
  }

  get codeBytes(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set codeBytes(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  /** as stored: in capitals */
  get codeAt(): number {
    return this.at + 100
  }

  get codeText(): string {
    return readText(this.u8, this.at + 100, Math.min(20, this.codeBytes))
  }

  set codeText(text: string) {
    this.codeBytes = text.length
    writeText(text, this.u8, this.at + 100, 20)
  }
}

/** Sets the permanent referrer of the wallet. 144 bytes. */
export class SetReferrerCommand extends AnyCommand {
  static override readonly bytes: number = 144

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 144, 77)) return false
    this.i32[(this.at + 140) >> 2] = 0
    return true
  }

  /** owner of the code */
  get referrerAt(): number {
    return this.at + 96
  }

  get codeBytes(): number {
    return this.i32[(this.at + 116) >> 2]!
  }

  set codeBytes(value: number) {
    this.i32[(this.at + 116) >> 2] = value
  }

  /** as stored */
  get codeAt(): number {
    return this.at + 120
  }

  get codeText(): string {
    return readText(this.u8, this.at + 120, Math.min(20, this.codeBytes))
  }

  set codeText(text: string) {
    this.codeBytes = text.length
    writeText(text, this.u8, this.at + 120, 20)
  }
}

/**
 * Browser notifications: subscribes, unsubscribes, or sets topics. Contains secrets of the browser.
 * 200 bytes and its rows.
 */
export class PushActionCommand extends AnyCommand {
  static override readonly bytes: number = 200

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 78)) return false
    this.i32[(this.at + 196) >> 2] = 0
    return true
  }

  get kind(): PushActionKind {
    return this.i32[(this.at + 96) >> 2] as PushActionKind
  }

  set kind(value: PushActionKind) {
    this.i32[(this.at + 96) >> 2] = value
  }

  /** Preferences: PushTopic bits to change */
  get mask(): number {
    return this.i32[(this.at + 100) >> 2]!
  }

  set mask(value: number) {
    this.i32[(this.at + 100) >> 2] = value
  }

  /** Preferences: PushTopic bits */
  get topics(): number {
    return this.i32[(this.at + 104) >> 2]!
  }

  set topics(value: number) {
    this.i32[(this.at + 104) >> 2] = value
  }

  /** Subscribe, Unsubscribe */
  get endpointBytes(): number {
    return this.i32[(this.at + 108) >> 2]!
  }

  set endpointBytes(value: number) {
    this.i32[(this.at + 108) >> 2] = value
  }

  /** Subscribe: point, secret, zeros */
  get keysAt(): number {
    return this.at + 112
  }

  /** ASCII */
  get endpointAt(): number {
    return this.at + 200
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (200 + count * 1 + 7) & ~7
  }
}

/** Requests quotes for a combo. 128 bytes and its rows. */
export class SubmitRfqCommand extends AnyCommand {
  static override readonly bytes: number = 128
  readonly #legs = new SubmittedLeg()

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 65)
  }

  get rfqIdAt(): number {
    return this.at + 96
  }

  /** Auto: as signed; above 0 the highest payment or the lowest proceeds, else the net premium */
  get limitMicros(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set limitMicros(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  get kind(): RfqKind {
    return this.i32[(this.at + 120) >> 2] as RfqKind
  }

  set kind(value: RfqKind) {
    this.i32[(this.at + 120) >> 2] = value
  }

  /** legs */
  get count(): number {
    return this.i32[(this.at + 124) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 124) >> 2] = value
  }

  legs(i: number): SubmittedLeg {
    return this.#legs.over(this.views, this.at + 128 + i * 48)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (128 + count * 48 + 7) & ~7
  }
}

/** 136 bytes. */
export class AcceptRfqQuoteCommand extends AnyCommand {
  static override readonly bytes: number = 136

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 136, 66)
  }

  get rfqIdAt(): number {
    return this.at + 96
  }

  get quoteIdAt(): number {
    return this.at + 112
  }

  /** of the quote, as signed */
  get netPremiumMicros(): number {
    return this.f64[(this.at + 128) >> 3]!
  }

  set netPremiumMicros(value: number) {
    this.f64[(this.at + 128) >> 3] = value
  }
}

/**
 * A provider's firm quote. Faults in its terms are reported before a wrong signer. The signer is
 * zero if none was recovered. 136 bytes and its rows.
 */
export class QuoteRfqCommand extends AnyCommand {
  static override readonly bytes: number = 136
  readonly #legs = new QuotedLeg()

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 67)) return false
    this.i32[(this.at + 132) >> 2] = 0
    return true
  }

  get rfqIdAt(): number {
    return this.at + 96
  }

  /** truncated, in the taker's view */
  get netPremiumMicros(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set netPremiumMicros(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  get validForMillis(): number {
    return this.f64[(this.at + 120) >> 3]!
  }

  set validForMillis(value: number) {
    this.f64[(this.at + 120) >> 3] = value
  }

  /** legs */
  get count(): number {
    return this.i32[(this.at + 128) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 128) >> 2] = value
  }

  legs(i: number): QuotedLeg {
    return this.#legs.over(this.views, this.at + 136 + i * 56)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (136 + count * 56 + 7) & ~7
  }
}
