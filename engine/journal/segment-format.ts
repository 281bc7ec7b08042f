import { crc32 } from 'node:zlib'
import { assert } from '../../schemas/assert.js'
import { identityBytesMax } from '../../schemas/bounds.js'
import { JournaledBatch, SegmentHead } from '../../schemas/generated/journal.js'
import { viewsOf, viewsOfCopy } from '../../schemas/record-views.js'
import { checksumOf } from './record-checksum.js'

/** Incremented when the meaning of a segment's bytes changes. */
export const journalFormatVersion = 4

/** 'STRJ' and 'SBKB', read as little-endian words. Segments of releases before 1.0 begin with 'SBKJ'. */
const segmentMagic = 0x4a525453
export const batchMagic = 0x424b4253

/** The first bytes of a segment have a fixed layout, so that a segment of another format is recognized. */
const fixedBytes = SegmentHead.bytes - identityBytesMax
export const segmentHeaderBytes = SegmentHead.bytes

export interface SegmentHeader
  extends Pick<SegmentHead, 'formatVersion' | 'engineVersion' | 'segmentNumber'>,
    Pick<SegmentHead, 'firstBatchNumber' | 'previousBytes' | 'seqBefore' | 'origin'> {
  /** Identity of the venue: preset, service and chain as text. */
  readonly identity: string
}

/** Returns the file name of a segment. Names sort like numbers. */
export function segmentName(segmentNumber: number): string {
  return `segment-${String(segmentNumber).padStart(10, '0')}.journal`
}

/** Returns the number in a segment's file name; -1 for other files. */
export function segmentNumberOf(name: string): number {
  const match = /^segment-(\d{10})\.journal$/.exec(name)
  return match === null ? -1 : Number(match[1])
}

export function encodeSegmentHeader({ identity: owner, ...fields }: SegmentHeader): Uint8Array {
  const head = new SegmentHead().over(viewsOf(new ArrayBuffer(SegmentHead.bytes)), 0)
  const { u8 } = head
  const identity = Buffer.from(owner, 'latin1')
  assert(identity.length <= identityBytesMax, 'segment header: room for the identity')
  u8.set(identity, head.identityAt)
  Object.assign(head, fields)
  head.magic = segmentMagic
  head.identityBytes = identity.length
  head.identityChecksum = crc32(u8.subarray(head.identityAt))
  head.checksum = crc32(u8.subarray(0, head.checkedEndAt))
  return u8
}

/** Decodes a header. @returns null if the bytes are no segment header, or were changed. */
export function decodeSegmentHeader(bytes: Uint8Array): SegmentHeader | null {
  if (bytes.length < fixedBytes) return null
  const head = new SegmentHead().over(viewsOfCopy(bytes, SegmentHead.bytes), 0)
  if (head.magic !== segmentMagic) return null
  if (head.checksum !== crc32(head.u8.subarray(0, head.checkedEndAt))) return null
  const { formatVersion } = head
  const isOwn = formatVersion === journalFormatVersion
  if (isOwn && !isIdentitySound(bytes.length, head)) return null
  const identityEnd = head.identityAt + (isOwn ? head.identityBytes : 0)
  return {
    formatVersion,
    engineVersion: head.engineVersion,
    segmentNumber: head.segmentNumber,
    firstBatchNumber: head.firstBatchNumber,
    previousBytes: head.previousBytes,
    seqBefore: head.seqBefore,
    origin: head.origin,
    identity: Buffer.from(head.u8.subarray(head.identityAt, identityEnd)).toString('latin1'),
  }
}

function isIdentitySound(
  bytes: number,
  { identityAt, identityChecksum, u8 }: SegmentHead,
): boolean {
  return bytes >= SegmentHead.bytes && identityChecksum === crc32(u8.subarray(identityAt))
}

/** Writes the checksum of a record's header. All other fields must be complete. */
export function sealRecord(record: JournaledBatch): void {
  record.headerChecksum = headerChecksumOf(record)
}

/**
 * Returns true if a complete, unchanged record header is here, written for this position.
 * @param base offset in the segment at which the record's views start.
 */
export function isRecordHeader(record: JournaledBatch, segmentNumber: number, base = 0): boolean {
  const { at } = record
  if (at + JournaledBatch.bytes > record.u8.length) return false
  if (record.magic !== batchMagic) return false
  if (record.segment !== segmentNumber) return false
  if (record.offset !== base + at) return false
  return record.headerChecksum === headerChecksumOf(record)
}

/** Returns true if the commands of a record with a sound header are complete and unchanged. */
export function isRecordBody(record: JournaledBatch): boolean {
  const { at, commandsAt, i32, recordBytes, u8 } = record
  if (recordBytes !== JournaledBatch.bytes + record.commandBytes) return false
  if (at + recordBytes > u8.length) return false
  return record.bodyChecksum === checksumOf(i32, commandsAt, at + recordBytes)
}

function headerChecksumOf({ at, checkedEndAt, i32 }: JournaledBatch): number {
  return checksumOf(i32, at, checkedEndAt)
}
