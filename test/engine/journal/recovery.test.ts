import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalDamage, JournalRefusal } from '../../../engine/journal/journal-errors.js'
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  journalFormatVersion,
  segmentHeaderBytes,
  segmentName,
} from '../../../engine/journal/segment-format.js'
import { SegmentOrigin } from '../../../schemas/record-values.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { engineVersion, JournalFixture, recover } from './journal-fixture.js'

const first = segmentName(0)
const second = segmentName(1)
const third = segmentName(2)

/** Writes groups of 1, 2 and 3 batches. Returns the offsets at which batches end, and where the last group begins. */
function smallJournal(files: MemoryFiles): { ends: number[]; durableAt: number } {
  const journal = new JournalFixture(files)
  const ends: number[] = []
  let durableAt = 0
  let end = segmentHeaderBytes
  for (const group of [[1], [2, 0], [3, 1, 2]]) {
    durableAt = end
    for (const words of group) {
      journal.put(words)
      ends.push((end += 80 + words * 8))
    }
    journal.writer.doWork()
  }
  return { ends, durableAt }
}

/** Returns three segments of some batches each. */
function longJournal(): MemoryFiles {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, { segmentBytes: 792 })
  for (let i = 0; i < 12; i++) {
    journal.put(5)
    journal.writer.doWork()
  }
  assert.deepEqual(files.list(''), [first, second, third])
  return files
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

test('recovery reads an empty directory as an empty journal', () => {
  const recovered = recover(new MemoryFiles())
  assert.equal(recovered.nextBatchNumber, 1)
  assert.equal(recovered.segmentNumber, -1)
  assert.equal(recovered.cutBytes, 0)
})

test('recovery returns all complete batches of a file that ends at any byte, and cuts the rest', () => {
  const whole = new MemoryFiles()
  const { ends } = smallJournal(whole)
  const bytes = whole.contentOf(first)
  for (let length = 0; length <= bytes.length; length++) {
    const files = new MemoryFiles()
    files.files.set(first, bytes.slice(0, length))
    const recovered = recover(files)
    const expected = ends.filter((end) => end <= length)
    assert.deepEqual(recovered.batches, upTo(expected.length), `length ${length}`)
    if (length < segmentHeaderBytes) {
      assert.deepEqual(files.list(''), [], `length ${length}: recovery removes the torn header`)
      assert.equal(recovered.segmentNumber, -1)
      continue
    }
    const end = expected.at(-1) ?? segmentHeaderBytes
    assert.equal(files.bytesOf(first), end, `length ${length}: not cut`)
    assert.equal(recovered.offset, end)
    assert.ok(recovered.cutBytes <= length - end)
    assert.equal(recovered.cutBytes > 0, bytes.subarray(end, length).some(Boolean))
    assert.deepEqual(recover(files).cutBytes, 0, 'a second recovery has nothing to cut')
  }
})

test('recovery finds every flipped bit: damage if it was durable, else a tail to cut', () => {
  const whole = new MemoryFiles()
  const { durableAt } = smallJournal(whole)
  const bytes = whole.contentOf(first)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const files = new MemoryFiles()
    const damaged = bytes.slice()
    damaged[bit >> 3] ^= 1 << (bit & 7)
    files.files.set(first, damaged)
    if (bit >> 3 < durableAt) {
      assert.throws(() => recover(files), JournalDamage, `bit ${bit}`)
      assert.deepEqual(
        files.contentOf(first),
        damaged,
        `bit ${bit}: recovery does not change damaged files`,
      )
    } else {
      const recovered = recover(files)
      assert.ok(recovered.cutBytes > 0, `bit ${bit}`)
      assert.ok(recovered.batches.length >= 3, `bit ${bit}: at most the last group is lost`)
    }
  }
})

