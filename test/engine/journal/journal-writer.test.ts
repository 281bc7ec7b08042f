import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalFailure } from '../../../engine/journal/journal-errors.js'
import { segmentHeaderBytes, segmentName } from '../../../engine/journal/segment-format.js'
import { allocateWakeups, Wakeup } from '../../../engine/memory/wakeup.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { JournalFixture, recover } from './journal-fixture.js'

const first = segmentName(0)
const second = segmentName(1)

test('a new journal flushes its header and the directory before the first record', () => {
  const files = new MemoryFiles()
  new JournalFixture(files)
  assert.deepEqual(files.calls, [
    `create ${first}`,
    `write ${first}`,
    `flush ${first}`,
    'syncDirectory',
  ])
})

test('the writer turns everything queued into one write and one flush, and opens the gate only then', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files)
  for (let i = 0; i < 5; i++) journal.put(3)
  files.calls.length = 0
  const gateAt: string[] = []
  files.beforeCall = (operation) => gateAt.push(`${operation} ${journal.gate.durableOffset()}`)
  assert.equal(journal.writer.doWork(), 5)
  assert.deepEqual(files.calls, [`write ${first}`, `flush ${first}`])
  assert.deepEqual(gateAt, ['write 0', 'flush 0'], 'the gate opens only after the flush returns')
  assert.equal(journal.gate.durableOffset(), 10)
  assert.equal(journal.ring.depthBytes(), 0)
  assert.equal(journal.writer.doWork(), 0)
})

test('a batch that arrives during the flush waits for the next group', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files)
  journal.put(1)
  files.beforeCall = (operation) => {
    files.beforeCall = operation === 'flush' ? () => {} : files.beforeCall
    if (operation === 'flush') journal.put(1)
  }
  assert.equal(journal.writer.doWork(), 1)
  assert.equal(journal.gate.durableOffset(), 2, 'the gate covers the first batch only')
  assert.equal(journal.writer.doWork(), 1)
  assert.equal(journal.gate.durableOffset(), 4)
})

test('the writer wakes its followers after each group', () => {
  const bell = new Wakeup(allocateWakeups(1), 0)
  const journal = new JournalFixture(new MemoryFiles(), { wakeups: [bell] })
  bell.arm()
  journal.put(1)
  journal.writer.doWork()
  assert.equal(bell.waitAsync(1000), null, 'was rung')
})

test('with durability memory the writer never flushes, and leaves gate and wakeups to the core', () => {
  const files = new MemoryFiles()
  const bell = new Wakeup(allocateWakeups(1), 0)
  const journal = new JournalFixture(files, { durability: 'memory', wakeups: [bell] })
  bell.arm()
  journal.put(2)
  files.calls.length = 0
  journal.writer.doWork()
  assert.deepEqual(files.calls, [`write ${first}`])
  assert.equal(journal.gate.durableOffset(), 0)
  assert.notEqual(bell.waitAsync(1), null, 'the writer does not ring the wakeup')
  assert.deepEqual(recover(files).batches, [1])
})

for (const operation of ['write', 'flush'] as const) {
  test(`after a failed ${operation} the writer opens no gate and never retries`, () => {
    const files = new MemoryFiles()
    const journal = new JournalFixture(files)
    journal.put(1)
    files.beforeCall = (called) => {
      if (called === operation) throw new Error('EIO')
    }
    assert.throws(
      () => journal.writer.doWork(),
      (error) => error instanceof JournalFailure && error.operation === operation,
    )
    assert.equal(journal.gate.durableOffset(), 0)
    files.beforeCall = () => {}
    files.calls.length = 0
    journal.put(1)
    assert.throws(() => journal.writer.doWork(), JournalFailure)
    assert.deepEqual(files.calls, [], 'the writer makes no further calls')
    assert.equal(journal.gate.durableOffset(), 0)
  })
}

