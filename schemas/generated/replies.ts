// Generated from schemas/records by `npm run generate`; not to be edited.
import { noViews, type RecordPlace, type RecordSink, type RecordViews } from '../record-views.js'

/** What comes back: the body of a reply or publication in one or more records, never mixed with another's. */
export const ReplyRecord = {
  Part: 1,
  Last: 2,
  PushPart: 3,
  PushLast: 4,
} as const
export type ReplyRecord = (typeof ReplyRecord)[keyof typeof ReplyRecord]

/** Of the reply to the read of the same slot. 24 bytes and its rows. */
export class ReplyPart {
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
  claim(sink: RecordSink, type: typeof ReplyRecord.Part | typeof ReplyRecord.Last, bytes: number): boolean {
    const at = sink.tryClaim(bytes, type)
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

  get slot(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set slot(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  /** of HTTP */
  get status(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set status(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** in this record */
  get bodyBytes(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set bodyBytes(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get bodyAt(): number {
    return this.at + 24
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (24 + count * 1 + 7) & ~7
  }
}

/** Of a publication. 56 bytes and its rows. */
export class PushPart {
  static readonly bytes = 56
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
  claim(sink: RecordSink, type: typeof ReplyRecord.PushPart | typeof ReplyRecord.PushLast, bytes: number): boolean {
    const at = sink.tryClaim(bytes, type)
    if (at < 0) return false
    this.over(sink.views, at)
    this.i32[(at + 52) >> 2] = 0
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

  /** of the watch; portfolio: of the one that the snapshot is for, 0 for all */
  get slot(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set slot(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  /** PushKind */
  get kind(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set kind(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** in this record */
  get bodyBytes(): number {
    return this.i32[(this.at + 16) >> 2]!
  }

  set bodyBytes(value: number) {
    this.i32[(this.at + 16) >> 2] = value
  }

  /** instrument of a PositionUpdate, row of the chain, right of a removal, or competition */
  get subject(): number {
    return this.i32[(this.at + 20) >> 2]!
  }

  set subject(value: number) {
    this.i32[(this.at + 20) >> 2] = value
  }

  /** of the engine, that it includes */
  get seq(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set seq(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** zeros on the chain */
  get walletAt(): number {
    return this.at + 32
  }

  copyWallet(from: RecordViews, at: number): void {
    const to = (this.at + 32) >> 2
    const first = at >> 2
    for (let i = 0; i < 5; i++) this.i32[to + i] = from.i32[first + i]!
  }

  get bodyAt(): number {
    return this.at + 56
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (56 + count * 1 + 7) & ~7
  }
}
