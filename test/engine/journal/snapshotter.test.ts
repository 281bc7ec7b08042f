import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalDamage, ReplayDivergence } from '../../../engine/journal/journal-errors.js'
import { segmentName } from '../../../engine/journal/segment-format.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import { SnapshotStore, snapshotName } from '../../../engine/journal/snapshot-store.js'
import {
  type Replica,
  type SnapshotSchedule,
  Snapshotter,
} from '../../../engine/journal/snapshotter.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { JournalFixture, recover, seqAfter, versions } from './journal-fixture.js'

/** Replays what `JournalFixture` decides: a sum over all command words. */
class SumReplica implements Replica {
  batchNumber = 0
  sum = 0
  /** Events by which its last batch published fewer than it had recorded. */
  missingEvents = 0

  get seq(): number {
    return seqAfter(this.batchNumber) - this.missingEvents
  }

  load(state: Uint8Array): void {
    const view = new DataView(state.buffer, state.byteOffset)
    this.sum = view.getInt32(0, true)
    this.batchNumber = view.getInt32(4, true)
  }

  applyBatch(batch: BatchView): void {
    for (let i = 0; i < batch.commandCount; i++) {
      this.sum = (this.sum + batch.f64[(batch.commandsAt >> 3) + i]) | 0
    }
    this.batchNumber = batch.batchNumber
  }

  stateHash(): { low: number; high: number } {
    return { low: this.sum, high: ~this.sum }
  }

  save(): Uint8Array {
    return new Uint8Array(Int32Array.of(this.sum, this.batchNumber).buffer)
  }
}

class Rig {
  readonly store: SnapshotStore
  readonly snapshots: number[] = []
  historySeq = 0
  /** True if it follows the open segment. */
  follows = false
  replica = new SumReplica()

  constructor(
    readonly files: MemoryFiles,
    readonly journal: JournalFixture,
  ) {
    this.store = new SnapshotStore(files, versions)
  }

  start(finishedBefore = 0, schedule?: SnapshotSchedule): Snapshotter {
    this.replica = new SumReplica()
    const snapshotter = new Snapshotter({
      files: this.files,
      store: this.store,
      replica: this.replica,
      ...(schedule === undefined ? {} : { schedule }),
      segmentsFinished: () => (this.journal.finished.at(-1) ?? finishedBefore - 1) + 1,
      batchesWritten: () => (this.follows ? this.journal.writer.nextBatchNumber - 1 : 0),
      historySeq: () => this.historySeq,
      onSnapshot: (batchNumber) => this.snapshots.push(batchNumber),
    })
    snapshotter.onStart()
    return snapshotter
  }

  write(batches: number): void {
    for (let i = 0; i < batches; i++) {
      this.journal.put(5)
      this.journal.writer.doWork()
    }
  }
}

function rigOf(segmentBytes = 792): Rig {
  const files = new MemoryFiles()
  return new Rig(files, new JournalFixture(files, { segmentBytes }))
}

function drain(snapshotter: Snapshotter): void {
  while (snapshotter.doWork() > 0) {}
}

test('a snapshot ends with the sequence that was reached, not with the limit that an early batch recorded', () => {
  const rig = rigOf()
  const snapshotter = rig.start()
  rig.replica.missingEvents = 2
  rig.write(5)
  drain(snapshotter)
  assert.equal(rig.store.readNewest().snapshot?.seq, seqAfter(4) - 2)
})

test('the snapshotter writes a snapshot after each finished segment, and none of the open one', () => {
  const rig = rigOf()
  const snapshotter = rig.start()
  assert.equal(snapshotter.doWork(), 0)
  rig.write(10)
  drain(snapshotter)
  assert.deepEqual(rig.snapshots, [4, 8])
  assert.deepEqual(rig.store.list(), [4, 8])
  assert.equal(rig.store.readNewest().snapshot?.seq, seqAfter(8))
  rig.write(3)
  drain(snapshotter)
  assert.deepEqual(rig.snapshots, [4, 8, 12])
})

test('the snapshotter follows the open segment up to the written part, and writes its snapshot once it is finished', () => {
  const rig = rigOf(2000)
  rig.follows = true
  const snapshotter = rig.start()
  drain(snapshotter)
  for (let batches = 1; batches <= 30; batches++) {
    rig.write(1)
    drain(snapshotter)
    assert.equal(rig.replica.batchNumber, batches)
    assert.equal(rig.replica.sum, rig.journal.hash)
  }
  assert.ok(rig.snapshots.length > 1)
  assert.ok(rig.snapshots.at(-1)! < 30)
  rig.journal.putShutdown()
  rig.journal.writer.doWork()
  drain(snapshotter)
  assert.equal(rig.snapshots.at(-1), 30)
})

/** Returns a schedule with a clock that the test moves. */
function scheduleOf(parts: Partial<SnapshotSchedule>) {
  const clock = { millis: 0 }
  const nowMillis = () => clock.millis
  const schedule = { batches: 0, millis: 0, nowMillis, flushesSegment: false, ...parts }
  return { clock, schedule }
}

test('the snapshotter writes a snapshot of the open segment after the scheduled number of batches', () => {
  const rig = rigOf(100_000)
  rig.follows = true
  const snapshotter = rig.start(0, scheduleOf({ batches: 10 }).schedule)
  for (let count = 0; count < 25; count++) {
    rig.write(1)
    drain(snapshotter)
  }
  assert.deepEqual(rig.snapshots, [10, 20])
  assert.deepEqual(recover(rig.files, 21).batches.length, 5)
})

