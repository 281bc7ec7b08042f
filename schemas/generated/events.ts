// Generated from schemas/records by `npm run generate`; not to be edited.
import type { CompetitionState, DeliveryStatus, DirectiveAction, DomainStatus, HaltMode, InstrumentState, MarginMode, OrderStatus, ProviderStatus, RfqKind, RfqStatus, Right, SelfTradeMode, Side, Tier, Tif } from '../domain.js'
import type { AccountChange, AgentChange, AuctionChange, CompetitionChange, FundingPhase, FundsChange, InstrumentChange, LiquidationChange, LiquidationMode, LiquidationState, MmpChange, PriceSource, ProviderChange, PushChange, RemarkPhase, RfqChange, RfqQuoteChange, SettlementPhase, Signer, SurfaceKind, TransferCause, UsernameChange } from '../record-values.js'
import type { Result } from '../results.js'
import type { CommandType } from './commands.js'
import { AnyRecord } from './any-record.js'
import { InstrumentKey } from './commands.js'
import { readText, writeText } from '../record-text.js'
import { RecordCursor } from '../record-views.js'
import type { RecordSink } from '../record-views.js'

/** Types of events. */
export const EventType = {
  Outcome: 1,
  OrderUpdate: 2,
  Fill: 3,
  Account: 4,
  Agent: 5,
  Instrument: 6,
  Surface: 7,
  Remarked: 8,
  Halt: 9,
  Position: 10,
  BootstrapBegin: 11,
  BootstrapEnd: 12,
  Mmp: 13,
  Settlement: 14,
  Payout: 15,
  PayoutsSeen: 16,
  Funds: 17,
  Liquidation: 18,
  Auction: 19,
  Transfer: 20,
  Funding: 21,
  MaxIndex: 22,
  Provider: 23,
  Rfq: 24,
  RfqQuote: 25,
  Directive: 26,
  ApiWallet: 28,
  Username: 29,
  Competition: 30,
  Referral: 31,
  Trade: 32,
  BookLevel: 33,
  BookCleared: 34,
  IndexPrice: 35,
  Push: 38,
} as const
export type EventType = (typeof EventType)[keyof typeof EventType]

/** Published facts of an order. 176 bytes. */
export class OrderFacts extends RecordCursor {
  static readonly bytes: number = 176

  /** Zeros in all fields. */
  clear(): this {
    this.u8.fill(0, this.at, this.at + 176)
    return this
  }

  /** All of it, from another. */
  copy(from: OrderFacts): void {
    const to = this.at >> 2
    const first = from.at >> 2
    for (let i = 0; i < 44; i++) this.i32[to + i] = from.i32[first + i]!
  }

  /** 0: none */
  get orderId(): number {
    return this.f64[this.at >> 3]!
  }

  set orderId(value: number) {
    this.f64[this.at >> 3] = value
  }

  get priceMicros(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }

  get sizeLots(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  get filledLots(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set filledLots(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** premium of all fills: average price = this / filled */
  get filledMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set filledMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** -1: unknown */
  get instrument(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get side(): Side {
    return this.i32[(this.at + 44) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 44) >> 2] = value
  }

  get tif(): Tif {
    return this.i32[(this.at + 48) >> 2] as Tif
  }

  set tif(value: Tif) {
    this.i32[(this.at + 48) >> 2] = value
  }

  /** OrderFlag bits */
  get flags(): number {
    return this.i32[(this.at + 52) >> 2]!
  }

  set flags(value: number) {
    this.i32[(this.at + 52) >> 2] = value
  }

  get status(): OrderStatus {
    return this.i32[(this.at + 56) >> 2] as OrderStatus
  }

  set status(value: OrderStatus) {
    this.i32[(this.at + 56) >> 2] = value
  }

  get clientIdBytes(): number {
    return this.i32[(this.at + 60) >> 2]!
  }

  set clientIdBytes(value: number) {
    this.i32[(this.at + 60) >> 2] = value
  }

  /** in the acknowledgement of a rejected SubmitRfq, the id of the RFQ */
  get clientIdAt(): number {
    return this.at + 64
  }

  get clientIdText(): string {
    return readText(this.u8, this.at + 64, Math.min(64, this.clientIdBytes))
  }

  set clientIdText(text: string) {
    this.clientIdBytes = text.length
    writeText(text, this.u8, this.at + 64, 64)
  }

  get walletAt(): number {
    return this.at + 128
  }

  /** zeros: none */
  get builderAt(): number {
    return this.at + 148
  }

  get createdMillis(): number {
    return this.f64[(this.at + 168) >> 3]!
  }

  set createdMillis(value: number) {
    this.f64[(this.at + 168) >> 3] = value
  }

  /** in the acknowledgement of a SetMarginMode, which has no order: before the change */
  get previousMode(): MarginMode {
    return this.i32[(this.at + 44) >> 2] as MarginMode
  }

  set previousMode(value: MarginMode) {
    this.i32[(this.at + 44) >> 2] = value
  }

  /** in the acknowledgement of a ListInstrument: existing or new */
  get listedState(): InstrumentState {
    return this.i32[(this.at + 44) >> 2] as InstrumentState
  }

  set listedState(value: InstrumentState) {
    this.i32[(this.at + 44) >> 2] = value
  }

  /** in the acknowledgement of an accepted SetCompetition: */
  get competitionId(): number {
    return this.f64[this.at >> 3]!
  }

  set competitionId(value: number) {
    this.f64[this.at >> 3] = value
  }

  /** in the acknowledgement of an accepted CancelAll: orders to cancel */
  get canceledCount(): number {
    return this.f64[this.at >> 3]!
  }

  set canceledCount(value: number) {
    this.f64[this.at >> 3] = value
  }

  /**
   * in the acknowledgement of an accepted SetDeadMan: if the wallet is inactive until then; 0: no
   * timer
   */
  get firesMillis(): number {
    return this.f64[this.at >> 3]!
  }

  set firesMillis(value: number) {
    this.f64[this.at >> 3] = value
  }

  /** in the acknowledgement of an accepted WithdrawUsdc: cash after it */
  get balanceMicros(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set balanceMicros(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }

  /**
   * in the acknowledgement of an accepted RequestUsername: `Requested`: the operator has not
   * decided yet
   */
  get usernameChange(): UsernameChange {
    return this.i32[(this.at + 44) >> 2] as UsernameChange
  }

  set usernameChange(value: UsernameChange) {
    this.i32[(this.at + 44) >> 2] = value
  }

  /** in the acknowledgement of an accepted PushAction: ended subscriptions */
  get removedCount(): number {
    return this.f64[this.at >> 3]!
  }

  set removedCount(value: number) {
    this.f64[this.at >> 3] = value
  }

  /** in the acknowledgement of an accepted PushAction: PushTopic bits of the wallet */
  get pushTopics(): number {
    return this.i32[(this.at + 52) >> 2]!
  }

  set pushTopics(value: number) {
    this.i32[(this.at + 52) >> 2] = value
  }

  /** in the acknowledgement of an accepted SubmitRfq: after its own step */
  get rfqStatus(): RfqStatus {
    return this.i32[(this.at + 44) >> 2] as RfqStatus
  }

  set rfqStatus(value: RfqStatus) {
    this.i32[(this.at + 44) >> 2] = value
  }

  /** in the acknowledgement of an accepted AcceptRfqQuote: trade of the first leg */
  get fillId(): number {
    return this.f64[this.at >> 3]!
  }

  set fillId(value: number) {
    this.f64[this.at >> 3] = value
  }

  /** in the acknowledgement of an accepted SetMmp: the window afterwards: */
  get mmpQtyMicros(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set mmpQtyMicros(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }

  /** in the acknowledgement of an accepted SetMmp: the window afterwards: */
  get mmpDeltaMicros(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set mmpDeltaMicros(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  /** in the acknowledgement of an accepted SetMmp: the window afterwards: */
  get mmpVegaMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set mmpVegaMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** in the acknowledgement of an accepted SetMmp: 0: not frozen, Infinity: until reset */
  get mmpFrozenUntilMillis(): number {
    return this.f64[(this.at + 168) >> 3]!
  }

  set mmpFrozenUntilMillis(value: number) {
    this.f64[(this.at + 168) >> 3] = value
  }
}

/** A position of a wallet in auction. 24 bytes. */
export class LiquidationPosition extends RecordCursor {
  static readonly bytes: number = 24

  get lots(): number {
    return this.f64[this.at >> 3]!
  }

  set lots(value: number) {
    this.f64[this.at >> 3] = value
  }

  get entryMicros(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set entryMicros(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get zero(): number {
    return this.i32[(this.at + 20) >> 2]!
  }

  set zero(value: number) {
    this.i32[(this.at + 20) >> 2] = value
  }
}

/** A leg of a combo, as the taker trades it. 16 bytes. */
export class RfqLegFacts extends RecordCursor {
  static readonly bytes: number = 16

  get sizeLots(): number {
    return this.f64[this.at >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[this.at >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  get side(): Side {
    return this.i32[(this.at + 12) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 12) >> 2] = value
  }
}

/** The current mark of an open instrument. 16 bytes. */
export class OpenMark extends RecordCursor {
  static readonly bytes: number = 16

  get markMicros(): number {
    return this.f64[this.at >> 3]!
  }

  set markMicros(value: number) {
    this.f64[this.at >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  get zero(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set zero(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }
}

/** Header of every event. 24 bytes. */
export class AnyEvent extends AnyRecord {
  static override readonly bytes: number = 24

  /** Zeros in all fields but the 24 bytes that `claim` writes. */
  override clear(): this {
    this.u8.fill(0, this.at + 24, this.at + this.recordBytes)
    return this
  }

  get seq(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set seq(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }

  get timeMillis(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set timeMillis(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }
}

/** The result of one command, for its gateway; or a change of a working order. 304 bytes. */
export class OutcomeEvent extends AnyEvent {
  static override readonly bytes: number = 304
  readonly #facts = new OrderFacts()

  claim(sink: RecordSink, type: typeof EventType.Outcome | typeof EventType.OrderUpdate): boolean {
    return this.claimIn(sink, 304, type)
  }

  /** -1 in an OrderUpdate, which answers no request */
  get gateway(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set gateway(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get request(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set request(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }

  /** reason of a rejection or cancel */
  get result(): Result {
    return this.i32[(this.at + 32) >> 2] as Result
  }

  set result(value: Result) {
    this.i32[(this.at + 32) >> 2] = value
  }

  get command(): CommandType {
    return this.i32[(this.at + 36) >> 2] as CommandType
  }

  set command(value: CommandType) {
    this.i32[(this.at + 36) >> 2] = value
  }

  /** OutcomeFlag bits */
  get flags(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set flags(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  /** account index, -1 unknown */
  get account(): number {
    return this.i32[(this.at + 44) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 44) >> 2] = value
  }

  get facts(): OrderFacts {
    return this.#facts.over(this.views, this.at + 48)
  }

  /** of a rejection; the result defines their meaning */
  details(i: number): number {
    return this.f64[((this.at + 224) >> 3) + i]!
  }

  setDetails(i: number, value: number): void {
    this.f64[((this.at + 224) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  detailsView(): Float64Array {
    const first = (this.at + 224) >> 3
    return this.f64.subarray(first, first + 10)
  }

  /**
   * for a duplicate of a signed action: of its first acknowledgement: 0 for a duplicate of an
   * operator command
   */
  get firstSeq(): number {
    return this.f64[(this.at + 224) >> 3]!
  }

  set firstSeq(value: number) {
    this.f64[(this.at + 224) >> 3] = value
  }

  /** for a duplicate of a signed action: of its first acknowledgement: */
  get firstMillis(): number {
    return this.f64[(this.at + 232) >> 3]!
  }

  set firstMillis(value: number) {
    this.f64[(this.at + 232) >> 3] = value
  }

  /**
   * in an acknowledgement with `IsResultPublished`: of the order's last event in this step, which
   * the streams publish too
   */
  get publishedSeq(): number {
    return this.f64[(this.at + 224) >> 3]!
  }

  set publishedSeq(value: number) {
    this.f64[(this.at + 224) >> 3] = value
  }

  /** in the last of them, if a nonce was used (`burnsNonce`): the nonce and its signer: */
  get nonceHigh(): number {
    return this.i32[(this.at + 288) >> 2]!
  }

  set nonceHigh(value: number) {
    this.i32[(this.at + 288) >> 2] = value
  }

  /** in the last of them, if a nonce was used (`burnsNonce`): the nonce and its signer: */
  get nonceLow(): number {
    return this.i32[(this.at + 292) >> 2]!
  }

  set nonceLow(value: number) {
    this.i32[(this.at + 292) >> 2] = value
  }

  /** in the last of them, if a nonce was used (`burnsNonce`): the nonce and its signer: */
  get signer(): Signer {
    return this.i32[(this.at + 296) >> 2] as Signer
  }

  set signer(value: Signer) {
    this.i32[(this.at + 296) >> 2] = value
  }

  /** in the last of them, if a nonce was used (`burnsNonce`): the nonce and its signer: */
  get zero(): number {
    return this.i32[(this.at + 300) >> 2]!
  }

  set zero(value: number) {
    this.i32[(this.at + 300) >> 2] = value
  }
}

/** The longer OrderUpdate of a rejection adds the request to the common layout. 352 bytes. */
export class RefusalEvent extends OutcomeEvent {
  static override readonly bytes: number = 352
  readonly #refusedKey = new InstrumentKey()

  override claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 352, 2)
  }

  get refusedNonceHigh(): number {
    return this.u32[(this.at + 304) >> 2]!
  }

  set refusedNonceHigh(value: number) {
    this.u32[(this.at + 304) >> 2] = value
  }

  get refusedNonceLow(): number {
    return this.u32[(this.at + 308) >> 2]!
  }

  set refusedNonceLow(value: number) {
    this.u32[(this.at + 308) >> 2] = value
  }

  /** of the order to cancel or replace; 0: not identified by its id */
  get refusedOrderId(): number {
    return this.f64[(this.at + 312) >> 3]!
  }

  set refusedOrderId(value: number) {
    this.f64[(this.at + 312) >> 3] = value
  }

  /** zeroes in a cancel */
  get refusedKey(): InstrumentKey {
    return this.#refusedKey.over(this.views, this.at + 320)
  }
}

/** One wallet's part of a trade, and its state afterwards. 288 bytes. */
export class FillEvent extends AnyEvent {
  static override readonly bytes: number = 288

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 288, 3)
  }

  get fillId(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set fillId(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get tradeId(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set tradeId(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get orderId(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set orderId(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get priceMicros(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  get sizeLots(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  /** negative: a rebate */
  get feeMicros(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set feeMicros(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /** realized PnL of this fill */
  get realizedMicros(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set realizedMicros(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** after the fill */
  get positionLots(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set positionLots(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  /** cost basis after the fill, signed like the position */
  get costMicros(): number {
    return this.f64[(this.at + 88) >> 3]!
  }

  set costMicros(value: number) {
    this.f64[(this.at + 88) >> 3] = value
  }

  /** after the fill */
  get cashMicros(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set cashMicros(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  /** of the order */
  get cumFilledLots(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set cumFilledLots(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  /** realized PnL of the position so far, this fill included */
  get positionRealizedMicros(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set positionRealizedMicros(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 120) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 120) >> 2] = value
  }

  get side(): Side {
    return this.i32[(this.at + 124) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 124) >> 2] = value
  }

  get isTaker(): number {
    return this.i32[(this.at + 128) >> 2]!
  }

  set isTaker(value: number) {
    this.i32[(this.at + 128) >> 2] = value
  }

  /** OrderFlag bits of the order */
  get flags(): number {
    return this.i32[(this.at + 132) >> 2]!
  }

  set flags(value: number) {
    this.i32[(this.at + 132) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 136
  }

  get builderAt(): number {
    return this.at + 156
  }

  /** the builder's part of the fee */
  get builderFeeMicros(): number {
    return this.f64[(this.at + 176) >> 3]!
  }

  set builderFeeMicros(value: number) {
    this.f64[(this.at + 176) >> 3] = value
  }

  /** index of the underlying, as for fees, times the size; 0: unknown */
  get notionalMicros(): number {
    return this.f64[(this.at + 184) >> 3]!
  }

  set notionalMicros(value: number) {
    this.f64[(this.at + 184) >> 3] = value
  }

  get clientIdBytes(): number {
    return this.i32[(this.at + 192) >> 2]!
  }

  set clientIdBytes(value: number) {
    this.i32[(this.at + 192) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 196) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 196) >> 2] = value
  }

  get clientIdAt(): number {
    return this.at + 200
  }

  get clientIdText(): string {
    return readText(this.u8, this.at + 200, Math.min(64, this.clientIdBytes))
  }

  set clientIdText(text: string) {
    this.clientIdBytes = text.length
    writeText(text, this.u8, this.at + 200, 64)
  }

  /** initial margin in use after the fill; NaN without an active competition, like the next two */
  get marginMicros(): number {
    return this.f64[(this.at + 264) >> 3]!
  }

  set marginMicros(value: number) {
    this.f64[(this.at + 264) >> 3] = value
  }

  /** limits for prices in competitions; NaN: none */
  get bandLowerMicros(): number {
    return this.f64[(this.at + 272) >> 3]!
  }

  set bandLowerMicros(value: number) {
    this.f64[(this.at + 272) >> 3] = value
  }

  get bandUpperMicros(): number {
    return this.f64[(this.at + 280) >> 3]!
  }

  set bandUpperMicros(value: number) {
    this.f64[(this.at + 280) >> 3] = value
  }
}

/**
 * The longer Fill of a trade off the book. It has no order, except for a taker whose order was in
 * an auction. 320 bytes.
 */
export class ComboFillEvent extends FillEvent {
  static override readonly bytes: number = 320

  override claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 320, 3)
  }

  get rfqIdAt(): number {
    return this.at + 288
  }

  get quoteIdAt(): number {
    return this.at + 304
  }
}

/** Cash, tier or modes changed, or bootstrap. 168 bytes. */
export class AccountEvent extends AnyEvent {
  static override readonly bytes: number = 168

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 168, 4)
  }

  get cashMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set cashMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** change of cash by this event */
  get deltaMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set deltaMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get change(): AccountChange {
    return this.i32[(this.at + 40) >> 2] as AccountChange
  }

  set change(value: AccountChange) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get tier(): Tier {
    return this.i32[(this.at + 44) >> 2] as Tier
  }

  set tier(value: Tier) {
    this.i32[(this.at + 44) >> 2] = value
  }

  get marginMode(): MarginMode {
    return this.i32[(this.at + 48) >> 2] as MarginMode
  }

  set marginMode(value: MarginMode) {
    this.i32[(this.at + 48) >> 2] = value
  }

  get selfTrade(): SelfTradeMode {
    return this.i32[(this.at + 52) >> 2] as SelfTradeMode
  }

  set selfTrade(value: SelfTradeMode) {
    this.i32[(this.at + 52) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 56
  }

  get account(): number {
    return this.i32[(this.at + 76) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 76) >> 2] = value
  }

  /** net deposits so far */
  get depositsMicros(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set depositsMicros(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  get depositIdBytes(): number {
    return this.i32[(this.at + 88) >> 2]!
  }

  set depositIdBytes(value: number) {
    this.i32[(this.at + 88) >> 2] = value
  }

  get depositIdAt(): number {
    return this.at + 92
  }

  get depositIdText(): string {
    return readText(this.u8, this.at + 92, Math.min(64, this.depositIdBytes))
  }

  set depositIdText(text: string) {
    this.depositIdBytes = text.length
    writeText(text, this.u8, this.at + 92, 64)
  }

  /** 1: the wallet may only cancel */
  get stopped(): number {
    return this.i32[(this.at + 156) >> 2]!
  }

  set stopped(value: number) {
    this.i32[(this.at + 156) >> 2] = value
  }

  /** realized PnL of all positions so far, without fees */
  get realizedMicros(): number {
    return this.f64[(this.at + 160) >> 3]!
  }

  set realizedMicros(value: number) {
    this.f64[(this.at + 160) >> 3] = value
  }
}

/** 72 bytes. */
export class AgentEvent extends AnyEvent {
  static override readonly bytes: number = 72

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 72, 5)
  }

  get change(): AgentChange {
    return this.i32[(this.at + 24) >> 2] as AgentChange
  }

  set change(value: AgentChange) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 32
  }

  get agentAt(): number {
    return this.at + 52
  }
}

/**
 * Listed, expired, deleted, settled, or bootstrap. Ids are dense and rise in order of listing. 96
 * bytes.
 */
export class InstrumentEvent extends AnyEvent {
  static override readonly bytes: number = 96

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 96, 6)) return false
    this.i32[(this.at + 52) >> 2] = 0
    return true
  }

  get instrument(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  /** index of the underlying, dense in order of first listing */
  get underlying(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get change(): InstrumentChange {
    return this.i32[(this.at + 32) >> 2] as InstrumentChange
  }

  set change(value: InstrumentChange) {
    this.i32[(this.at + 32) >> 2] = value
  }

  get state(): InstrumentState {
    return this.i32[(this.at + 36) >> 2] as InstrumentState
  }

  set state(value: InstrumentState) {
    this.i32[(this.at + 36) >> 2] = value
  }

  /** TradingMode bits */
  get tradingMode(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set tradingMode(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get right(): Right {
    return this.i32[(this.at + 44) >> 2] as Right
  }

  set right(value: Right) {
    this.i32[(this.at + 44) >> 2] = value
  }

  /** YYYYMMDD of the symbol */
  get expiryDate(): number {
    return this.i32[(this.at + 48) >> 2]!
  }

  set expiryDate(value: number) {
    this.i32[(this.at + 48) >> 2] = value
  }

  get strikeMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set strikeMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  get expiryMillis(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set expiryMillis(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  get listedMillis(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set listedMillis(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** of the underlying */
  get nameAt(): number {
    return this.at + 80
  }

  get nameText(): string {
    return readText(this.u8, this.at + 80, 16)
  }

  set nameText(text: string) {
    writeText(text, this.u8, this.at + 80, 16)
  }
}

/** An accepted volatility input, as in the command. 64 bytes and its rows. */
export class SurfaceEvent extends AnyEvent {
  static override readonly bytes: number = 64

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 7)) return false
    this.i32[(this.at + 44) >> 2] = 0
    return true
  }

  get underlying(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get surfaceKind(): SurfaceKind {
    return this.i32[(this.at + 28) >> 2] as SurfaceKind
  }

  set surfaceKind(value: SurfaceKind) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get expiryMillis(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set expiryMillis(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get count(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get takenMillis(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set takenMillis(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** index when the input was taken; NaN: unknown */
  get indexMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set indexMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  get valuesAt(): number {
    return this.at + 64
  }

  values(i: number): number {
    return this.f64[((this.at + 64) >> 3) + i]!
  }

  setValues(i: number, value: number): void {
    this.f64[((this.at + 64) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  valuesView(count: number): Float64Array {
    const first = (this.at + 64) >> 3
    return this.f64.subarray(first, first + count)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (64 + count * 8 + 7) & ~7
  }
}

/** 32 bytes. */
export class RemarkedEvent extends AnyEvent {
  static override readonly bytes: number = 32

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 32, 8)
  }

  get underlying(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get phase(): RemarkPhase {
    return this.i32[(this.at + 28) >> 2] as RemarkPhase
  }

  set phase(value: RemarkPhase) {
    this.i32[(this.at + 28) >> 2] = value
  }
}

/** 32 bytes. */
export class HaltEvent extends AnyEvent {
  static override readonly bytes: number = 32

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 32, 9)
  }

  get underlying(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get mode(): HaltMode {
    return this.i32[(this.at + 28) >> 2] as HaltMode
  }

  set mode(value: HaltMode) {
    this.i32[(this.at + 28) >> 2] = value
  }
}

/** Bootstrap only; later changes are in fills and payouts. 80 bytes. */
export class PositionEvent extends AnyEvent {
  static override readonly bytes: number = 80

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 80, 10)) return false
    this.i32[(this.at + 76) >> 2] = 0
    return true
  }

  get lots(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set lots(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get costMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set costMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** realized PnL so far */
  get realizedMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set realizedMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 48) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 48) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 52) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 52) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 56
  }
}

/** 24 bytes. */
export class BootstrapEvent extends AnyEvent {
  static override readonly bytes: number = 24

  claim(sink: RecordSink, type: typeof EventType.BootstrapBegin | typeof EventType.BootstrapEnd): boolean {
    return this.claimIn(sink, 24, type)
  }
}

/**
 * A wallet's market-maker protection of an underlying: terms and freeze after the change, then the
 * fill counted, or one entry of a window. 152 bytes.
 */
export class MmpEvent extends AnyEvent {
  static override readonly bytes: number = 152

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 152, 13)) return false
    this.i32[(this.at + 120) >> 2] = 0
    this.i32[(this.at + 124) >> 2] = 0
    this.i32[(this.at + 128) >> 2] = 0
    this.i32[(this.at + 132) >> 2] = 0
    this.i32[(this.at + 136) >> 2] = 0
    this.i32[(this.at + 140) >> 2] = 0
    this.i32[(this.at + 144) >> 2] = 0
    this.i32[(this.at + 148) >> 2] = 0
    return true
  }

  get change(): MmpChange {
    return this.i32[(this.at + 24) >> 2] as MmpChange
  }

  set change(value: MmpChange) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get underlying(): number {
    return this.i32[(this.at + 32) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 32) >> 2] = value
  }

  /** limits reached: 1 quantity, 2 delta, 4 vega */
  get triggers(): number {
    return this.i32[(this.at + 36) >> 2]!
  }

  set triggers(value: number) {
    this.i32[(this.at + 36) >> 2] = value
  }

  get intervalMillis(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set intervalMillis(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get frozenMillis(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set frozenMillis(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** micros; 0: none */
  limits(i: number): number {
    return this.f64[((this.at + 56) >> 3) + i]!
  }

  setLimits(i: number, value: number): void {
    this.f64[((this.at + 56) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  limitsView(): Float64Array {
    const first = (this.at + 56) >> 3
    return this.f64.subarray(first, first + 3)
  }

  /** 0: never frozen; Infinity: until reset */
  get frozenUntilMillis(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set frozenUntilMillis(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  /** of the latest accepted SetMmp */
  get nonceHigh(): number {
    return this.i32[(this.at + 88) >> 2]!
  }

  set nonceHigh(value: number) {
    this.i32[(this.at + 88) >> 2] = value
  }

  get nonceLow(): number {
    return this.i32[(this.at + 92) >> 2]!
  }

  set nonceLow(value: number) {
    this.i32[(this.at + 92) >> 2] = value
  }

  /** positive if the protected wallet bought */
  get sizeLots(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  /** per contract */
  get deltaMicros(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set deltaMicros(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  /** per contract */
  get vegaMicros(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set vegaMicros(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  /** Entry: instead of a fill: */
  get entryMillis(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set entryMillis(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  /** Entry: instead of a fill: micros and remainder of quantity, delta, vega */
  amounts(i: number): number {
    return this.f64[((this.at + 104) >> 3) + i]!
  }

  setAmounts(i: number, value: number): void {
    this.f64[((this.at + 104) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  amountsView(): Float64Array {
    const first = (this.at + 104) >> 3
    return this.f64.subarray(first, first + 6)
  }
}

/** An underlying's expiry in a new phase, or with a new estimate. 72 bytes. */
export class SettlementEvent extends AnyEvent {
  static override readonly bytes: number = 72

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 72, 14)
  }

  get underlying(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get phase(): SettlementPhase {
    return this.i32[(this.at + 28) >> 2] as SettlementPhase
  }

  set phase(value: SettlementPhase) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get expiryMillis(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set expiryMillis(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** estimate until Pending, then the price; NaN: none */
  get priceMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  /** Settled: rounding remainder for the dust account */
  get dustMicros(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set dustMicros(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  get source(): PriceSource {
    return this.i32[(this.at + 56) >> 2] as PriceSource
  }

  set source(value: PriceSource) {
    this.i32[(this.at + 56) >> 2] = value
  }

  /** valid samples */
  get valid(): number {
    return this.i32[(this.at + 60) >> 2]!
  }

  set valid(value: number) {
    this.i32[(this.at + 60) >> 2] = value
  }

  /** Settled: total reduction of payouts, because others could not pay */
  get borneMicros(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set borneMicros(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }
}

/** One wallet's position in one instrument was settled, and its state afterwards. 128 bytes. */
export class PayoutEvent extends AnyEvent {
  static override readonly bytes: number = 128

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 128, 15)) return false
    this.i32[(this.at + 124) >> 2] = 0
    return true
  }

  /** incremented with each payout */
  get payoutId(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set payoutId(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** signed, before */
  get positionLots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set positionLots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** per contract */
  get payoffMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set payoffMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  /** signed like the position, as it was paid */
  get valueMicros(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set valueMicros(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  get feeMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set feeMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  /** cost basis of the position, signed */
  get costMicros(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set costMicros(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /** after */
  get cashMicros(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set cashMicros(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** settlement price of the underlying */
  get priceMicros(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  /**
   * reduction of the value, because others could not pay their debts; not deducted from the payoff
   */
  get borneMicros(): number {
    return this.f64[(this.at + 88) >> 3]!
  }

  set borneMicros(value: number) {
    this.f64[(this.at + 88) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 96) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 100) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 100) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 104
  }
}

/**
 * The ids as sent by the wallet; ids of other wallets' payouts are ignored. 56 bytes and its rows.
 */
export class PayoutsSeenEvent extends AnyEvent {
  static override readonly bytes: number = 56

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 16)
  }

  get account(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get seen(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set seen(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 32
  }

  get count(): number {
    return this.i32[(this.at + 52) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 52) >> 2] = value
  }

  get idsAt(): number {
    return this.at + 56
  }

  ids(i: number): number {
    return this.f64[((this.at + 56) >> 3) + i]!
  }

  setIds(i: number, value: number): void {
    this.f64[((this.at + 56) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  idsView(count: number): Float64Array {
    const first = (this.at + 56) >> 3
    return this.f64.subarray(first, first + count)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (56 + count * 8 + 7) & ~7
  }
}

/** Current balances of the venue. 72 bytes. */
export class FundsEvent extends AnyEvent {
  static override readonly bytes: number = 72

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 72, 17)) return false
    this.i32[(this.at + 68) >> 2] = 0
    return true
  }

  get feesMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set feesMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get insuranceMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set insuranceMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get dustMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set dustMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get clearingMicros(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set clearingMicros(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** operator deposits to the insurance fund so far */
  get depositsMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set depositsMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  get change(): FundsChange {
    return this.i32[(this.at + 64) >> 2] as FundsChange
  }

  set change(value: FundsChange) {
    this.i32[(this.at + 64) >> 2] = value
  }
}

/**
 * Liquidation state of a wallet after the change, and the amounts that determined it. 256 bytes and
 * its rows.
 */
export class LiquidationEvent extends AnyEvent {
  static override readonly bytes: number = 256
  readonly #positions = new LiquidationPosition()

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 18)) return false
    this.i32[(this.at + 252) >> 2] = 0
    return true
  }

  get equityMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set equityMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** maintenance margin required */
  get mmMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set mmMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** start of this state and mode */
  get enteredMillis(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set enteredMillis(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  /** end by time alone, as known now; 0: never */
  get deadlineMillis(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set deadlineMillis(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** target equity of the partial phase */
  get targetMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set targetMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  /** 0: not yet */
  get repricedMillis(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set repricedMillis(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /** number of the auction; 0: none */
  get auction(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set auction(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** its start */
  get auctionMillis(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set auctionMillis(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  /** of the auction's terms */
  get version(): number {
    return this.f64[(this.at + 88) >> 3]!
  }

  set version(value: number) {
    this.f64[(this.at + 88) >> 3] = value
  }

  /** amount missing to the buffer */
  get neededMicros(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set neededMicros(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  /** of the latest won bid: gain of the winner over the value of the account */
  get bonusMicros(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set bonusMicros(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  /** paid by the insurance fund so far */
  get insuranceMicros(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set insuranceMicros(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  /** borne by auto-deleveraged wallets so far */
  get deleveragedMicros(): number {
    return this.f64[(this.at + 120) >> 3]!
  }

  set deleveragedMicros(value: number) {
    this.f64[(this.at + 120) >> 3] = value
  }

  /** uncovered: the wallet's own debt */
  get uncoveredMicros(): number {
    return this.f64[(this.at + 128) >> 3]!
  }

  set uncoveredMicros(value: number) {
    this.f64[(this.at + 128) >> 3] = value
  }

  /** time since when equity is 0 or below, by the clock of the timers; 0: positive */
  get insolventMillis(): number {
    return this.f64[(this.at + 136) >> 3]!
  }

  set insolventMillis(value: number) {
    this.f64[(this.at + 136) >> 3] = value
  }

  /** liquidation fees paid by the account so far */
  get feeMicros(): number {
    return this.f64[(this.at + 144) >> 3]!
  }

  set feeMicros(value: number) {
    this.f64[(this.at + 144) >> 3] = value
  }

  /**
   * clock of the timers of this state and mode: engine time less the time that they were stopped
   */
  get clockMillis(): number {
    return this.f64[(this.at + 152) >> 3]!
  }

  set clockMillis(value: number) {
    this.f64[(this.at + 152) >> 3] = value
  }

  /** borne by wallets in profit, in proportion, so far */
  get sharedMicros(): number {
    return this.f64[(this.at + 160) >> 3]!
  }

  set sharedMicros(value: number) {
    this.f64[(this.at + 160) >> 3] = value
  }

  get account(): number {
    return this.i32[(this.at + 168) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 168) >> 2] = value
  }

  get change(): LiquidationChange {
    return this.i32[(this.at + 172) >> 2] as LiquidationChange
  }

  set change(value: LiquidationChange) {
    this.i32[(this.at + 172) >> 2] = value
  }

  get beforeState(): LiquidationState {
    return this.i32[(this.at + 176) >> 2] as LiquidationState
  }

  set beforeState(value: LiquidationState) {
    this.i32[(this.at + 176) >> 2] = value
  }

  get beforeMode(): LiquidationMode {
    return this.i32[(this.at + 180) >> 2] as LiquidationMode
  }

  set beforeMode(value: LiquidationMode) {
    this.i32[(this.at + 180) >> 2] = value
  }

  get state(): LiquidationState {
    return this.i32[(this.at + 184) >> 2] as LiquidationState
  }

  set state(value: LiquidationState) {
    this.i32[(this.at + 184) >> 2] = value
  }

  get mode(): LiquidationMode {
    return this.i32[(this.at + 188) >> 2] as LiquidationMode
  }

  set mode(value: LiquidationMode) {
    this.i32[(this.at + 188) >> 2] = value
  }

  get marginMode(): MarginMode {
    return this.i32[(this.at + 192) >> 2] as MarginMode
  }

  set marginMode(value: MarginMode) {
    this.i32[(this.at + 192) >> 2] = value
  }

  get bonusBps(): number {
    return this.i32[(this.at + 196) >> 2]!
  }

  set bonusBps(value: number) {
    this.i32[(this.at + 196) >> 2] = value
  }

  get isWaiting(): number {
    return this.i32[(this.at + 200) >> 2]!
  }

  set isWaiting(value: number) {
    this.i32[(this.at + 200) >> 2] = value
  }

  /** 1: the timers are stopped */
  get isStanding(): number {
    return this.i32[(this.at + 204) >> 2]!
  }

  set isStanding(value: number) {
    this.i32[(this.at + 204) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 208
  }

  /** zeros without one */
  get winnerAt(): number {
    return this.at + 228
  }

  /** positions that follow; only in the full phase */
  get count(): number {
    return this.i32[(this.at + 248) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 248) >> 2] = value
  }

  positions(i: number): LiquidationPosition {
    return this.#positions.over(this.views, this.at + 256 + i * 24)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (256 + count * 24 + 7) & ~7
  }
}

/** Terms of a running liquidation auction as of the event's time, or its end. 80 bytes. */
export class AuctionEvent extends AnyEvent {
  static override readonly bytes: number = 80

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 80, 19)) return false
    this.i32[(this.at + 76) >> 2] = 0
    return true
  }

  get number(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set number(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get version(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set version(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /**
   * required payment of a bid at the event's time, or payment of a won bid; negative: the insurance
   * fund pays
   */
  get requiredMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set requiredMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get account(): number {
    return this.i32[(this.at + 48) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 48) >> 2] = value
  }

  get change(): AuctionChange {
    return this.i32[(this.at + 52) >> 2] as AuctionChange
  }

  set change(value: AuctionChange) {
    this.i32[(this.at + 52) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 56
  }
}

/**
 * One wallet's side of a position move off the book, and its state afterwards. The other wallet's
 * side is an event of its own. 128 bytes.
 */
export class TransferEvent extends AnyEvent {
  static override readonly bytes: number = 128

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 128, 20)
  }

  get sizeLots(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get priceMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** amount that changed hands */
  get premiumMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set premiumMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get realizedMicros(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set realizedMicros(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** after */
  get positionLots(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set positionLots(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  /** after */
  get costMicros(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set costMicros(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /** after */
  get cashMicros(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set cashMicros(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** of the position so far, this move included */
  get positionRealizedMicros(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set positionRealizedMicros(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 88) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 88) >> 2] = value
  }

  /** `Buy` receives the position */
  get side(): Side {
    return this.i32[(this.at + 92) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 92) >> 2] = value
  }

  get cause(): TransferCause {
    return this.i32[(this.at + 96) >> 2] as TransferCause
  }

  set cause(value: TransferCause) {
    this.i32[(this.at + 96) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 100) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 100) >> 2] = value
  }

  /** account of the other side */
  get other(): number {
    return this.i32[(this.at + 104) >> 2]!
  }

  set other(value: number) {
    this.i32[(this.at + 104) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 108
  }
}

/**
 * The rate of a perp's period was fixed, or all its payments are done. The payments are Account
 * events. 72 bytes.
 */
export class FundingEvent extends AnyEvent {
  static override readonly bytes: number = 72

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 72, 21)
  }

  /** share of the index per period, 1e-9; if positive, longs pay */
  get rateNanos(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set rateNanos(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** Bootstrap: NaN */
  get indexMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set indexMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** of the period */
  get endMillis(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set endMillis(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  /** Paid: rounding remainder for the dust account */
  get dustMicros(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set dustMicros(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 56) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 56) >> 2] = value
  }

  get phase(): FundingPhase {
    return this.i32[(this.at + 60) >> 2] as FundingPhase
  }

  set phase(value: FundingPhase) {
    this.i32[(this.at + 60) >> 2] = value
  }

  /** number of samples in the mean */
  get samples(): number {
    return this.i32[(this.at + 64) >> 2]!
  }

  set samples(value: number) {
    this.i32[(this.at + 64) >> 2] = value
  }

  /** wallets with a position when it was fixed */
  get holders(): number {
    return this.i32[(this.at + 68) >> 2]!
  }

  set holders(value: number) {
    this.i32[(this.at + 68) >> 2] = value
  }
}

/** The maximum index of an underlying was set or raised. 40 bytes. */
export class MaxIndexEvent extends AnyEvent {
  static override readonly bytes: number = 40

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 40, 22)) return false
    this.i32[(this.at + 36) >> 2] = 0
    return true
  }

  get maxIndexMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set maxIndexMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get underlying(): number {
    return this.i32[(this.at + 32) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 32) >> 2] = value
  }
}

/** A quote provider: its status and sessions after the change. 72 bytes. */
export class ProviderEvent extends AnyEvent {
  static override readonly bytes: number = 72

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 72, 23)) return false
    this.i32[(this.at + 68) >> 2] = 0
    return true
  }

  get account(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get change(): ProviderChange {
    return this.i32[(this.at + 28) >> 2] as ProviderChange
  }

  set change(value: ProviderChange) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get status(): ProviderStatus {
    return this.i32[(this.at + 32) >> 2] as ProviderStatus
  }

  set status(value: ProviderStatus) {
    this.i32[(this.at + 32) >> 2] = value
  }

  /** number of open sessions */
  get sessions(): number {
    return this.i32[(this.at + 36) >> 2]!
  }

  set sessions(value: number) {
    this.i32[(this.at + 36) >> 2] = value
  }

  /** Connected, Left: of the session; else -1 */
  get gateway(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set gateway(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  /** Connected, Left: its number from the gateway; else -1 */
  get session(): number {
    return this.i32[(this.at + 44) >> 2]!
  }

  set session(value: number) {
    this.i32[(this.at + 44) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 48
  }
}

/**
 * An RFQ has a new status, or is repeated. Its final status is its last event and published once.
 * 272 bytes and its rows.
 */
export class RfqEvent extends AnyEvent {
  static override readonly bytes: number = 272
  readonly #legs = new RfqLegFacts()

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 24)
  }

  get rfqIdAt(): number {
    return this.at + 24
  }

  /** Accepted, Executed, or Failed at execution: the quote; else zeros */
  get quoteIdAt(): number {
    return this.at + 40
  }

  get createdMillis(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set createdMillis(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  /** last millisecond in which providers may quote */
  get responseMillis(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set responseMillis(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /** last millisecond in which a quote may be accepted */
  get expiresMillis(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set expiresMillis(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** Auto: as signed; Auction: limit price of the order, of a contract */
  get limitMicros(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set limitMicros(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  /** Auto: minimum net premium that executes at once */
  get boundMicros(): number {
    return this.f64[(this.at + 88) >> 3]!
  }

  set boundMicros(value: number) {
    this.f64[(this.at + 88) >> 3] = value
  }

  /** of the quote */
  get netPremiumMicros(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set netPremiumMicros(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  /** Executed: trade of the first leg */
  get fillId(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set fillId(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  /** of the order that replaced it on the book; 0: none */
  get fallbackOrderId(): number {
    return this.f64[(this.at + 112) >> 3]!
  }

  set fallbackOrderId(value: number) {
    this.f64[(this.at + 112) >> 3] = value
  }

  /** of the taker */
  get account(): number {
    return this.i32[(this.at + 120) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 120) >> 2] = value
  }

  get change(): RfqChange {
    return this.i32[(this.at + 124) >> 2] as RfqChange
  }

  set change(value: RfqChange) {
    this.i32[(this.at + 124) >> 2] = value
  }

  get status(): RfqStatus {
    return this.i32[(this.at + 128) >> 2] as RfqStatus
  }

  set status(value: RfqStatus) {
    this.i32[(this.at + 128) >> 2] = value
  }

  get kind(): RfqKind {
    return this.i32[(this.at + 132) >> 2] as RfqKind
  }

  set kind(value: RfqKind) {
    this.i32[(this.at + 132) >> 2] = value
  }

  /** reason of its end; `Accepted`: none */
  get reason(): Result {
    return this.i32[(this.at + 136) >> 2] as Result
  }

  set reason(value: Result) {
    this.i32[(this.at + 136) >> 2] = value
  }

  /** of the taker */
  get walletAt(): number {
    return this.at + 140
  }

  /** of the reason */
  details(i: number): number {
    return this.f64[((this.at + 160) >> 3) + i]!
  }

  setDetails(i: number, value: number): void {
    this.f64[((this.at + 160) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  detailsView(): Float64Array {
    const first = (this.at + 160) >> 3
    return this.f64.subarray(first, first + 10)
  }

  /** Auction: reference price per contract for quotes */
  get referenceMicros(): number {
    return this.f64[(this.at + 240) >> 3]!
  }

  set referenceMicros(value: number) {
    this.f64[(this.at + 240) >> 3] = value
  }

  /** Auction: minimum improvement, if one is required */
  get tickMicros(): number {
    return this.f64[(this.at + 248) >> 3]!
  }

  set tickMicros(value: number) {
    this.f64[(this.at + 248) >> 3] = value
  }

  /** Auction: of the order */
  get orderId(): number {
    return this.f64[(this.at + 256) >> 3]!
  }

  set orderId(value: number) {
    this.f64[(this.at + 256) >> 3] = value
  }

  /** Auction: 1 if the book gives the reference, 0 if the limit does */
  get mustImprove(): number {
    return this.i32[(this.at + 264) >> 2]!
  }

  set mustImprove(value: number) {
    this.i32[(this.at + 264) >> 2] = value
  }

  /** legs */
  get count(): number {
    return this.i32[(this.at + 268) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 268) >> 2] = value
  }

  legs(i: number): RfqLegFacts {
    return this.#legs.over(this.views, this.at + 272 + i * 16)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (272 + count * 16 + 7) & ~7
  }
}

/**
 * Relation of a provider to an RFQ. All live quotes end with the RFQ, without events of their own.
 * 200 bytes and its rows.
 */
export class RfqQuoteEvent extends AnyEvent {
  static override readonly bytes: number = 200

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 25)
  }

  get rfqIdAt(): number {
    return this.at + 24
  }

  /** zeros: none */
  get quoteIdAt(): number {
    return this.at + 40
  }

  /** in the taker's view */
  get netPremiumMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set netPremiumMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  get madeMillis(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set madeMillis(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /** last millisecond in which it may be accepted */
  get expiresMillis(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set expiresMillis(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** of the provider */
  get account(): number {
    return this.i32[(this.at + 80) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 80) >> 2] = value
  }

  /** account; -1 in an auction, whose quotes are sealed */
  get taker(): number {
    return this.i32[(this.at + 84) >> 2]!
  }

  set taker(value: number) {
    this.i32[(this.at + 84) >> 2] = value
  }

  get change(): RfqQuoteChange {
    return this.i32[(this.at + 88) >> 2] as RfqQuoteChange
  }

  set change(value: RfqQuoteChange) {
    this.i32[(this.at + 88) >> 2] = value
  }

  /** Withdrawn, MarginRejected: reason */
  get reason(): Result {
    return this.i32[(this.at + 92) >> 2] as Result
  }

  set reason(value: Result) {
    this.i32[(this.at + 92) >> 2] = value
  }

  /** of the provider */
  get walletAt(): number {
    return this.at + 96
  }

  /** prices */
  get count(): number {
    return this.i32[(this.at + 116) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 116) >> 2] = value
  }

  /** of the reason */
  details(i: number): number {
    return this.f64[((this.at + 120) >> 3) + i]!
  }

  setDetails(i: number, value: number): void {
    this.f64[((this.at + 120) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  detailsView(): Float64Array {
    const first = (this.at + 120) >> 3
    return this.f64.subarray(first, first + 10)
  }

  /** by leg, as quoted */
  get pricesMicrosAt(): number {
    return this.at + 200
  }

  pricesMicros(i: number): number {
    return this.f64[((this.at + 200) >> 3) + i]!
  }

  setPricesMicros(i: number, value: number): void {
    this.f64[((this.at + 200) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  pricesMicrosView(count: number): Float64Array {
    const first = (this.at + 200) >> 3
    return this.f64.subarray(first, first + count)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (200 + count * 8 + 7) & ~7
  }
}

/** Names of a wallet after the change. 104 bytes. */
export class UsernameEvent extends AnyEvent {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 104, 29)) return false
    this.i32[(this.at + 100) >> 2] = 0
    return true
  }

  get account(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get change(): UsernameChange {
    return this.i32[(this.at + 28) >> 2] as UsernameChange
  }

  set change(value: UsernameChange) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 32
  }

  get usernameBytes(): number {
    return this.i32[(this.at + 52) >> 2]!
  }

  set usernameBytes(value: number) {
    this.i32[(this.at + 52) >> 2] = value
  }

  /** its name; empty: none */
  get usernameAt(): number {
    return this.at + 56
  }

  get usernameText(): string {
    return readText(this.u8, this.at + 56, Math.min(20, this.usernameBytes))
  }

  set usernameText(text: string) {
    this.usernameBytes = text.length
    writeText(text, this.u8, this.at + 56, 20)
  }

  get pendingBytes(): number {
    return this.i32[(this.at + 76) >> 2]!
  }

  set pendingBytes(value: number) {
    this.i32[(this.at + 76) >> 2] = value
  }

  /** the requested name; empty: none */
  get pendingAt(): number {
    return this.at + 80
  }

  get pendingText(): string {
    return readText(this.u8, this.at + 80, Math.min(20, this.pendingBytes))
  }

  set pendingText(text: string) {
    this.pendingBytes = text.length
    writeText(text, this.u8, this.at + 80, 20)
  }
}

/** Current state of a directive, or a repetition of it. 160 bytes. */
export class DirectiveEvent extends AnyEvent {
  static override readonly bytes: number = 160

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 160, 26)) return false
    this.i32[(this.at + 156) >> 2] = 0
    return true
  }

  get directiveIdAt(): number {
    return this.at + 24
  }

  /** SendAsset: amount to send; else 0 */
  get amountMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set amountMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get createdMillis(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set createdMillis(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** of all wallets after this event: withdrawn, and neither delivered nor returned */
  get inTransitMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set inTransitMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  get action(): DirectiveAction {
    return this.i32[(this.at + 64) >> 2] as DirectiveAction
  }

  set action(value: DirectiveAction) {
    this.i32[(this.at + 64) >> 2] = value
  }

  get domain(): DomainStatus {
    return this.i32[(this.at + 68) >> 2] as DomainStatus
  }

  set domain(value: DomainStatus) {
    this.i32[(this.at + 68) >> 2] = value
  }

  get delivery(): DeliveryStatus {
    return this.i32[(this.at + 72) >> 2] as DeliveryStatus
  }

  set delivery(value: DeliveryStatus) {
    this.i32[(this.at + 72) >> 2] = value
  }

  /** reason of a rejection; else `Accepted` */
  get reason(): Result {
    return this.i32[(this.at + 76) >> 2] as Result
  }

  set reason(value: Result) {
    this.i32[(this.at + 76) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 80) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 80) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 84
  }

  /** SendAsset: destination; else zeros */
  get destinationAt(): number {
    return this.at + 104
  }

  /** zeros: none */
  get txHashAt(): number {
    return this.at + 124
  }
}

/** A named key of a wallet that may sign trading directives was set or removed. 104 bytes. */
export class ApiWalletEvent extends AnyEvent {
  static override readonly bytes: number = 104

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 104, 28)
  }

  get change(): AgentChange {
    return this.i32[(this.at + 24) >> 2] as AgentChange
  }

  set change(value: AgentChange) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 32
  }

  get apiWalletAt(): number {
    return this.at + 52
  }

  get nameAt(): number {
    return this.at + 72
  }
}

/** A competition after the change. 96 bytes and its rows. */
export class CompetitionEvent extends AnyEvent {
  static override readonly bytes: number = 96

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 30)
  }

  get competitionId(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set competitionId(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get change(): CompetitionChange {
    return this.i32[(this.at + 32) >> 2] as CompetitionChange
  }

  set change(value: CompetitionChange) {
    this.i32[(this.at + 32) >> 2] = value
  }

  get state(): CompetitionState {
    return this.i32[(this.at + 36) >> 2] as CompetitionState
  }

  set state(value: CompetitionState) {
    this.i32[(this.at + 36) >> 2] = value
  }

  get startMillis(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set startMillis(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  /** first millisecond after the competition */
  get endMillis(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set endMillis(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** CompetitionMetric of each win condition, two bits each, the primary one lowest */
  get conditions(): number {
    return this.i32[(this.at + 56) >> 2]!
  }

  set conditions(value: number) {
    this.i32[(this.at + 56) >> 2] = value
  }

  get nameBytes(): number {
    return this.i32[(this.at + 60) >> 2]!
  }

  set nameBytes(value: number) {
    this.i32[(this.at + 60) >> 2] = value
  }

  get descriptionBytes(): number {
    return this.i32[(this.at + 64) >> 2]!
  }

  set descriptionBytes(value: number) {
    this.i32[(this.at + 64) >> 2] = value
  }

  /** of its rules */
  get urlBytes(): number {
    return this.i32[(this.at + 68) >> 2]!
  }

  set urlBytes(value: number) {
    this.i32[(this.at + 68) >> 2] = value
  }

  get rulesBytes(): number {
    return this.i32[(this.at + 72) >> 2]!
  }

  set rulesBytes(value: number) {
    this.i32[(this.at + 72) >> 2] = value
  }

  /** bytes of all texts */
  get count(): number {
    return this.i32[(this.at + 76) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 76) >> 2] = value
  }

  get createdMillis(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set createdMillis(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  get updatedMillis(): number {
    return this.f64[(this.at + 88) >> 3]!
  }

  set updatedMillis(value: number) {
    this.f64[(this.at + 88) >> 3] = value
  }

  /** UTF-8 */
  get textsAt(): number {
    return this.at + 96
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (96 + count * 1 + 7) & ~7
  }
}

/**
 * With the change `Marks`: the marks at the start or end of a competition. Missing marks are
 * omitted. 40 bytes and its rows.
 */
export class CompetitionMarksEvent extends AnyEvent {
  static override readonly bytes: number = 40
  readonly #marks = new OpenMark()

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 30)
  }

  get competitionId(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set competitionId(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get change(): CompetitionChange {
    return this.i32[(this.at + 32) >> 2] as CompetitionChange
  }

  set change(value: CompetitionChange) {
    this.i32[(this.at + 32) >> 2] = value
  }

  get count(): number {
    return this.i32[(this.at + 36) >> 2]!
  }

  set count(value: number) {
    this.i32[(this.at + 36) >> 2] = value
  }

  marks(i: number): OpenMark {
    return this.#marks.over(this.views, this.at + 40 + i * 16)
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (40 + count * 16 + 7) & ~7
  }
}

/**
 * Referral code and referrer of a wallet, after either was set; or bootstrap. Neither ever changes.
 * 112 bytes.
 */
export class ReferralEvent extends AnyEvent {
  static override readonly bytes: number = 112

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 112, 31)) return false
    this.i32[(this.at + 108) >> 2] = 0
    return true
  }

  /** of the code; 0: none */
  get createdMillis(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set createdMillis(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** of the binding, incremented with each; 0: none */
  get number(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set number(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get account(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get codeBytes(): number {
    return this.i32[(this.at + 44) >> 2]!
  }

  set codeBytes(value: number) {
    this.i32[(this.at + 44) >> 2] = value
  }

  get codeAt(): number {
    return this.at + 48
  }

  get codeText(): string {
    return readText(this.u8, this.at + 48, Math.min(20, this.codeBytes))
  }

  set codeText(text: string) {
    this.codeBytes = text.length
    writeText(text, this.u8, this.at + 48, 20)
  }

  get walletAt(): number {
    return this.at + 68
  }

  /** zeros: none */
  get referrerAt(): number {
    return this.at + 88
  }
}

/**
 * A push subscription, or the notification topics of a wallet. Only the push sender reads it. 152
 * bytes and its rows.
 */
export class PushEvent extends AnyEvent {
  static override readonly bytes: number = 152

  claim(sink: RecordSink, bytes: number): boolean {
    return this.claimIn(sink, bytes, 38)
  }

  /** incremented with each; 0: none */
  get subscriptionId(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set subscriptionId(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get change(): PushChange {
    return this.i32[(this.at + 32) >> 2] as PushChange
  }

  set change(value: PushChange) {
    this.i32[(this.at + 32) >> 2] = value
  }

  /** PushTopic bits of the wallet */
  get topics(): number {
    return this.i32[(this.at + 36) >> 2]!
  }

  set topics(value: number) {
    this.i32[(this.at + 36) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get endpointBytes(): number {
    return this.i32[(this.at + 44) >> 2]!
  }

  set endpointBytes(value: number) {
    this.i32[(this.at + 44) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 48
  }

  /** point, secret, zeros */
  get keysAt(): number {
    return this.at + 68
  }

  /** ASCII */
  get endpointAt(): number {
    return this.at + 152
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (152 + count * 1 + 7) & ~7
  }
}

/** 112 bytes. */
export class TradeEvent extends AnyEvent {
  static override readonly bytes: number = 112

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 112, 32)
  }

  get tradeId(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set tradeId(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get priceMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get sizeLots(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get makerFeeMicros(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set makerFeeMicros(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  get takerFeeMicros(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set takerFeeMicros(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 64) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 64) >> 2] = value
  }

  get takerSide(): Side {
    return this.i32[(this.at + 68) >> 2] as Side
  }

  set takerSide(value: Side) {
    this.i32[(this.at + 68) >> 2] = value
  }

  get makerAt(): number {
    return this.at + 72
  }

  get takerAt(): number {
    return this.at + 92
  }
}

/** 48 bytes. */
export class BookLevelEvent extends AnyEvent {
  static override readonly bytes: number = 48

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 48, 33)
  }

  get priceMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** total at the price after the change; 0: the level was removed */
  get sizeLots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get instrument(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get side(): Side {
    return this.i32[(this.at + 44) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 44) >> 2] = value
  }
}

/** 32 bytes. */
export class BookClearedEvent extends AnyEvent {
  static override readonly bytes: number = 32

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 32, 34)) return false
    this.i32[(this.at + 28) >> 2] = 0
    return true
  }

  get instrument(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }
}

/** 48 bytes. */
export class IndexPriceEvent extends AnyEvent {
  static override readonly bytes: number = 48

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 48, 35)) return false
    this.i32[(this.at + 44) >> 2] = 0
    return true
  }

  get priceMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get observedMillis(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set observedMillis(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get underlying(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }
}
