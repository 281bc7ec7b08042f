// Generated from schemas/records by `npm run generate`; not to be edited.
import type { SegmentOrigin } from '../record-values.js'
import { AnyRecord } from './any-record.js'
import { RecordCursor } from '../record-views.js'
import type { RecordSink } from '../record-views.js'

/** Types of records on the journal ring and in segment files. Never renumbered. */
export const JournalRecord = {
  Batch: 1,
  Shutdown: 2,
} as const
export type JournalRecord = (typeof JournalRecord)[keyof typeof JournalRecord]

/**
 * One closed batch. A Shutdown has no commands. Its batch number is the next one, which it does not
 * use up; its hash is that of the final state. It is the last record before a graceful end. 80
 * bytes and its rows.
 */
export class JournaledBatch extends AnyRecord {
  static override readonly bytes: number = 80

  claim(sink: RecordSink, type: typeof JournalRecord.Batch | typeof JournalRecord.Shutdown, bytes: number): boolean {
    return this.claimIn(sink, bytes, type)
  }

  /** from 1, without gaps */
  get batchNumber(): number {
    return this.f64[(this.at + 8) >> 3]!
  }

  set batchNumber(value: number) {
    this.f64[(this.at + 8) >> 3] = value
  }

  /** time of the batch, read once by the core's shell; never decreases */
  get timeMillis(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set timeMillis(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  /** of the last event after the batch */
  get seqAfter(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set seqAfter(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** event-log offset to open when the batch is durable; meaningless after a restart */
  get eventEnd(): number {
    return this.i32[(this.at + 32) >> 2]!
  }

  set eventEnd(value: number) {
    this.i32[(this.at + 32) >> 2] = value
  }

  /** length of the command records, a multiple of 8 */
  get commandBytes(): number {
    return this.i32[(this.at + 36) >> 2]!
  }

  set commandBytes(value: number) {
    this.i32[(this.at + 36) >> 2] = value
  }

  get commandCount(): number {
    return this.i32[(this.at + 40) >> 2]!
  }

  set commandCount(value: number) {
    this.i32[(this.at + 40) >> 2] = value
  }

  /** of the state before the batch */
  get hashLow(): number {
    return this.i32[(this.at + 44) >> 2]!
  }

  set hashLow(value: number) {
    this.i32[(this.at + 44) >> 2] = value
  }

  get hashHigh(): number {
    return this.i32[(this.at + 48) >> 2]!
  }

  set hashHigh(value: number) {
    this.i32[(this.at + 48) >> 2] = value
  }

  /** of the commands; the core computes it while it copies them */
  get bodyChecksum(): number {
    return this.u32[(this.at + 52) >> 2]!
  }

  set bodyChecksum(value: number) {
    this.u32[(this.at + 52) >> 2] = value
  }

  get magic(): number {
    return this.u32[(this.at + 56) >> 2]!
  }

  set magic(value: number) {
    this.u32[(this.at + 56) >> 2] = value
  }

  /** position of the record, so that a misplaced or copied one is invalid */
  get segment(): number {
    return this.i32[(this.at + 60) >> 2]!
  }

  set segment(value: number) {
    this.i32[(this.at + 60) >> 2] = value
  }

  get offset(): number {
    return this.i32[(this.at + 64) >> 2]!
  }

  set offset(value: number) {
    this.i32[(this.at + 64) >> 2] = value
  }

  /** exclusive end of the durable journal when the record was written */
  get durableSegment(): number {
    return this.i32[(this.at + 68) >> 2]!
  }

  set durableSegment(value: number) {
    this.i32[(this.at + 68) >> 2] = value
  }

  get durableOffset(): number {
    return this.i32[(this.at + 72) >> 2]!
  }

  set durableOffset(value: number) {
    this.i32[(this.at + 72) >> 2] = value
  }

  /** of what the next checksum covers */
  get checkedEndAt(): number {
    return this.at + 76
  }

  /** of the whole header before it, including the body checksum */
  get headerChecksum(): number {
    return this.u32[(this.at + 76) >> 2]!
  }

  set headerChecksum(value: number) {
    this.u32[(this.at + 76) >> 2] = value
  }

  /** contiguous command records */
  get commandsAt(): number {
    return this.at + 80
  }

  /** Length of a record with so many of them, rounded up to eight. */
  static bytesWith(count: number): number {
    return (80 + count * 1 + 7) & ~7
  }
}

/**
 * Start of a segment file: 64 bytes with a fixed layout, so that other formats are recognized, then
 * the identity. 256 bytes.
 */
export class SegmentHead extends RecordCursor {
  static readonly bytes: number = 256

  get magic(): number {
    return this.u32[this.at >> 2]!
  }

  set magic(value: number) {
    this.u32[this.at >> 2] = value
  }

  get formatVersion(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set formatVersion(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get engineVersion(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set engineVersion(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  get segmentNumber(): number {
    return this.i32[(this.at + 12) >> 2]!
  }

  set segmentNumber(value: number) {
    this.i32[(this.at + 12) >> 2] = value
  }

  get firstBatchNumber(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set firstBatchNumber(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  /** length of the previous segment, which was durable when this one was created */
  get previousBytes(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set previousBytes(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  /** sequence of the last event before the segment's first batch */
  get seqBefore(): number {
    return this.f64[(this.at + 32) >> 3]!
  }

  set seqBefore(value: number) {
    this.f64[(this.at + 32) >> 3] = value
  }

  get origin(): SegmentOrigin {
    return this.i32[(this.at + 40) >> 2] as SegmentOrigin
  }

  set origin(value: SegmentOrigin) {
    this.i32[(this.at + 40) >> 2] = value
  }

  get identityBytes(): number {
    return this.i32[(this.at + 44) >> 2]!
  }

  set identityBytes(value: number) {
    this.i32[(this.at + 44) >> 2] = value
  }

  /** of identity and zeros to the end of the header */
  get identityChecksum(): number {
    return this.u32[(this.at + 48) >> 2]!
  }

  set identityChecksum(value: number) {
    this.u32[(this.at + 48) >> 2] = value
  }

  /** of what the next checksum covers */
  get checkedEndAt(): number {
    return this.at + 60
  }

  /** of the 60 bytes before it */
  get checksum(): number {
    return this.u32[(this.at + 60) >> 2]!
  }

  set checksum(value: number) {
    this.u32[(this.at + 60) >> 2] = value
  }

  /** identity of the venue, ASCII text; then zeros */
  get identityAt(): number {
    return this.at + 64
  }
}

/** Start of a snapshot file; the saved state follows. 64 bytes. */
export class SnapshotHead extends RecordCursor {
  static readonly bytes: number = 64

  get magic(): number {
    return this.u32[this.at >> 2]!
  }

  set magic(value: number) {
    this.u32[this.at >> 2] = value
  }

  get formatVersion(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set formatVersion(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }

  get engineVersion(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set engineVersion(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  /** last batch whose effects it includes */
  get batchNumber(): number {
    return this.f64[(this.at + 16) >> 3]!
  }

  set batchNumber(value: number) {
    this.f64[(this.at + 16) >> 3] = value
  }

  /** of the last event of that batch */
  get seq(): number {
    return this.f64[(this.at + 24) >> 3]!
  }

  set seq(value: number) {
    this.f64[(this.at + 24) >> 3] = value
  }

  get hashLow(): number {
    return this.i32[(this.at + 32) >> 2]!
  }

  set hashLow(value: number) {
    this.i32[(this.at + 32) >> 2] = value
  }

  get hashHigh(): number {
    return this.i32[(this.at + 36) >> 2]!
  }

  set hashHigh(value: number) {
    this.i32[(this.at + 36) >> 2] = value
  }

  /** length of the state */
  get bodyBytes(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set bodyBytes(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  get identityChecksum(): number {
    return this.u32[(this.at + 48) >> 2]!
  }

  set identityChecksum(value: number) {
    this.u32[(this.at + 48) >> 2] = value
  }

  get bodyChecksum(): number {
    return this.u32[(this.at + 56) >> 2]!
  }

  set bodyChecksum(value: number) {
    this.u32[(this.at + 56) >> 2] = value
  }

  /** of what the next checksum covers */
  get checkedEndAt(): number {
    return this.at + 60
  }

  /** of the 60 bytes before it */
  get headerChecksum(): number {
    return this.u32[(this.at + 60) >> 2]!
  }

  set headerChecksum(value: number) {
    this.u32[(this.at + 60) >> 2] = value
  }
}