test('the snapshotter writes a snapshot of the open segment after the scheduled time, if there are new batches', () => {
  const rig = rigOf(100_000)
  rig.follows = true
  const { clock, schedule } = scheduleOf({ millis: 1000 })
  const snapshotter = rig.start(0, schedule)
  for (clock.millis = 0; clock.millis <= 3500; clock.millis += 500) {
    if (clock.millis < 2000) rig.write(1)
    drain(snapshotter)
  }
  assert.deepEqual(rig.snapshots, [2, 4])
})

test('after a slow snapshot the snapshotter pauses ten times as long', () => {
  const rig = rigOf(100_000)
  rig.follows = true
  const { clock, schedule } = scheduleOf({ batches: 1 })
  const snapshotter = rig.start(0, schedule)
  rig.files.beforeCall = (call) => {
    if (call === 'flush') clock.millis += 100
  }
  const takenAt: number[] = []
  for (let turn = 0; turn < 50; turn++, clock.millis += 100) {
    rig.write(1)
    const count = rig.snapshots.length
    drain(snapshotter)
    if (rig.snapshots.length > count) takenAt.push(clock.millis)
  }
  assert.ok(takenAt.length > 2)
  const gaps = takenAt.slice(1).map((millis, i) => millis - takenAt[i]!)
  assert.ok(
    gaps.every((millis) => millis >= 1000),
    gaps.join(),
  )
})

test('without durability the snapshotter flushes the open segment before it names the snapshot', () => {
  const rig = rigOf(100_000)
  rig.follows = true
  const snapshotter = rig.start(0, scheduleOf({ batches: 1, flushesSegment: true }).schedule)
  rig.write(1)
  rig.files.calls.length = 0
  drain(snapshotter)
  const { calls } = rig.files
  const flushed = calls.indexOf(`flush ${segmentName(0)}`)
  assert.ok(flushed >= 0 && flushed < calls.indexOf('rename snapshot.unfinished'), calls.join())
})

test('the snapshotter waits for data after the last complete record of an open segment', () => {
  const rig = rigOf(100_000)
  rig.follows = true
  const snapshotter = rig.start()
  rig.write(3)
  drain(snapshotter)
  const name = segmentName(0)
  const whole = rig.files.read(name).slice()
  rig.write(1)
  const written = rig.files.read(name).slice()
  rig.files.open(name).truncate(written.length - 16)
  drain(snapshotter)
  assert.equal(rig.replica.batchNumber, 3)
  rig.files.open(name).write([written.subarray(whole.length)], whole.length)
  drain(snapshotter)
  assert.equal(rig.replica.batchNumber, 4)
})

test('the snapshotter bounds its work: a long segment takes several turns', () => {
  const rig = rigOf(100_000)
  rig.write(300)
  rig.journal.putShutdown()
  rig.journal.writer.doWork()
  const snapshotter = rig.start()
  assert.ok(snapshotter.doWork() <= 64)
  assert.deepEqual(rig.snapshots, [])
  drain(snapshotter)
  assert.deepEqual(rig.snapshots, [300])
})

test('a snapshot of everything covers a graceful shutdown', () => {
  const rig = rigOf()
  rig.write(6)
  rig.journal.putShutdown()
  rig.journal.writer.doWork()
  drain(rig.start())
  assert.deepEqual(rig.snapshots, [4, 6])
  assert.equal(rig.replica.sum, rig.journal.hash)
  assert.deepEqual(recover(rig.files, 7).batches, [])
})

test('after a restart the snapshotter continues from the newest snapshot, over an earlier shutdown', () => {
  const rig = rigOf(2000)
  rig.write(6)
  rig.journal.putShutdown()
  rig.journal.writer.doWork()
  drain(rig.start())
  const journal = new JournalFixture(rig.files, { segmentBytes: 2192, resume: recover(rig.files) })
  journal.hash = rig.journal.hash
  const later = new Rig(rig.files, journal)
  const snapshotter = later.start()
  assert.equal(later.replica.batchNumber, 6)
  later.write(30)
  drain(snapshotter)
  assert.equal(later.snapshots.length, 2)
  assert.equal(later.snapshots.at(-1), later.replica.batchNumber)
})

test('a divergence stops the snapshotter and produces no snapshot', () => {
  const rig = rigOf()
  rig.write(3)
  rig.journal.hash ^= 1
  rig.write(4)
  const snapshotter = rig.start()
  assert.throws(
    () => drain(snapshotter),
    (error) => error instanceof ReplayDivergence && error.batchNumber === 4,
  )
  assert.deepEqual(rig.store.list(), [])
})

test('a damaged newest snapshot costs nothing: the older one and its tail replay', () => {
  const rig = rigOf()
  const snapshotter = rig.start()
  rig.historySeq = Number.MAX_SAFE_INTEGER
  rig.write(14)
  drain(snapshotter)
  assert.deepEqual(rig.store.list(), [8, 12])
  assert.deepEqual(rig.files.list('archive'), [segmentName(0), segmentName(1)])
  rig.files.contentOf(snapshotName(12))[80 - 16] ^= 1
  const again = rig.start(3)
  assert.equal(rig.replica.batchNumber, 8)
  drain(again)
  assert.equal(rig.snapshots.at(-1), 12)
})

test('the snapshotter reports damage in a finished segment and does not skip it', () => {
  const rig = rigOf()
  rig.write(6)
  rig.files.contentOf(segmentName(0))[200] ^= 1
  assert.throws(() => drain(rig.start()), JournalDamage)
})
