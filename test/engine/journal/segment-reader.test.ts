import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segmentName } from '../../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../../engine/journal/segment-reader.js'
import { JournaledBatch } from '../../../schemas/generated/journal.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { JournalFixture } from './journal-fixture.js'

const wordsMax = 40
/** The longest record just fits. */
const windowBytes = JournaledBatch.bytes + wordsMax * 8
const batches = 200
const name = segmentName(0)

test('the reader reads the same through a window as from the whole segment', () => {
  const files = journaled()
  const whole = recordsOf(new SegmentReader(files, 0))
  assert.equal(whole.length, batches)
  for (const bytes of [windowBytes, windowBytes + 8, 3000, 4096, 1 << 20]) {
    assert.deepEqual(recordsOf(windowed(files, bytes)), whole, `a window of ${bytes} bytes`)
  }
})

test('the reader reports a flipped bit as a hole, also after the first window', () => {
  const files = journaled()
  const whole = recordsOf(new SegmentReader(files, 0))
  const { at } = whole[150]!
  files.contentOf(name)[at + JournaledBatch.bytes] ^= 4
  const reader = windowed(files, windowBytes)
  assert.deepEqual(recordsOf(reader), whole.slice(0, 150))
  assert.equal(reader.next(), Found.Hole)
  assert.equal(reader.offset, at)
})

test('the reader takes any number of zeros after the last record for the end, and anything after them for a hole', () => {
  const files = journaled()
  const { length } = files.contentOf(name)
  const zeros = 20 * windowBytes
  const file = files.open(name)
  file.truncate(length + zeros)
  const ended = windowed(files, windowBytes)
  assert.equal(recordsOf(ended).length, batches)
  assert.equal(ended.next(), Found.End)
  assert.equal(ended.trailingBytes(), 0)
  files.contentOf(name)[length + zeros - windowBytes] = 1
  const torn = windowed(files, windowBytes)
  assert.equal(recordsOf(torn).length, batches)
  assert.equal(torn.next(), Found.Hole)
  assert.equal(torn.trailingBytes(), zeros - windowBytes + 1)
})

test('the reader reports a truncated record as a hole', () => {
  const files = journaled()
  files.open(name).truncate(files.contentOf(name).length - 8)
  const reader = windowed(files, windowBytes)
  assert.equal(recordsOf(reader).length, batches - 1)
  assert.equal(reader.next(), Found.Hole)
})

/** Returns a segment of batches of all lengths up to the longest. */
function journaled(): MemoryFiles {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files)
  for (let i = 0; i < batches; i++) {
    assert.ok(journal.put(1 + ((i * 7) % wordsMax)))
    journal.writer.doWork()
  }
  return files
}

function windowed(files: MemoryFiles, bytes: number): SegmentReader {
  return new SegmentReader(files, 0, new ArrayBuffer(bytes))
}

interface RecordSeen {
  readonly at: number
  readonly batchNumber: number
  readonly words: readonly number[]
}

function recordsOf(reader: SegmentReader): RecordSeen[] {
  const records: RecordSeen[] = []
  for (let at = reader.offset; reader.next() === Found.Batch; at = reader.offset) {
    const { batchNumber, commandCount, commandsAt, f64 } = reader.batch
    const words = [...f64.subarray(commandsAt >> 3, (commandsAt >> 3) + commandCount)]
    records.push({ at, batchNumber, words })
  }
  return records
}
