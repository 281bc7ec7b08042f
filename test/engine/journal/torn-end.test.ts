import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalDamage, JournalLoss } from '../../../engine/journal/journal-errors.js'
import {
  historyEndAt,
  type LossBorder,
  lossBorderOf,
  witnessesOf,
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

function witnesses(files: MemoryFiles, history = nobodyKnows) {
  return witnessesOf(files, new SnapshotStore(files, versions), history)
}

function borderOf(files: MemoryFiles, history = nobodyKnows): LossBorder | null {
  return lossBorderOf(findEnd(files), witnesses(files, history), history)
}

function start(files: MemoryFiles, loss: LossBorder | null = null, history = nobodyKnows) {
  const batches: number[] = []
  const options = { files, fromBatch: 1, versions, witnesses: witnesses(files, history), loss }
  const resume = recoverJournal(options, (batch) => batches.push(batch.batchNumber))
  return { resume, batches }
}

/** Goes on behind a start. @returns the number of the batch that was written. */
function goOn(files: MemoryFiles, resume: ReturnType<typeof start>['resume']): number {
  const journal = new JournalFixture(files, { resume })
  journal.put(3)
  journal.writer.doWork()
  return journal.batchNumber - 1
}

/** Two batches; a loss up to sequence 244 that was accepted, one batch behind it; a segment torn at its creation. */
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

test('a segment torn at its creation is removed, and the one behind a loss goes on', () => {
  const files = goneOnBehindLoss()
  assert.deepEqual(start(files).batches, [1, 2, 227])
  assert.deepEqual(files.list(''), [first, second])
})

test('a finished segment whose first batch, an accepted loss, is zeros is a loss itself', () => {
  const files = goneOnBehindLoss()
  files.contentOf(second).fill(0, segmentHeaderBytes)
  const before = files.copy()
  assert.throws(() => start(files), {
    name: JournalLoss.name,
    message: /the header of segment-0000000001.journal has seen sequence 244, batch 226/,
  })
  assert.deepEqual(files.files, before.files, 'a refusal changes nothing')
})

test('that loss can be accepted, and numbers go on behind the first one', () => {
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

test('a loss behind such a loss is one of its own', () => {
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

test('a successor with a sound header knows the length: then it is damage', () => {
  const files = goneOnBehindLoss()
  files.files.delete(third)
  const history = historyEndAt(5000)
  goOn(files, start(files, borderOf(files, history), history).resume)
  files.contentOf(second).fill(0, segmentHeaderBytes)
  assert.throws(() => start(files), /it ends here, once it had/)
})

test('wherever the power goes while that loss is accepted, the next start knows of it', () => {
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
  assert.ok(refusals >= isBegun + 2, 'until the batch behind the loss is written')
})

test('anything left of that batch is damage, which nobody can accept', () => {
  const files = goneOnBehindLoss()
  files.contentOf(second).fill(0, segmentHeaderBytes, segmentHeaderBytes + 8)
  assert.throws(() => start(files), JournalDamage)
  assert.equal(borderOf(files), null)
  assert.deepEqual(files.list(''), [first, second, third])
})

test('a loss that was being accepted when the power went is asked for again', () => {
  const files = goneOnBehindLoss()
  files.files.delete(third)
  files.contentOf(second).fill(0, segmentHeaderBytes)
  assert.equal(borderOf(files), null, 'without a successor its batch was never flushed')
  assert.deepEqual(start(files.copy()).batches, [1, 2])
  assert.throws(() => start(files, null, historyEndAt(244)), JournalLoss)
})
