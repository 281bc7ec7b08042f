import { crc32 } from 'node:zlib'
import { assert } from '../../schemas/assert.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { recordBytesAt } from '../memory/layout.js'
import {
  batchBodyChecksumAt,
  batchCommandBytesAt,
  batchCommandsAt,
  batchHeaderChecksumAt,
  batchMagicAt,
  batchOffsetAt,
  batchSegmentAt,
} from './journal-records.js'
import { checksumOf } from './record-checksum.js'

/** Raised when the bytes of a segment change their meaning. */
export const journalFormatVersion = 4

/** 'SBKJ' and 'SBKB', read as little-endian words. */
export const segmentMagic = 0x4a4b4253
export const batchMagic = 0x424b4253

//  Segment file: a header of 256 bytes, then records (journal-records.ts) to the end
//  0       4        8        12        16        24         32       40       44         48         52
//  +-------+--------+--------+---------+---------+----------+--------+--------+----------+----------+---
//  | magic | format | engine | segment | first   | previous | seq    | origin | identity | identity |
//  |       | version| version| number  | batch   | bytes    | before |        | bytes    | checksum |
//  |       |        |        |         | f64     | f64      | f64    |        |          |          |
//  +-------+--------+--------+---------+---------+----------+--------+--------+----------+----------+---
//  52      60         64                    256
//  +-------+----------+---------------------+---- ...
//  | zeros | checksum | identity, then zeros| records
//  +-------+----------+---------------------+---- ...
//  previous bytes: length of the segment before, all of it durable when this one was begun;
//  seq before: sequence of the last event before the segment's first batch;
//  identity: whose journal it is, a sentence in ASCII. The first 64 bytes stand alone, so that a segment of
//  another format is known as one.
const magicAt = 0
const formatVersionAt = 4
const engineVersionAt = 8
const segmentNumberAt = 12
const firstBatchAt = 16
const previousBytesAt = 24
const seqBeforeAt = 32
const originAt = 40
const identityBytesAt = 44
const identityChecksumAt = 48
const checksumAt = 60
const fixedBytes = 64
const identityAt = fixedBytes
export const segmentHeaderBytes = 256
export const identityBytesMax = segmentHeaderBytes - identityAt

/** How a segment's first batch follows on what was before. Never renumbered. */
export const SegmentOrigin = {
  /** On the last batch of the segment before, without a gap. */
  Next: 0,
  /** On a loss that the operator accepted: batch numbers and sequences that were lost are passed over. */
  Loss: 1,
  /** Likewise, but nothing was left: the state before it is empty. */
  Nothing: 2,
} as const
export type SegmentOrigin = (typeof SegmentOrigin)[keyof typeof SegmentOrigin]

export interface SegmentHeader {
  readonly formatVersion: number
  readonly engineVersion: number
  readonly segmentNumber: number
  readonly firstBatchNumber: number
  readonly previousBytes: number
  readonly seqBefore: number
  readonly origin: SegmentOrigin
  /** Whose journal it is: preset, service and chain in words. */
  readonly identity: string
}

/** File name of a segment; names sort as numbers do. */
export function segmentName(segmentNumber: number): string {
  return `segment-${String(segmentNumber).padStart(10, '0')}.journal`
}

/** Number in a segment's file name, or -1 when it is none. */
export function segmentNumberOf(name: string): number {
  const match = /^segment-(\d{10})\.journal$/.exec(name)
  return match === null ? -1 : Number(match[1])
}

