// Generated from schemas/records by `npm run generate`; not to be edited.
import { AnyRecord } from './any-record.js'
import type { RecordSink } from '../record-views.js'

/** Body of a reply or publication in one or more records, never interleaved with another's. */
export const ReplyRecord = {
  Part: 1,
  Last: 2,
  PushPart: 3,
  PushLast: 4,
} as const
export type ReplyRecord = (typeof ReplyRecord)[keyof typeof ReplyRecord]

/** Part of the reply to the read of the same slot. 24 bytes and its rows. */
export class ReplyPart extends AnyRecord {
  static override readonly bytes: number = 24

  claim(sink: RecordSink, type: typeof ReplyRecord.Part | typeof ReplyRecord.Last, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, type)) return false
    this.i32[(this.at + 20) >> 2] = 0
    return true
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

/** Part of a publication. 56 bytes and its rows. */
export class PushPart extends AnyRecord {
  static override readonly bytes: number = 56

  claim(sink: RecordSink, type: typeof ReplyRecord.PushPart | typeof ReplyRecord.PushLast, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, type)) return false
    this.i32[(this.at + 52) >> 2] = 0
    return true
  }

  /** of the watch; portfolio: of the watch for a snapshot, 0 for all */
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

  /** engine sequence that it includes */
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

  get bodyAt(): number {
    return this.at + 56
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (56 + count * 1 + 7) & ~7
  }
}
