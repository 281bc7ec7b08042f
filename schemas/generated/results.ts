// Generated from schemas/records by `npm run generate`; not to be edited.
import type { Side } from '../domain.js'
import type { DoneOutcome, RemovedCause } from '../record-values.js'
import { AnyRecord } from './any-record.js'
import type { RecordSink } from '../record-views.js'

/** Matcher to core, on the result ring, in the order of the commands that caused them. */
export const ResultRecord = {
  Fill: 1,
  Removed: 2,
  Level: 3,
  Done: 4,
  Reduced: 5,
  Mmp: 6,
  BookTop: 7,
} as const
export type ResultRecord = (typeof ResultRecord)[keyof typeof ResultRecord]

/** Header of every record from a matcher. 12 bytes. */
export class AnyResult extends AnyRecord {
  static override readonly bytes: number = 12

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }
}

/** One trade at the maker's price. 40 bytes. */
export class MatchedFill extends AnyResult {
  static override readonly bytes: number = 40

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 40, 1)
  }

  get instrument(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  get makerHandle(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set makerHandle(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get takerHandle(): number {
    return this.i32[(this.at + 20) >> 2]!
  }

  set takerHandle(value: number) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get priceMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get sizeLots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }
}

/** An order left the book, or never entered it, with `openLots` unfilled. 32 bytes. */
export class RemovedOrder extends AnyResult {
  static override readonly bytes: number = 32

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 32, 2)
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

  get cause(): RemovedCause {
    return this.i32[(this.at + 20) >> 2] as RemovedCause
  }

  set cause(value: RemovedCause) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get openLots(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set openLots(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }
}

/** A reduce-only order lost size and stays at its place with `openLots`. 32 bytes. */
export class ReducedOrder extends AnyResult {
  static override readonly bytes: number = 32

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 32, 5)) return false
    this.i32[(this.at + 20) >> 2] = 0
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

  get openLots(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set openLots(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }
}

/**
 * The best prices of a book, before a Done with AsksAuction: the order of its ticket was not
 * placed. 32 bytes.
 */
export class BookTop extends AnyResult {
  static override readonly bytes: number = 32

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 32, 7)
  }

  get instrument(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** 0: none */
  get bidMicros(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set bidMicros(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  /** 0: none */
  get askMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set askMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }
}

/** Total size at a price after a command changed it; one record per level and command. 40 bytes. */
export class ChangedLevel extends AnyResult {
  static override readonly bytes: number = 40

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 40, 3)) return false
    this.i32[(this.at + 20) >> 2] = 0
    return true
  }

  get instrument(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set instrument(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** of the resting orders */
  get side(): Side {
    return this.i32[(this.at + 16) >> 2] as Side
  }

  set side(value: Side) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get priceMicros(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set priceMicros(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** 0: the level was removed */
  get sizeLots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }
}

/**
 * Precedes the Fill that a protection window counts; triggered removals follow the Fill. 48 bytes.
 */
export class CountedFill extends AnyResult {
  static override readonly bytes: number = 48

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 48, 6)
  }

  get account(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set account(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  get underlying(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set underlying(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  /** MmpTrigger bits */
  get triggers(): number {
    return this.i32[(this.at + 20) >> 2]!
  }

  set triggers(value: number) {
    this.i32[(this.at + 20) >> 2] = value
  }

  /** positive if the protected account buys */
  get sizeLots(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get deltaMicros(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set deltaMicros(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get vegaMicros(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set vegaMicros(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }
}

/** The last record of every command. 24 bytes. */
export class DoneCommand extends AnyResult {
  static override readonly bytes: number = 24

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 24, 4)
  }

  get outcome(): DoneOutcome {
    return this.i32[(this.at + 12) >> 2] as DoneOutcome
  }

  set outcome(value: DoneOutcome) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** resting lots of the incoming order; OpenDiffers: the old order's open size */
  get openLots(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set openLots(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }
}
