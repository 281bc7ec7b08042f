import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  isRecordBody,
  isRecordHeader,
  journalFormatVersion,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentName,
  segmentNumberOf,
} from '../../../engine/journal/segment-format.js'
import { JournaledBatch } from '../../../schemas/generated/journal.js'
import { SegmentOrigin } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { JournalFixture } from './journal-fixture.js'

const words = 3
const record = new JournaledBatch()
const recordBytes = JournaledBatch.bytes + words * 8

const header: SegmentHeader = {
  formatVersion: journalFormatVersion,
  engineVersion: 7,
  segmentNumber: 41,
  firstBatchNumber: 2 ** 40,
  previousBytes: 12_345,
  seqBefore: 2 ** 50,
  origin: SegmentOrigin.Loss,
  identity: 'preset testnet, service a, chain 998',
}

/** Returns segment 0 with two records, as bytes and views that a test may change. */
function segmentOfTwo(): { bytes: Uint8Array; views: RecordViews } {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files)
  for (let i = 0; i < 2; i++) journal.put(words)
  journal.writer.doWork()
  return viewsOf(files.read(segmentName(0)))
}

function viewsOf(source: Uint8Array): { bytes: Uint8Array; views: RecordViews } {
  const bytes = new Uint8Array(source)
  const { buffer } = bytes
  const i32 = new Int32Array(buffer)
  const views = { i32, u32: new Uint32Array(buffer), f64: new Float64Array(buffer), u8: bytes }
  return { bytes, views }
}

test('a segment header reads back as written, and any flipped bit fails its check', () => {
  const bytes = encodeSegmentHeader(header)
  assert.equal(bytes.length, segmentHeaderBytes)
  assert.deepEqual(decodeSegmentHeader(bytes), header)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = new Uint8Array(bytes)
    changed[bit >> 3] ^= 1 << (bit & 7)
    assert.equal(decodeSegmentHeader(changed), null, `bit ${bit}`)
  }
  assert.equal(decodeSegmentHeader(bytes.subarray(0, segmentHeaderBytes - 1)), null)
})

test('file names and segment numbers map to each other and sort the same way', () => {
  for (const number of [0, 1, 9, 10, 123_456, 2 ** 31 - 1]) {
    assert.equal(segmentNumberOf(segmentName(number)), number)
  }
  assert.ok(segmentName(9) < segmentName(10))
  for (const name of ['segment-1.journal', 'segment-0000000001.journal2', 'x', 'archive']) {
    assert.equal(segmentNumberOf(name), -1)
  }
})

test('a record is sound in its own segment and at its own place', () => {
  const { views } = segmentOfTwo()
  for (const at of [segmentHeaderBytes, segmentHeaderBytes + recordBytes]) {
    assert.ok(isRecordHeader(record.over(views, at), 0))
    assert.ok(isRecordBody(record.over(views, at)))
    assert.ok(!isRecordHeader(record.over(views, at), 1), 'a copy in another segment is not sound')
    assert.ok(!isRecordHeader(record.over(views, at + 8), 0))
  }
})

test('a record written to another place is not sound there', () => {
  const { bytes, views } = segmentOfTwo()
  const second = segmentHeaderBytes + recordBytes
  bytes.copyWithin(segmentHeaderBytes, second, second + recordBytes)
  assert.ok(!isRecordHeader(record.over(views, segmentHeaderBytes), 0))
  assert.ok(isRecordHeader(record.over(views, second), 0))
})

test('a record that the file does not contain completely is not sound', () => {
  const { bytes } = segmentOfTwo()
  const second = segmentHeaderBytes + recordBytes
  for (let missing = 8; missing < recordBytes; missing += 8) {
    const { views } = viewsOf(bytes.subarray(0, bytes.length - missing))
    const isWhole =
      isRecordHeader(record.over(views, second), 0) && isRecordBody(record.over(views, second))
    assert.ok(!isWhole, `${missing} bytes missing`)
    assert.ok(isRecordHeader(record.over(views, segmentHeaderBytes), 0))
  }
})
