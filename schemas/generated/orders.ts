// Generated from schemas/records by `npm run generate`; not to be edited.
import type { SelfTradeMode, Side, Tif } from '../domain.js'
import type { MmpAction } from '../record-values.js'
import { AnyRecord } from './any-record.js'
import type { RecordSink } from '../record-views.js'

/** Core to matcher, on the order ring. */
export const OrderRecord = {
  Place: 1,
  Replace: 2,
  Cancel: 3,
  CloseBook: 4,
  MmpEntry: 5,
  Mmp: 6,
  Position: 7,
  DecideAuction: 8,
} as const
export type OrderRecord = (typeof OrderRecord)[keyof typeof OrderRecord]

/** Header of every record to a matcher. 12 bytes. */
export class AnyOrder extends AnyRecord {
  static override readonly bytes: number = 12

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }
}

/**
 * A Cancel uses ticket, instrument and handle. A CloseBook uses ticket and instrument: the book is
 * dropped and only Done is sent, since the core knows every order in it. A Position changed off the
 * book, of an account with working reduce-only orders. It uses ticket, instrument, account and
 * positionLots, is sent when the matcher owes no results, and causes Removed and Reduced records. A
 * DecideAuction is a Place of an order after its auction, with the best quote `quotedMicros`. The
 * order executes if the book fills it completely at that price or better. Otherwise nothing
 * happens, and Done has QuoteWins. 120 bytes.
 */
export class MatcherOrder extends AnyOrder {
  static override readonly bytes: number = 120

  claim(sink: RecordSink, type: typeof OrderRecord.Place | typeof OrderRecord.Replace | typeof OrderRecord.Cancel | typeof OrderRecord.CloseBook | typeof OrderRecord.Position | typeof OrderRecord.DecideAuction): boolean {
    if (!this.claimIn(sink, 120, type)) return false
    this.i32[(this.at + 116) >> 2] = 0
    return true
  }

  get instrument(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  get handle(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set handle(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 20) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get side(): Side {
    return this.i32[(this.at + 24) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get tif(): Tif {
    return this.i32[(this.at + 28) >> 2] as Tif
  }

  set tif(value: Tif) {
    this.i32[(this.at + 28) >> 2] = value
  }

  /** OrderFlag bits, and `countsAsTakerFlag` */
  get flags(): number {
    return this.i32[(this.at + 32) >> 2]!
  }

  set flags(value: number) {
    this.i32[(this.at + 32) >> 2] = value
  }

  /** of the account */
  get selfTrade(): SelfTradeMode {
    return this.i32[(this.at + 36) >> 2] as SelfTradeMode
  }

  set selfTrade(value: SelfTradeMode) {
    this.i32[(this.at + 36) >> 2] = value
  }

  /** at most 5 significant figures */
  get priceMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  /** quantity to match now */
  get sizeLots(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /**
   * Replace: the old order; with `unbookedFlag` it is in no book, and open with `expectedOpenLots`
   */
  get oldHandle(): number {
    return this.i32[(this.at + 56) >> 2]!
  }

  set oldHandle(value: number) {
    this.i32[(this.at + 56) >> 2] = value
  }

  /** changes when the core has applied all results so far */
  get round(): number {
    return this.i32[(this.at + 60) >> 2]!
  }

  set round(value: number) {
    this.i32[(this.at + 60) >> 2] = value
  }

  /** Replace: open size of the old order in the core; if the book's differs, nothing happens */
  get expectedOpenLots(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set expectedOpenLots(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /**
   * Reduce-only: the account's position in the instrument at the start of the round, positive if
   * long
   */
  get positionLots(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set positionLots(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }

  /** engine time */
  get nowMillis(): number {
    return this.f64[(this.at + 80) >> 3]!
  }

  set nowMillis(value: number) {
    this.f64[(this.at + 80) >> 3] = value
  }

  /** of the instrument's mark when the core decided the order, per contract */
  get deltaMicros(): number {
    return this.f64[(this.at + 88) >> 3]!
  }

  set deltaMicros(value: number) {
    this.f64[(this.at + 88) >> 3] = value
  }

  get vegaMicros(): number {
    return this.f64[(this.at + 96) >> 3]!
  }

  set vegaMicros(value: number) {
    this.f64[(this.at + 96) >> 3] = value
  }

  /** Place: best indicative price of a provider, 0: none; DecideAuction: price of the best quote */
  get quotedMicros(): number {
    return this.f64[(this.at + 104) >> 3]!
  }

  set quotedMicros(value: number) {
    this.f64[(this.at + 104) >> 3] = value
  }

  get underlying(): number {
    return this.i32[(this.at + 112) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 112) >> 2] = value
  }
}

/**
 * Sets, resets or removes the protection of an account and underlying; only Done is sent. Set keeps
 * the fills of a window, Reset removes them and ends the freeze, Delete ends the protection. 80
 * bytes.
 */
export class MatcherMmp extends AnyOrder {
  static override readonly bytes: number = 80

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 80, 6)
  }

  get action(): MmpAction {
    return this.i32[(this.at + 12) >> 2] as MmpAction
  }

  set action(value: MmpAction) {
    this.i32[(this.at + 12) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get underlying(): number {
    return this.i32[(this.at + 20) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get intervalMillis(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set intervalMillis(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** duration of a freeze; 0: until reset */
  get frozenMillis(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set frozenMillis(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  /** micros by Measure; 0: no limit */
  limits(i: number): number {
    return this.f64[((this.at + 40) >> 3) + i]!
  }

  setLimits(i: number, value: number): void {
    this.f64[((this.at + 40) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  limitsView(): Float64Array {
    const first = (this.at + 40) >> 3
    return this.f64.subarray(first, first + 3)
  }

  /** as in the core */
  get frozenUntilMillis(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set frozenUntilMillis(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  /** engine time */
  get nowMillis(): number {
    return this.f64[(this.at + 72) >> 3]!
  }

  set nowMillis(value: number) {
    this.f64[(this.at + 72) >> 3] = value
  }
}

/**
 * One entry of a protection window, at recovery; follows the Mmp record of the window. 80 bytes.
 */
export class MatcherMmpEntry extends AnyOrder {
  static override readonly bytes: number = 80

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 80, 5)
  }

  get zero(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set zero(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  get account(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get underlying(): number {
    return this.i32[(this.at + 20) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get entryMillis(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set entryMillis(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** micros and remainder by Measure */
  amounts(i: number): number {
    return this.f64[((this.at + 32) >> 3) + i]!
  }

  setAmounts(i: number, value: number): void {
    this.f64[((this.at + 32) >> 3) + i] = value
  }

  /** All of them; an object a call, so not for the path of an order. */
  amountsView(): Float64Array {
    const first = (this.at + 32) >> 3
    return this.f64.subarray(first, first + 6)
  }
}
