import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReplayDivergence } from '../../../engine/journal/journal-errors.js'
import { recoverJournal } from '../../../engine/journal/recovery.js'
import { segmentHeaderBytes, segmentName } from '../../../engine/journal/segment-format.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import { snapshotFormatVersion } from '../../../engine/journal/snapshot-store.js'
import { checkHash, loadSnapshot } from '../../../engine/journal/snapshotter.js'
import { JournaledBatch } from '../../../schemas/generated/journal.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { engineVersion, JournalFixture, recover, versions } from './journal-fixture.js'

const words = 4
const recordBytes = JournaledBatch.bytes + words * 8

test('a record that just fits ends its segment; with one byte less it starts the next one', () => {
  for (const [segmentBytes, inFirst] of [
    [segmentHeaderBytes + 3 * recordBytes, 3],
    [segmentHeaderBytes + 3 * recordBytes - 8, 2],
  ] as const) {
    const files = new MemoryFiles()
    const journal = new JournalFixture(files, { segmentBytes })
    for (let i = 0; i < 4; i++) journal.put(words)
    while (journal.writer.doWork() > 0) {}
    assert.equal(files.bytesOf(segmentName(0)), segmentHeaderBytes + inFirst * recordBytes)
    assert.equal(files.list('').length, 2)
    assert.deepEqual(recover(files).batches, [1, 2, 3, 4])
  }
})

/** State whose hash matches no batch or snapshot. */
const replica = {
  load: () => {},
  stateHash: () => ({ low: 5, high: 9 }),
}

test('recovery compares both halves of the state hash, with a batch and with a snapshot', () => {
  for (const [hashLow, hashHigh] of [
    [5, 8],
    [4, 9],
    [9, 5],
  ] as const) {
    const hash = { hashLow, hashHigh }
    const batch = { batchNumber: 3, ...hash } as BatchView
    assert.throws(() => checkHash(replica, batch), ReplayDivergence)
    const versions = { engineVersion, formatVersion: snapshotFormatVersion }
    const snapshot = { batchNumber: 3, seq: 1, ...versions, ...hash }
    assert.throws(
      () => loadSnapshot(replica, { ...snapshot, state: new Uint8Array(0) }),
      ReplayDivergence,
    )
  }
  const sound = { batchNumber: 3, hashLow: 5, hashHigh: 9 }
  checkHash(replica, sound as BatchView)
})

test('recovery drops a newest segment that has only a complete, broken header, and reports no damage', () => {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, { segmentBytes: segmentHeaderBytes + recordBytes })
  for (let i = 0; i < 2; i++) {
    journal.put(words)
    while (journal.writer.doWork() > 0) {}
  }
  const newest = segmentName(1)
  files.files.set(newest, files.read(newest, segmentHeaderBytes))
  files.contentOf(newest)[20] ^= 1
  const { batches, cutBytes, segmentNumber } = recover(files)
  assert.deepEqual([batches, cutBytes, segmentNumber], [[1], segmentHeaderBytes, 0])
  assert.deepEqual(files.list(''), [segmentName(0)])
})

test('recovery rejects a sound record from an earlier use of its place, which follows another state', () => {
  const first = segmentName(0)
  const placeOf = (batchNumber: number) => segmentHeaderBytes + (batchNumber - 1) * recordBytes
  const older = new MemoryFiles()
  const journal = new JournalFixture(older)
  for (let i = 0; i < 3; i++) journal.put(words)
  journal.writer.doWork()
  const files = new MemoryFiles()
  files.files.set(first, older.contentOf(first).slice(0, placeOf(2)))
  const later = new JournalFixture(files, { resume: recover(files) })
  later.hash = sumOf(1000)
  later.put(words, 7000)
  later.put(words)
  later.writer.doWork()
  const options = { files, fromBatch: 1, versions }
  assert.equal(replayedBatches(options), 3)
  files.contentOf(first).set(older.contentOf(first).subarray(placeOf(3)), placeOf(3))
  assert.equal(recoverJournal(options, () => {}).batchCount, 3, 'the record has no other error')
  assert.throws(() => replayedBatches(options), /batch 3/)
})

function sumOf(firstWord: number): number {
  return words * firstWord + 6
}

/**
 * Replays as the core does: checks the state that each batch names.
 * @throws ReplayDivergence
 */
function replayedBatches(options: Parameters<typeof recoverJournal>[0]): number {
  let sum = 0
  const sums = { load: () => {}, stateHash: () => ({ low: sum, high: ~sum }) }
  return recoverJournal(options, (batch) => {
    checkHash(sums, batch)
    sum += sumOf(batch.f64[batch.commandsAt >> 3]!)
  }).batchCount
}