test('recovery reports a flipped bit anywhere in a finished segment as damage', () => {
  const whole = longJournal()
  for (const name of [first, second]) {
    for (let bit = 0; bit < whole.bytesOf(name) * 8; bit += 5) {
      const files = whole.copy()
      files.contentOf(name)[bit >> 3] ^= 1 << (bit & 7)
      assert.throws(() => recover(files), JournalDamage, `${name} bit ${bit}`)
    }
  }
})

test('the error of a hole names its segment and offset', () => {
  const files = new MemoryFiles()
  const { ends } = smallJournal(files)
  files.contentOf(first)[ends[0] + 5] ^= 1
  assert.throws(
    () => recover(files),
    (error) => error instanceof JournalDamage && error.file === first && error.offset === ends[0],
  )
})

test('recovery cuts a hole in the last group even if later batches of the group are complete', () => {
  const files = new MemoryFiles()
  const { ends } = smallJournal(files)
  files.contentOf(first).fill(0, ends[2], ends[2] + 80)
  const recovered = recover(files)
  assert.deepEqual(recovered.batches, [1, 2, 3])
  assert.equal(recovered.cutBytes, ends[5] - ends[2])
  assert.equal(files.bytesOf(first), ends[2])
})

test('recovery loses no flushed batch to a tail of any mixture of zeros and new sectors', () => {
  const whole = new MemoryFiles()
  const { ends, durableAt } = smallJournal(whole)
  const sector = 16
  const length = whole.bytesOf(first)
  const sectors = Math.ceil((length - durableAt) / sector)
  const seed = 20260601
  let random = seed
  for (let round = 0; round < 500; round++) {
    const files = whole.copy()
    for (let i = 0; i < sectors; i++) {
      random = (Math.imul(random, 1664525) + 1013904223) | 0
      const at = durableAt + i * sector
      if (random < 0) files.contentOf(first).fill(0, at, Math.min(at + sector, length))
    }
    const recovered = recover(files)
    assert.ok(recovered.batches.length >= 3, `seed ${seed}, round ${round}`)
    assert.equal(recovered.offset, ends[recovered.batches.length - 1])
  }
})

test('recovery rewrites and flushes possibly volatile data before relying on it', () => {
  const files = new MemoryFiles()
  smallJournal(files)
  files.calls.length = 0
  recover(files)
  assert.deepEqual(files.calls, [`write ${first}`, `flush ${first}`, `close ${first}`])
})

test('recovery makes a just-started segment durable, from its header on and with its folder entry', () => {
  const files = new MemoryFiles()
  const header = { formatVersion: journalFormatVersion, engineVersion, segmentNumber: 0 }
  const begin = { firstBatchNumber: 1, previousBytes: 0, seqBefore: 0 }
  const begun = { ...header, ...begin, origin: SegmentOrigin.Next, identity: '' }
  files.files.set(first, encodeSegmentHeader(begun))
  recover(files)
  const made = [`write ${first}`, `flush ${first}`, `close ${first}`, 'syncDirectory']
  assert.deepEqual(files.calls, made)
})

test('recovery checks the batches before the requested one but does not return them', () => {
  const files = longJournal()
  assert.deepEqual(recover(files.copy(), 5).batches, [5, 6, 7, 8, 9, 10, 11, 12])
  assert.deepEqual(recover(files.copy(), 13).batches, [])
  files.files.delete(first)
  assert.deepEqual(recover(files, 7).batches, [7, 8, 9, 10, 11, 12])
})

test('recovery rejects a snapshot beyond the end of the journal', () => {
  assert.throws(() => recover(longJournal(), 14), /ends with batch 12, the snapshot holds 13/)
  assert.throws(() => recover(new MemoryFiles(), 2), JournalRefusal)
})

test('recovery fails on missing segments', () => {
  const withoutSecond = longJournal()
  withoutSecond.files.delete(second)
  assert.throws(() => recover(withoutSecond), /segment-0000000001\.journal is missing/)
  const withoutFirst = longJournal()
  withoutFirst.files.delete(first)
  assert.throws(() => recover(withoutFirst), /batch 1 is wanted, the first kept segment/)
})

