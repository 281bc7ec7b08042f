import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateBatchTimestamps,
  BatchTimestamps,
  FlushTimestamps,
  findBatch,
} from '../../../engine/memory/batch-timestamps.js'

const rows = 4

/** Batches of 10 events each: the first has events 1 to 10. */
function stamped(...numbers: number[]): SharedArrayBuffer {
  const memory = allocateBatchTimestamps(rows)
  const timestamps = new BatchTimestamps(memory)
  for (const number of numbers) close(timestamps, number)
  return memory
}

function close(timestamps: BatchTimestamps, number: number): void {
  timestamps.onBegun(performance.now())
  timestamps.onCollected()
  timestamps.onClosed(number, number * 10 - 9, number * 10, 3, 1_000 + number)
}

test('any of its sequences finds a batch, with its times in order', () => {
  const memory = stamped(1, 2, 3)
  new FlushTimestamps(memory, 0).onDurable(2)
  const found = findBatch(memory, 15)!
  assert.deepEqual([found.number, found.firstSeq, found.lastSeq], [2, 11, 20])
  assert.deepEqual([found.commands, found.timeMillis], [3, 1_002])
  const times = [found.begunMillis, found.collectedMillis, found.closedMillis, found.flushedMillis]
  assert.deepEqual(
    times,
    [...times].sort((one, other) => one - other),
  )
  assert.equal(findBatch(memory, 11)!.number, 2)
  assert.equal(findBatch(memory, 20)!.number, 2)
  assert.equal(findBatch(memory, 30)!.flushedMillis, 0, 'the batch is not durable yet')
})

test('a sequence in no batch, or in an overwritten one, finds nothing', () => {
  const memory = stamped(1, 2, 3, 4, 5)
  assert.equal(findBatch(memory, 10), null)
  assert.equal(findBatch(memory, 51), null)
  assert.equal(findBatch(memory, 11)!.number, 2)
  assert.equal(findBatch(allocateBatchTimestamps(rows), 1), null)
})

test('a row that is being written counts as missing', () => {
  const memory = stamped(1, 2)
  const versions = new Int32Array(memory, 128, rows)
  versions[2] = 0
  assert.equal(findBatch(memory, 11), null)
  assert.equal(findBatch(memory, 1)!.number, 1)
})

test('a row that was overwritten while it was read counts as missing too', (t) => {
  const memory = stamped(1, 2)
  const load = Atomics.load
  let loads = 0
  t.mock.method(Atomics, 'load', (words: Int32Array, index: number) => {
    if (++loads === 2) close(new BatchTimestamps(memory), 6)
    return load(words, index)
  })
  assert.equal(findBatch(memory, 11), null)
})

test('flushes skip batches without a row and overwritten ones', () => {
  const memory = stamped(1, 3, 8)
  const flushed = new FlushTimestamps(memory, 0)
  flushed.onDurable(9)
  assert.ok(findBatch(memory, 80)!.flushedMillis > 0)
  flushed.onDurable(9)
  close(new BatchTimestamps(memory), 10)
  assert.equal(findBatch(memory, 100)!.flushedMillis, 0)
})
