import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalDamage, JournalRefusal } from '../../../engine/journal/journal-errors.js'
import { segmentName } from '../../../engine/journal/segment-format.js'
import {
  archiveSegments,
  type Snapshot,
  SnapshotStore,
  snapshotBatchOf,
  snapshotFormatVersion,
  snapshotName,
} from '../../../engine/journal/snapshot-store.js'
import { SnapshotHead } from '../../../schemas/generated/journal.js'
import { cutPower } from '../../simulation/disk/power-cut.js'
import { type DiskHazards, VirtualDisk } from '../../simulation/disk/virtual-disk.js'
import { FaultPlan } from '../../simulation/run/fault-plan.js'
import { Statistics } from '../../simulation/run/statistics.js'
import { MemoryFiles } from '../../support/memory-files.js'
import {
  engineVersion,
  JournalFixture,
  seqAfter,
  versions,
  versionsAfter,
  versionsOf,
} from './journal-fixture.js'

function snapshotOf(batchNumber: number, stateBytes = 24): Snapshot {
  return {
    batchNumber,
    seq: seqAfter(batchNumber),
    engineVersion,
    formatVersion: snapshotFormatVersion,
    hashLow: -batchNumber,
    hashHigh: batchNumber * 7,
    state: new Uint8Array(stateBytes).map((_, index) => batchNumber + index * 3),
  }
}

function storeWith(...batchNumbers: number[]): { files: MemoryFiles; store: SnapshotStore } {
  const files = new MemoryFiles()
  const store = new SnapshotStore(files, versions)
  for (const batchNumber of batchNumbers) store.write(snapshotOf(batchNumber))
  return { files, store }
}

test('the store returns a snapshot as written, also with an empty state', () => {
  for (const bytes of [0, 1, 24, 100_000]) {
    const { store } = storeWith()
    store.write(snapshotOf(9, bytes))
    assert.deepEqual(store.readNewest(), { snapshot: snapshotOf(9, bytes), damaged: [] })
  }
})

test('without any snapshot the journal starts from its beginning', () => {
  assert.deepEqual(storeWith().store.readNewest(), { snapshot: null, damaged: [] })
})

test('the store writes to a temporary file, flushes, renames and flushes the directory, in this order', () => {
  const { files } = storeWith(5)
  assert.deepEqual(files.calls, [
    'create snapshot.unfinished',
    'write snapshot.unfinished',
    'flush snapshot.unfinished',
    'close snapshot.unfinished',
    'rename snapshot.unfinished',
    'syncDirectory',
  ])
})

test('the store archives a snapshot before another of the same batch replaces it', () => {
  const { files } = storeWith(5)
  const before = files.contentOf(snapshotName(5))
  files.calls.length = 0
  const archived = `archive/${snapshotName(5)}`
  const store = new SnapshotStore(files, versionsAfter(true))
  store.renew(snapshotOf(5, 100))
  assert.deepEqual(files.calls, [
    'create snapshot.unfinished',
    'write snapshot.unfinished',
    'flush snapshot.unfinished',
    'close snapshot.unfinished',
    'syncDirectory archive',
    `create ${archived}`,
    `write ${archived}`,
    `flush ${archived}`,
    `close ${archived}`,
    'syncDirectory archive',
    'rename snapshot.unfinished',
    'syncDirectory',
  ])
  assert.deepEqual(files.contentOf(archived), before)
  const renewed = { ...snapshotOf(5, 100), engineVersion: engineVersion + 1 }
  assert.deepEqual(store.readNewest().snapshot, renewed)
  store.renew(snapshotOf(5, 200))
  assert.deepEqual(files.contentOf(archived), before, 'another start leaves it unchanged')
})

test('after a power cut at any step the store has the old or the new snapshot, complete, and the next attempt succeeds', () => {
  const old = snapshotOf(5, 5000)
  const renewed = { ...snapshotOf(5, 9000), engineVersion: engineVersion + 1 }
  const found = new Set<string>()
  for (let seed = 0; seed < 400; seed++) {
    const disk = new VirtualDisk()
    new SnapshotStore(disk, versions).write(old)
    const store = new SnapshotStore(disk, versionsAfter(true))
    const step = seed % 20
    disk.hazards = failingAt(step)
    try {
      store.renew(renewed)
    } catch (error) {
      assert.equal((error as Error).message, 'power')
    }
    disk.hazards = null
    cutPower(disk, new FaultPlan(seed, new Set(), new Statistics()))
    const { snapshot, damaged } = store.readNewest()
    assert.deepEqual(damaged, [], `step ${step}, seed ${seed}`)
    const isOld = snapshot?.state.length === old.state.length
    assert.deepEqual(snapshot, isOld ? old : renewed)
    found.add(`${isOld}`)
    const archived = `archive/${snapshotName(5)}`
    if (isOld) store.renew(renewed)
    assert.deepEqual(store.readNewest().snapshot, renewed)
    assert.equal(disk.read(archived).length, SnapshotHead.bytes + old.state.length)
  }
  assert.equal(found.size, 2)
})