test('recovery fails on segments under exchanged or copied names', () => {
  const exchanged = longJournal()
  const bytes = exchanged.contentOf(first)
  exchanged.files.set(first, exchanged.contentOf(second)).set(second, bytes)
  assert.throws(() => recover(exchanged), /it is segment 0 under another name/)
  const copied = longJournal()
  copied.files.set(segmentName(3), copied.contentOf(third))
  assert.throws(() => recover(copied), /it is segment 2 under another name/)
})

test('recovery ignores a record copied to another place', () => {
  const files = new MemoryFiles()
  const { ends } = smallJournal(files)
  const bytes = files.contentOf(first)
  files.files.set(first, Uint8Array.from([...bytes, ...bytes.subarray(ends[4], ends[5])]))
  const recovered = recover(files)
  assert.deepEqual(recovered.batches, [1, 2, 3, 4, 5, 6])
  assert.equal(recovered.cutBytes, ends[5] - ends[4])
})

test('recovery reports a finished segment that became shorter, even by complete batches, as damage', () => {
  const files = longJournal()
  const bytes = files.contentOf(first)
  files.files.set(first, bytes.slice(0, bytes.length - 120))
  assert.throws(() => recover(files), /it ends here, once it had 736 bytes/)
})

test('recovery fails on batches of another engine version, unless it needs to replay none', () => {
  const files = longJournal()
  assert.throws(
    () => recover(files, 1, engineVersion + 1),
    /segment-0000000000.journal was written by engine version 7, which is newer than this one/,
  )
  assert.equal(recover(files, 13, engineVersion + 1).engineVersion, engineVersion)
})

test('recovery fails on a segment of an older format with a clear error, and does not take it for a torn one', () => {
  const files = longJournal()
  const newest = files.contentOf(third)
  const formatVersion = journalFormatVersion - 1
  newest.set(encodeSegmentHeader({ ...decodeSegmentHeader(newest)!, formatVersion }))
  for (const bytes of [newest, newest.slice(0, segmentHeaderBytes)]) {
    files.files.set(third, bytes)
    assert.throws(
      () => recover(files),
      (error) =>
        error instanceof JournalRefusal &&
        error.message ===
          `journal: ${third} has format ${formatVersion}, this engine reads ${journalFormatVersion}`,
    )
    assert.deepEqual(files.contentOf(third), bytes, 'recovery changes nothing')
  }
})

test('recovery drops a newest segment with a torn header and continues the one before', () => {
  const whole = longJournal()
  const header = whole.contentOf(third).slice(0, segmentHeaderBytes)
  for (let length = 0; length < segmentHeaderBytes; length++) {
    const files = whole.copy()
    files.files.set(third, header.slice(0, length))
    const recovered = recover(files)
    assert.deepEqual(recovered.batches, upTo(8), `length ${length}`)
    assert.equal(recovered.segmentNumber, 1)
    assert.deepEqual(files.list(''), [first, second])
    const journal = new JournalFixture(files, { segmentBytes: 792, resume: recovered })
    journal.put(5)
    journal.writer.doWork()
    assert.deepEqual(recover(files).batches, upTo(9))
  }
})

test('recovery reports a hole before a torn header as damage: its segment was finished', () => {
  const files = longJournal()
  files.files.set(third, new Uint8Array(10))
  const bytes = files.contentOf(second)
  bytes[bytes.length - 1] ^= 1
  assert.throws(() => recover(files), JournalDamage)
  assert.deepEqual(files.list(''), [first, second, third], 'recovery removes nothing')
})

test('recovery reports a broken header with records after it as damage, since it was flushed', () => {
  const files = longJournal()
  files.contentOf(third)[20] ^= 1
  assert.throws(() => recover(files), /no segment header/)
})
