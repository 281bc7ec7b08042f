// Generated from schemas/records by `npm run generate`; not to be edited.
import { AnyRecord } from './any-record.js'
import type { RecordSink } from '../record-views.js'

/** Subscriptions of a gateway, on the read ring among the reads; types above every read. For a wallet that is already watched, Portfolio only returns its snapshot. */
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
 * The type is the endpoint's index in `readModelKeys`, or `tablesRequest`. 28 bytes and its rows.
 */
export class ReadRequest extends AnyRecord {
  static override readonly bytes: number = 28

  /** the gateway's, of the waiting read */
  get slot(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set slot(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  /** that the reply must include */
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
 * Starts or ends the publication of a portfolio, the options chain, or a wallet's competition
 * standings. 40 bytes.
 */
export class WatchRequest extends AnyRecord {
  static override readonly bytes: number = 40

  claim(sink: RecordSink, type: typeof WatchRecord.Portfolio | typeof WatchRecord.PortfolioEnd | typeof WatchRecord.Chain | typeof WatchRecord.ChainEnd | typeof WatchRecord.Competition | typeof WatchRecord.CompetitionEnd | typeof WatchRecord.Engagement | typeof WatchRecord.EngagementEnd): boolean {
    if (!this.claimIn(sink, 40, type)) return false
    this.i32[(this.at + 36) >> 2] = 0
    return true
  }

  /** if positive, returned with the snapshot and with all rows of a chain */
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
}
