// Generated from schemas/records by `npm run generate`; not to be edited.
import { noViews, type RecordPlace, type RecordSink, type RecordViews } from '../record-views.js'

/** What a gateway wants published, on the read ring in turn with the reads; types above every read. For a wallet that is watched already, Portfolio is its snapshot alone. */
export const WatchRecord = {
  Portfolio: 1001,
  PortfolioEnd: 1002,
  Chain: 1003,
  ChainEnd: 1004,
  Competition: 1005,
  CompetitionEnd: 1006,
  Engagement: 1007,
  EngagementEnd: 1008,
} as const
export type WatchRecord = (typeof WatchRecord)[keyof typeof WatchRecord]

/**
 * The type is the endpoint's place in `readModelKeys`, or `tablesRequest`. 28 bytes and its rows.
 */
export class ReadRequest {
  static readonly bytes = 28
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

  /** the gateway's, of the waiting read */
  get slot(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set slot(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  /** that the answer must include */
  get logOffset(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set logOffset(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** by the gateway's clock; 0: unknown */
  get arrivedMillis(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set arrivedMillis(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  get queryBytes(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set queryBytes(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get queryAt(): number {
    return this.at + 28
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (28 + count * 1 + 7) & ~7
  }
}

/**
 * Publishes a portfolio, the options chain, or how a wallet stands in competitions, from now on; or
 * no longer. 40 bytes.
 */
export class WatchRequest {
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
  claim(sink: RecordSink, type: typeof WatchRecord.Portfolio | typeof WatchRecord.PortfolioEnd | typeof WatchRecord.Chain | typeof WatchRecord.ChainEnd | typeof WatchRecord.Competition | typeof WatchRecord.CompetitionEnd | typeof WatchRecord.Engagement | typeof WatchRecord.EngagementEnd): boolean {
    const at = sink.tryClaim(40, type)
    if (at < 0) return false
    this.over(sink.views, at)
    this.i32[(at + 36) >> 2] = 0
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

  /** above 0: comes back with the snapshot, and with all rows of a chain */
  get slot(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set slot(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  /** that the snapshot must include */
  get logOffset(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set logOffset(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  /** zeros on the chain */
  get walletAt(): number {
    return this.at + 16
  }

  copyWallet(from: RecordViews, at: number): void {
    const to = (this.at + 16) >> 2
    const first = at >> 2
    for (let i = 0; i < 5; i++) this.i32[to + i] = from.i32[first + i]!
  }
}
