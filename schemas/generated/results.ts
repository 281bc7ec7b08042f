// Generated from schemas/records by `npm run generate`; not to be edited.
import type { Side } from '../domain.js'
import type { DoneOutcome, RemovedCause } from '../record-values.js'
import { noViews, type RecordPlace, type RecordSink, type RecordViews } from '../record-views.js'

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

/** What every one begins with. 16 bytes. */
export class AnyResult {
  static readonly bytes = 16
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }
}

/** One trade at the maker's price. 40 bytes. */
export class MatchedFill {
  static readonly bytes = 40
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(40, 1)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
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
export class RemovedOrder {
  static readonly bytes = 32
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(32, 2)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
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

/** A reduce-only order lost size and works on with `openLots`, in its old place. 32 bytes. */
export class ReducedOrder {
  static readonly bytes = 32
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(32, 5)
    if (at < 0) return false
    this.over(sink.views, at)
    this.i32[(at + 20) >> 2] = 0
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
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
 * The best prices of a book, before Done says AsksAuction: the order of its ticket has not been
 * placed. 32 bytes.
 */
export class BookTop {
  static readonly bytes = 32
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(32, 7)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
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
export class ChangedLevel {
  static readonly bytes = 40
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(40, 3)
    if (at < 0) return false
    this.over(sink.views, at)
    this.i32[(at + 20) >> 2] = 0
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
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

  /** 0: the level is gone */
  get sizeLots(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set sizeLots(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }
}

/**
 * Stands before the Fill that a protection window counts; removals that it triggers follow that. 48
 * bytes.
 */
export class CountedFill {
  static readonly bytes = 48
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(48, 6)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
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

  /** above zero when the protected account buys */
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
export class DoneCommand {
  static readonly bytes = 24
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(24, 4)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get ticket(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set ticket(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  get outcome(): DoneOutcome {
    return this.i32[(this.at + 12) >> 2] as DoneOutcome
  }

  set outcome(value: DoneOutcome) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** what rests of the incoming order; OpenDiffers: the old order's open size */
  get openLots(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set openLots(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }
}
