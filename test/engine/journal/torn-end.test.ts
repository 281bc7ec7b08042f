import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalDamage, JournalLoss } from '../../../engine/journal/journal-errors.js'
import {
  evidenceOf,
  historyEndAt,
  type LossBorder,
  lossBorderOf,
} from '../../../engine/journal/journal-loss.js'
import { findEnd, recoverJournal } from '../../../engine/journal/recovery.js'
import { segmentHeaderBytes, segmentName } from '../../../engine/journal/segment-format.js'
import { SnapshotStore } from '../../../engine/journal/snapshot-store.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { JournalFixture, versions } from './journal-fixture.js'

const first = segmentName(0)
const second = segmentName(1)
const third = segmentName(2)
const nobodyKnows = historyEndAt(0)

function evidence(files: MemoryFiles, history = nobodyKnows) {
  return evidenceOf(files, new SnapshotStore(files, versions), history)
}

function borderOf(files: MemoryFiles, history = nobodyKnows): LossBorder | null {
  return lossBorderOf(findEnd(files), evidence(files, history), history)
}

function start(files: MemoryFiles, loss: LossBorder | null = null, history = nobodyKnows) {
  const batches: number[] = []
  const options = { files, fromBatch: 1, versions, evidence: evidence(files, history), loss }
  const resume = recoverJournal(options, (batch) => batches.push(batch.batchNumber))
  return { resume, batches }
}

/**
 * Continues after a start.
 * @returns the number of the batch that was written
 */
function goOn(files: MemoryFiles, resume: ReturnType<typeof start>['resume']): number {
  const journal = new JournalFixture(files, { resume })
  journal.put(3)
  journal.writer.doWork()
  return journal.batchNumber - 1
}

/**
 * Returns two batches, an accepted loss up to sequence 244 with one batch after it, and a segment torn at its creation.
 */
function goneOnBehindLoss(): MemoryFiles {
  const files = new MemoryFiles()
  const journal = new JournalFixture(files)
  for (let i = 0; i < 2; i++) journal.put(1)
  journal.writer.doWork()
  const history = historyEndAt(244)
  const { resume } = start(files, borderOf(files, history), history)
  assert.equal(goOn(files, resume), 227)
  files.files.set(third, new Uint8Array(0))
  return files
}

test('recovery removes a segment torn at its creation and continues the one after a loss', () => {
  const files = goneOnBehindLoss()
  assert.deepEqual(start(files).batches, [1, 2, 227])
  assert.deepEqual(files.list(''), [first, second])
})

test('a finished segment whose first batch, an accepted loss, is zeros is a loss of its own', () => {
  const files = goneOnBehindLoss()
  files.contentOf(second).fill(0, segmentHeaderBytes)
  const before = files.copy()
  assert.throws(() => start(files), {
    name: JournalLoss.name,
    message: /the header of segment-0000000001.journal has seen sequence 244, batch 226/,
  })
  assert.deepEqual(files.files, before.files, 'the failed start changes nothing')
})

test('that loss can be accepted, and numbers continue after the first one', () => {
  const files = goneOnBehindLoss()
  files.contentOf(second).fill(0, segmentHeaderBytes)
  const border = borderOf(files)
  assert.equal(border!.seq, 244)
  assert.ok(border!.batchNumber >= 226)
  const { resume, batches } = start(files, border)
  assert.deepEqual(batches, [1, 2])
  const last = goOn(files, resume)
  assert.ok(last > 226)
  assert.deepEqual(files.list(''), [first, second, third])
  assert.equal(borderOf(files), null)
  assert.deepEqual(start(files).batches, [1, 2, last])
})

test('a loss after such a loss is a separate one', () => {
  const files = goneOnBehindLoss()
  files.contentOf(second).fill(0, segmentHeaderBytes)
  goOn(files, start(files, borderOf(files)).resume)
  files.contentOf(third).fill(0, segmentHeaderBytes)
  files.files.set(segmentName(3), new Uint8Array(7))
  assert.throws(() => start(files), /header of segment-0000000002.journal has seen/)
  const border = borderOf(files)
  const last = goOn(files, start(files, border).resume)
  assert.ok(last > border!.batchNumber && border!.batchNumber > 227)
  assert.deepEqual(start(files).batches, [1, 2, last])
})

test('a successor with a sound header knows the length, so that recovery reports damage', () => {
  const files = goneOnBehindLoss()
  files.files.delete(third)
  const history = historyEndAt(5000)
  goOn(files, start(files, borderOf(files, history), history).resume)
  files.contentOf(second).fill(0, segmentHeaderBytes)
  assert.throws(() => start(files), /it ends here, once it had/)
})

test('the next start still reports the loss if the power fails at any step of its acceptance', () => {
  const files = goneOnBehindLoss()
  files.contentOf(second).fill(0, segmentHeaderBytes)
  const changed: MemoryFiles[] = []
  files.beforeCall = () => changed.push(files.copy())
  const border = borderOf(files)
  const { resume } = start(files, border)
  const isBegun = changed.length
  goOn(files, resume)
  assert.ok(changed.length > isBegun + 2)
  let refusals = 0
  for (const disk of changed) {
    const again = borderOf(disk)
    if (again === null) continue
    refusals++
    assert.throws(() => start(disk.copy()), JournalLoss)
    assert.equal(again.seq, 244)
    const last = goOn(disk, start(disk, again).resume)
    assert.ok(last > 226)
    assert.deepEqual(start(disk).batches, [1, 2, last])
  }
  assert.ok(refusals >= isBegun + 2, 'starts fail until the batch after the loss is written')
})

test('recovery reports any rest of that batch as damage, which cannot be accepted', () => {
  const files = goneOnBehindLoss()
  files.contentOf(second).fill(0, segmentHeaderBytes, segmentHeaderBytes + 8)
  assert.throws(() => start(files), JournalDamage)
  assert.equal(borderOf(files), null)
  assert.deepEqual(files.list(''), [first, second, third])
})

test('a start asks again for a loss whose acceptance the power cut interrupted', () => {
  const files = goneOnBehindLoss()
  files.files.delete(third)
  files.contentOf(second).fill(0, segmentHeaderBytes)
  assert.equal(borderOf(files), null, 'without a successor the batch was never flushed')
  assert.deepEqual(start(files.copy()).batches, [1, 2])
  assert.throws(() => start(files, null, historyEndAt(244)), JournalLoss)
})