/** Cuts the power before this step of the changes to the disk; a write gets through in part. */
function failingAt(step: number): DiskHazards {
  let left = step
  const pass = () => {
    if (left-- === 0) throw new Error('power')
  }
  return {
    beforeWrite: (_name, bytes) => (left-- === 0 ? bytes >> 1 : bytes),
    beforeFlush: pass,
    beforeChange: pass,
    afterChange: pass,
    failure: () => new Error('power'),
  }
}

test('after a crash at any step the store has the previous snapshot, and the next write succeeds', () => {
  for (const operation of ['create', 'write', 'flush', 'rename', 'syncDirectory']) {
    const { files, store } = storeWith(5)
    files.beforeCall = (called) => {
      if (called === operation) throw new Error('crash')
    }
    assert.throws(() => store.write(snapshotOf(6)), /crash/)
    files.beforeCall = () => {}
    const expected = operation === 'syncDirectory' ? 6 : 5
    assert.equal(store.readNewest().snapshot?.batchNumber, expected, operation)
    store.write(snapshotOf(7))
    assert.equal(store.readNewest().snapshot?.batchNumber, 7, operation)
  }
})

test('the store keeps the last two snapshots', () => {
  const { store } = storeWith(1, 20, 300, 4000)
  assert.deepEqual(store.list(), [300, 4000])
})

test('a damaged snapshot never displaces a good one', () => {
  const { files, store } = storeWith(3, 8)
  const damage = (batchNumber: number) => {
    files.contentOf(snapshotName(batchNumber))[70] ^= 1
  }
  damage(8)
  store.write(snapshotOf(12))
  assert.deepEqual(store.list(), [3, 8, 12])
  damage(12)
  assert.equal(store.readNewest().snapshot?.batchNumber, 3)
  damage(12)
  store.write(snapshotOf(20))
  assert.deepEqual(store.list(), [12, 20], 'the store has two good snapshots again')
})

test('the archive keeps superseded snapshots, fewer with age, up to a limit', () => {
  const files = new MemoryFiles()
  const store = new SnapshotStore(files, versions, '', 6)
  for (let batchNumber = 1; batchNumber <= 64; batchNumber++) store.write(snapshotOf(batchNumber))
  assert.deepEqual(store.list(), [63, 64])
  const archived = files.list('archive').map(snapshotBatchOf)
  assert.equal(archived.length, 6)
  assert.equal(archived.at(-1), 62)
  const gaps = archived.map((batchNumber, place) => batchNumber - (archived[place - 1] ?? 0))
  for (const [place, gap] of gaps.entries()) {
    // A replay to the batch before this snapshot is short relative to its age.
    assert.ok(gap <= 0.75 * (64 - (archived[place - 1] ?? 0)), archived.join())
  }
})

test('the archive keeps a snapshot from an upgrade and does not count it towards the limit', () => {
  const { files, store } = storeWith(5)
  const later = new SnapshotStore(files, versionsAfter(true), '', 1)
  later.renew(snapshotOf(5, 100))
  const kept = files.read(`archive/${snapshotName(5)}`)
  for (const batchNumber of [6, 7, 8, 9, 10]) later.write(snapshotOf(batchNumber))
  assert.deepEqual(files.read(`archive/${snapshotName(5)}`), kept)
  assert.deepEqual(files.list('archive').map(snapshotBatchOf), [5, 8])
  assert.deepEqual(store.list(), [9, 10])
})

test('the store writes and flushes a long snapshot in pieces', () => {
  const { files, store } = storeWith()
  store.write(snapshotOf(9, 2_500_000))
  const flushes = files.calls.filter((call) => call === 'flush snapshot.unfinished')
  assert.equal(flushes.length, 3)
  assert.deepEqual(store.readNewest().snapshot, snapshotOf(9, 2_500_000))
})

test('the store keeps a snapshot that the history store can continue from while all newer ones are ahead of it', () => {
  const { store } = storeWith(1, 20)
  store.write(snapshotOf(300), seqAfter(1))
  store.write(snapshotOf(4000), seqAfter(1))
  assert.deepEqual(store.list(), [1, 300, 4000], 'the ones in between are superseded')
  assert.equal(store.readNewest(seqAfter(1)).snapshot?.batchNumber, 1)
  store.write(snapshotOf(5000), seqAfter(300))
  assert.deepEqual(store.list(), [300, 4000, 5000])
  assert.equal(store.readNewest(seqAfter(300)).snapshot?.batchNumber, 300)
  store.write(snapshotOf(6000), seqAfter(6000))
  assert.deepEqual(store.list(), [5000, 6000])
})