export function encodeSegmentHeader(header: SegmentHeader): Uint8Array {
  const bytes = new Uint8Array(segmentHeaderBytes)
  const identity = Buffer.from(header.identity, 'latin1')
  assert(identity.length <= identityBytesMax, 'segment header: room for the identity')
  bytes.set(identity, identityAt)
  const view = new DataView(bytes.buffer)
  view.setUint32(magicAt, segmentMagic, true)
  view.setInt32(formatVersionAt, header.formatVersion, true)
  view.setInt32(engineVersionAt, header.engineVersion, true)
  view.setInt32(segmentNumberAt, header.segmentNumber, true)
  view.setFloat64(firstBatchAt, header.firstBatchNumber, true)
  view.setFloat64(previousBytesAt, header.previousBytes, true)
  view.setFloat64(seqBeforeAt, header.seqBefore, true)
  view.setInt32(originAt, header.origin, true)
  view.setInt32(identityBytesAt, identity.length, true)
  view.setUint32(identityChecksumAt, crc32(bytes.subarray(identityAt)), true)
  view.setUint32(checksumAt, crc32(bytes.subarray(0, checksumAt)), true)
  return bytes
}

/** @returns null when the bytes are no segment header, or not the one that was written. */
export function decodeSegmentHeader(bytes: Uint8Array): SegmentHeader | null {
  if (bytes.length < fixedBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(magicAt, true) !== segmentMagic) return null
  if (view.getUint32(checksumAt, true) !== crc32(bytes.subarray(0, checksumAt))) return null
  const formatVersion = view.getInt32(formatVersionAt, true)
  const isOwn = formatVersion === journalFormatVersion
  if (isOwn && !isIdentitySound(bytes, view)) return null
  const identityEnd = identityAt + (isOwn ? view.getInt32(identityBytesAt, true) : 0)
  return {
    formatVersion,
    engineVersion: view.getInt32(engineVersionAt, true),
    segmentNumber: view.getInt32(segmentNumberAt, true),
    firstBatchNumber: view.getFloat64(firstBatchAt, true),
    previousBytes: view.getFloat64(previousBytesAt, true),
    seqBefore: view.getFloat64(seqBeforeAt, true),
    origin: view.getInt32(originAt, true) as SegmentOrigin,
    identity: Buffer.from(bytes.subarray(identityAt, identityEnd)).toString('latin1'),
  }
}

function isIdentitySound(bytes: Uint8Array, view: DataView): boolean {
  if (bytes.length < segmentHeaderBytes) return false
  const checksum = crc32(bytes.subarray(identityAt, segmentHeaderBytes))
  return view.getUint32(identityChecksumAt, true) === checksum
}

/** Closes the header of the record at `at`, whose other fields are complete. */
export function sealRecord(views: RecordViews, at: number): void {
  views.u32[(at + batchHeaderChecksumAt) >> 2] = headerChecksumOf(views, at)
}

/**
 * Whether a whole, unchanged record header stands at `at`, written for this very place.
 * @param base place in the segment where the views begin.
 */
export function isRecordHeader(
  views: RecordViews,
  at: number,
  segmentNumber: number,
  base = 0,
): boolean {
  if (at + batchCommandsAt > views.u8.length) return false
  if (views.u32[(at + batchMagicAt) >> 2] !== batchMagic) return false
  if (views.i32[(at + batchSegmentAt) >> 2] !== segmentNumber) return false
  if (views.i32[(at + batchOffsetAt) >> 2] !== base + at) return false
  return views.u32[(at + batchHeaderChecksumAt) >> 2] === headerChecksumOf(views, at)
}

/**
 * Whether the commands of the record at `at`, whose header is sound, are all there and unchanged.
 */
export function isRecordBody(views: RecordViews, at: number): boolean {
  const bytes = views.i32[(at + recordBytesAt) >> 2]
  const commandBytes = views.i32[(at + batchCommandBytesAt) >> 2]
  if (bytes !== batchCommandsAt + commandBytes || at + bytes > views.u8.length) return false
  const checksum = checksumOf(views.i32, (at + batchCommandsAt) >> 2, (at + bytes) >> 2)
  return views.u32[(at + batchBodyChecksumAt) >> 2] === checksum
}

function headerChecksumOf(views: RecordViews, at: number): number {
  return checksumOf(views.i32, at >> 2, (at + batchHeaderChecksumAt) >> 2)
}
