// Generated from schemas/records by `npm run generate`; not to be edited.
import { AnyRecord } from './any-record.js'
import type { RecordSink } from '../record-views.js'

/** Browser notifications. */
export const NoticeType = {
  Notice: 1,
} as const
export type NoticeType = (typeof NoticeType)[keyof typeof NoticeType]

/**
 * A notification for one subscription, as JSON: endpoint, recipient and content. 16 bytes and its
 * rows.
 */
export class NoticeRecord extends AnyRecord {
  static override readonly bytes: number = 16

  claim(sink: RecordSink, bytes: number): boolean {
    if (!this.claimIn(sink, bytes, 1)) return false
    this.i32[(this.at + 12) >> 2] = 0
    return true
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
