// Generated from schemas/records by `npm run generate`; not to be edited.
import { noViews, type RecordPlace, type RecordSink, type RecordViews } from '../record-views.js'

/** What a browser is to be told. */
export const NoticeType = {
  Notice: 1,
} as const
export type NoticeType = (typeof NoticeType)[keyof typeof NoticeType]

/**
 * A notification for one subscription, as JSON: where to, for whom, and what. 16 bytes and its
 * rows.
 */
export class NoticeRecord {
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

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink, bytes: number): boolean {
    const at = sink.tryClaim(bytes, 1)
    if (at < 0) return false
    this.over(sink.views, at)
    this.i32[(at + 12) >> 2] = 0
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

  get textBytes(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set textBytes(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  /** UTF-8 */
  get textAt(): number {
    return this.at + 16
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (16 + count * 1 + 7) & ~7
  }
}
