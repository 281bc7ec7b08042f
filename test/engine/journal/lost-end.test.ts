import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalLoss } from '../../../engine/journal/journal-errors.js'
import { evidenceOf, historyEndAt, lossBorderOf } from '../../../engine/journal/journal-loss.js'
import { findEnd, recoverJournal } from '../../../engine/journal/recovery.js'
import { segmentHeaderBytes, segmentName } from '../../../engine/journal/segment-format.js'
import { SnapshotStore } from '../../../engine/journal/snapshot-store.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { JournalFixture, seqAfter, versions } from './journal-fixture.js'

const batchesOfFirst = 4
const batchesOfAll = 6
const batchBytes = 88
const last = segmentName(1)
/** History store that has everything. */
const history = historyEndAt(seqAfter(batchesOfAll))

/** Returns a finished segment, and a last one after it with a graceful end. */
function wholeJournal(): MemoryFiles {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files, {
    segmentBytes: segmentHeaderBytes + batchesOfFirst * batchBytes,
  })
  while (journal.batchNumber <= batchesOfAll) {
    journal.put(1)
    journal.writer.doWork()
  }
  journal.putShutdown()
  journal.writer.doWork()
  journal.writer.onClose()
  assert.deepEqual(files.list(''), [segmentName(0), last])
  return files
}

function start(files: MemoryFiles, isAccepted = false) {
  const evidence = evidenceOf(files, new SnapshotStore(files, versions), history)
  const loss = isAccepted ? lossBorderOf(findEnd(files), evidence, history) : null
  const batches: number[] = []
  const options = { files, fromBatch: 1, versions, evidence, loss }
  const resume = recoverJournal(options, (batch) => batches.push(batch.batchNumber))
  return { resume, batches }
}

/** Asserts that a start fails and changes nothing, and that one with the loss accepted continues after it. */
function assertLost(files: MemoryFiles, where: string): void {
  const before = files.copy()
  assert.throws(
    () => start(files),
    (error: Error) =>
      error instanceof JournalLoss &&
      /the history store has seen sequence 60.*--accept-loss/s.test(error.message),
    where,
  )
  assert.deepEqual(files.files, before.files, `${where}: the failed start changes nothing`)
  const { resume, batches } = start(files, true)
  assert.ok(resume.nextBatchNumber > batchesOfAll, `${where}: batch ${resume.nextBatchNumber}`)
  const journal = new JournalFixture(files, { resume })
  journal.put(3)
  journal.writer.doWork()
  assert.deepEqual(start(files).batches, [...batches, journal.batchNumber - 1], where)
}

test('a deleted last segment is a loss that the operator can accept', () => {
  const files = wholeJournal()
  files.files.delete(last)
  assertLost(files, 'deleted')
})

test('a last segment cut at any byte of its batches, emptied, or cut to its header is such a loss too', () => {
  const batchesEnd = segmentHeaderBytes + (batchesOfAll - batchesOfFirst) * batchBytes
  for (let length = 0; length < batchesEnd; length++) {
    const files = wholeJournal()
    files.files.set(last, files.contentOf(last).slice(0, length))
    assertLost(files, `cut at ${length}`)
  }
})

test('a cut that removes only the record of a graceful end loses nothing', () => {
  const files = wholeJournal()
  const bytes = files.contentOf(last)
  assert.ok(start(files.copy()).resume.shutDown)
  files.files.set(last, bytes.slice(0, bytes.length - 1))
  const { resume, batches } = start(files)
  assert.deepEqual([resume.shutDown, batches.length], [false, batchesOfAll])
})