test('the store finds every flipped bit of the newest snapshot and uses the previous one', () => {
  const { files } = storeWith(3, 8)
  const bits = files.bytesOf(snapshotName(8)) * 8
  for (let bit = 0; bit < bits; bit++) {
    const damaged = files.copy()
    damaged.contentOf(snapshotName(8))[bit >> 3] ^= 1 << (bit & 7)
    const read = new SnapshotStore(damaged, versions).readNewest()
    assert.equal(read.snapshot?.batchNumber, 3, `bit ${bit}`)
    assert.match(read.damaged[0], /^snapshot-0000000000000008\.state: /)
  }
})

test('the store treats a snapshot cut at any byte, or grown, as damaged', () => {
  const { files } = storeWith(3, 8)
  const bytes = files.contentOf(snapshotName(8))
  for (let length = 0; length <= bytes.length + 1; length++) {
    if (length === bytes.length) continue
    const cut = files.copy()
    const content = new Uint8Array(length)
    content.set(bytes.subarray(0, length))
    cut.files.set(snapshotName(8), content)
    const read = new SnapshotStore(cut, versions).readNewest()
    assert.equal(read.snapshot?.batchNumber, 3, `length ${length}`)
  }
})

test('if all snapshots are damaged the store fails, unless the journal still has its first segment', () => {
  const { files, store } = storeWith(3, 8)
  for (const batchNumber of [3, 8]) files.contentOf(snapshotName(batchNumber))[70] ^= 1
  assert.throws(() => store.readNewest(), JournalDamage)
  new JournalFixture(files)
  const read = store.readNewest()
  assert.equal(read.snapshot, null)
  assert.equal(read.damaged.length, 2)
})

test("a segment header written over a snapshot's yields no sequence, although its checksum is right", () => {
  const { files, store } = storeWith(3, 8)
  new JournalFixture(files).put(1)
  const header = files.contentOf(segmentName(0)).subarray(0, 64)
  files.contentOf(snapshotName(8)).set(header)
  assert.equal(store.seqOf(3), seqAfter(3))
  assert.equal(store.seqOf(8), Number.POSITIVE_INFINITY)
  assert.equal(store.readNewest().snapshot?.batchNumber, 3)
})

test('the store treats a snapshot under another name as damaged', () => {
  const { files, store } = storeWith(3)
  files.files.set(snapshotName(9), files.contentOf(snapshotName(3)))
  assert.deepEqual(store.readNewest().damaged, [`${snapshotName(9)}: under another name`])
})

test('the store fails on another engine version, unless it can upgrade from it', () => {
  const { files } = storeWith(3)
  assert.throws(() => new SnapshotStore(files, versionsOf(8)).readNewest(), JournalRefusal)
  assert.equal(new SnapshotStore(files, versionsAfter(false)).readNewest().snapshot?.batchNumber, 3)
})

/** Returns four segments of four batches each, with snapshots after the second and third. */
function archivable(): { files: MemoryFiles; store: SnapshotStore } {
  const { files, store } = storeWith()
  const journal = new JournalFixture(files, { segmentBytes: 792 })
  for (let i = 0; i < 16; i++) {
    journal.put(5)
    journal.writer.doWork()
  }
  store.write(snapshotOf(8))
  store.write(snapshotOf(12))
  return { files, store }
}

test('the store archives segments that both the older snapshot and the history have passed', () => {
  const { files, store } = archivable()
  const limits = { segmentsFinished: 3, historySeq: seqAfter(12) }
  assert.equal(archiveSegments(files, store, limits), 2)
  assert.deepEqual(files.list('archive'), [segmentName(0), segmentName(1)])
  assert.equal(archiveSegments(files, store, limits), 0)
})

test('the store archives nothing before the history has it, nor with one snapshot only', () => {
  const { files, store } = archivable()
  const behind = { segmentsFinished: 3, historySeq: seqAfter(4) - 1 }
  assert.equal(archiveSegments(files, store, behind), 0)
  assert.equal(archiveSegments(files, store, { ...behind, historySeq: seqAfter(4) }), 1)
  files.remove(snapshotName(8))
  assert.equal(archiveSegments(files, store, { ...behind, historySeq: seqAfter(12) }), 0)
})

test('the store ignores a segment that is still being created', () => {
  const { files, store } = archivable()
  files.files.set(segmentName(4), new Uint8Array(3))
  const limits = { segmentsFinished: 3, historySeq: seqAfter(16) }
  assert.equal(archiveSegments(files, store, limits), 2)
})