test('the writer starts a new segment before one grows too long, flushes first, and recovery finds everything', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, { segmentBytes: 1024 })
  for (let i = 0; i < 40; i++) {
    journal.put(i % 9)
    if (i % 7 === 6) while (journal.writer.doWork() > 0) {}
  }
  while (journal.writer.doWork() > 0) {}
  const names = files.list('')
  assert.ok(names.length >= 5, `${names.length} segments`)
  for (const name of names) assert.ok(files.bytesOf(name) <= 1024, name)
  assert.deepEqual(
    journal.finished,
    names.slice(0, -1).map((_, index) => index),
  )
  const flushed = files.calls.lastIndexOf(`flush ${first}`)
  assert.ok(
    flushed < files.calls.indexOf(`create ${second}`),
    'the writer flushes before it creates the successor',
  )
  assert.equal(recover(files).batches.length, 40)
  assert.equal(journal.gate.durableOffset(), 80)
})

test('a record longer than a segment gets a segment of its own', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, { segmentBytes: 704 })
  for (const words of [1, 200, 1]) journal.put(words)
  while (journal.writer.doWork() > 0) {}
  assert.equal(files.list('').length, 3)
  assert.deepEqual(recover(files).batches, [1, 2, 3])
})

test('records on both sides of the ring wrap go out in one write', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, {}, 4096)
  let batches = 0
  for (let round = 0; round < 50; round++) {
    while (journal.put(batches % 23)) batches++
    files.calls.length = 0
    journal.writer.doWork()
    assert.deepEqual(files.calls, [`write ${first}`, `flush ${first}`])
  }
  assert.equal(recover(files).batches.length, batches)
})

test("while idle the writer prefills with zeros, overwrites them later, and cuts them off at the segment's end", () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, { aheadBytes: 1024, segmentBytes: 2240 })
  assert.equal(journal.writer.doWork(), 0)
  assert.equal(files.bytesOf(first), segmentHeaderBytes + 1024)
  journal.put(8)
  journal.writer.doWork()
  assert.equal(files.bytesOf(first), segmentHeaderBytes + 1024, 'no growth')
  const seen = recover(files.copy())
  assert.deepEqual([seen.batches, seen.cutBytes], [[1], 0], 'zeros at the end are not a torn tail')
  for (let i = 0; i < 20; i++) {
    journal.put(8)
    journal.writer.doWork()
    journal.writer.doWork()
  }
  assert.equal(files.bytesOf(first), segmentHeaderBytes + 13 * 144)
  assert.equal(recover(files).batches.length, 21)
})

test('a shutdown record ends the journal and finishes its segment', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, { aheadBytes: 512 })
  journal.writer.doWork()
  journal.put(1)
  journal.putShutdown()
  journal.writer.doWork()
  assert.equal(journal.writer.isShutDown, true)
  assert.deepEqual(journal.finished, [0])
  assert.equal(files.calls.at(-1), `flush ${first}`)
  const recovered = recover(files)
  assert.equal(recovered.shutDown, true)
  assert.equal(recovered.nextBatchNumber, 2)
  assert.equal(recovered.offset, files.bytesOf(first))
})

test('a recovered journal continues where it ended', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files)
  journal.put(2)
  journal.putShutdown()
  journal.writer.doWork()
  const later = new JournalFixture(files, { resume: recover(files) })
  later.put(3)
  later.writer.doWork()
  const recovered = recover(files)
  assert.deepEqual(recovered.batches, [1, 2])
  assert.equal(recovered.shutDown, false)
  assert.equal(files.list('').length, 1)
})

test('another engine version starts a new segment', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files)
  journal.put(2)
  journal.writer.doWork()
  const later = new JournalFixture(files, { resume: recover(files), engineVersion: 8 })
  later.put(1)
  later.writer.doWork()
  assert.deepEqual(later.finished, [0])
  assert.deepEqual(files.list(''), [first, second])
  assert.deepEqual(recover(files, 2, 8).batches, [2])
})

test('the writer asserts on a gap in the batch numbers, a bug of the core', () => {
  const journal = new JournalFixture(new MemoryFiles())
  journal.batchNumber = 3
  journal.put(1)
  assert.throws(() => journal.writer.doWork(), /no gaps/)
})
