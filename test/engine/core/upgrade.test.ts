import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineVersions } from '../../../engine/journal/engine-versions.js'
import { JournalRefusal, ReplayDivergence } from '../../../engine/journal/journal-errors.js'
import { sealRecord, segmentName } from '../../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../../engine/journal/segment-reader.js'
import { SnapshotStore, snapshotName } from '../../../engine/journal/snapshot-store.js'
import { JournaledBatch } from '../../../schemas/generated/journal.js'
import { viewsOfCopy } from '../../../schemas/record-views.js'
import { expectedOf, folderIdentity, openFolder } from '../../support/folder-fixture.js'
import {
  folderRoot,
  keptFolder,
  later,
  otherRules,
  sameRules,
  writer,
} from '../../support/kept-folder.js'
import type { MemoryFiles } from '../../support/memory-files.js'

const { clean, killed } = expectedOf(folderRoot)
const { lastBatch, lastSeq } = clean.informed
const endName = snapshotName(lastBatch)
const last = segmentName(18)
const writerText = `engine version ${writer.engine} (release ${writer.release})`
const release = `was written by ${writerText}: start that release, stop it gracefully, then start this one`

function storeOf(files: MemoryFiles, versions: EngineVersions = sameRules): SnapshotStore {
  return new SnapshotStore(files, versions, folderIdentity)
}

function newest(files: MemoryFiles) {
  return storeOf(files).readNewest().snapshot!
}

/** Asserts that a start is refused with a sentence, and has changed nothing. */
function assertRefused(files: MemoryFiles, historySeq: number, sentence: string): void {
  const before = new Map(files.files)
  assert.throws(
    () => openFolder(files, historySeq, otherRules),
    (error: Error) => error instanceof JournalRefusal && error.message.includes(sentence),
  )
  assert.deepEqual(files.files, before)
  assert.deepEqual(files.calls, [])
}

for (const [rules, versions] of [
  ['the same', sameRules],
  ['other', otherRules],
] as const) {
  test(`after a graceful end with ${rules} rules the last snapshot is read and rewritten`, () => {
    const opened = (files: MemoryFiles) => openFolder(files, lastSeq, versions)
    const files = keptFolder('clean')
    const before = files.contentOf(endName)
    const found = opened(files)
    assert.deepEqual(found.tables, clean.informed.tables)
    assert.deepEqual(found.bootstrap, clean.informed.bootstrap)
    assert.equal(newest(files).engineVersion, later.engine)
    assert.deepEqual(files.contentOf(`archive/${endName}`), before)
    files.calls.length = 0
    assert.deepEqual(opened(files), found)
    const settled = ['write', 'flush', 'close'].map((operation) => `${operation} ${last}`)
    assert.deepEqual(files.calls, settled, 'the second start writes no snapshot')
  })
}

test('after a kill with the same rules the journal is replayed, and a snapshot of its end is written', () => {
  const files = keptFolder('killed')
  const found = openFolder(files, lastSeq, sameRules)
  assert.deepEqual(found.tables, killed.informed.tables)
  assert.equal(found.replayed, killed.informed.replayed)
  const { batchNumber, engineVersion } = newest(files)
  assert.deepEqual([batchNumber, engineVersion], [lastBatch, later.engine])
  const again = openFolder(files, lastSeq, otherRules)
  assert.deepEqual([again.replayed, again.tables], [0, found.tables])
})

test('a crash at any step of the new snapshot leaves a readable one, and the next start completes', () => {
  const wanted = openFolder(keptFolder('clean'), lastSeq, sameRules)
  let steps = 0
  for (let isThrough = false; !isThrough; steps++) {
    const files = keptFolder('clean')
    let left = steps
    files.beforeCall = () => {
      if (left-- === 0) throw new Error('crash')
    }
    try {
      openFolder(files, lastSeq, otherRules)
      isThrough = true
    } catch (error) {
      assert.equal((error as Error).message, 'crash')
    }
    files.beforeCall = () => {}
    const { snapshot, damaged } = storeOf(files).readNewest()
    assert.deepEqual([snapshot?.batchNumber, damaged], [lastBatch, []], `step ${steps}`)
    assert.deepEqual(openFolder(files, lastSeq, otherRules), wanted, `step ${steps}`)
    assert.equal(newest(files).engineVersion, later.engine, `step ${steps}`)
    const archived = files.contentOf(`archive/${endName}`)
    assert.deepEqual(archived, keptFolder('clean').contentOf(endName), `step ${steps}`)
  }
  assert.ok(steps > 12, `${steps} steps`)
})

test('after a kill with other rules a start fails and names the release to stop gracefully', () => {
  assertRefused(keptFolder('killed'), lastSeq, `${segmentName(1)} ${release}`)
})

test('it also fails if the newest snapshot is damaged and the one before needs a replay', () => {
  const files = keptFolder('clean')
  files.contentOf(endName)[200]! ^= 1
  assertRefused(files, lastSeq, `${last} ${release}`)
})

test('a damaged newest snapshot costs nothing if the rules are the same', () => {
  const files = keptFolder('clean')
  files.contentOf(endName)[200]! ^= 1
  const found = openFolder(files, lastSeq, sameRules)
  assert.deepEqual([found.snapshotBatch, found.tables], [711, clean.informed.tables])
  assert.equal(newest(files).batchNumber, lastBatch)
})

test('a history store that lags receives the missing events if the rules are the same', () => {
  const found = openFolder(keptFolder('killed'), 20_000, sameRules)
  assert.equal(found.events.count, lastSeq - 20_000)
})

test('with other rules the start names the previous release, which has to complete the store', () => {
  const sentence = `the history store has sequence 20000, the journal ends with ${lastSeq}`
  const files = keptFolder('clean')
  assertRefused(files, 20_000, sentence)
  assertRefused(
    files,
    20_000,
    `${writerText} wrote the events in between: start that release once more`,
  )
})

test('a snapshot whose hash differs from that of its state fails, whatever version wrote it', () => {
  const files = keptFolder('clean')
  const read = newest(files)
  storeOf(files, [writer]).write({ ...read, hashLow: read.hashLow ^ 1 })
  assert.throws(() => openFolder(files, lastSeq, sameRules), ReplayDivergence)
})

test('a graceful end whose hash differs from that of the snapshot fails', () => {
  const files = keptFolder('clean')
  const reader = new SegmentReader(files, 18)
  let at = reader.offset
  for (let found = reader.next(); found === Found.Batch; found = reader.next()) at = reader.offset
  const bytes = files.contentOf(last)
  const record = new JournaledBatch().over(viewsOfCopy(bytes, bytes.length), at)
  record.hashHigh ^= 1
  sealRecord(record)
  files.files.set(last, record.u8)
  assert.throws(() => openFolder(files, lastSeq, sameRules), ReplayDivergence)
})

test("a journal of a later engine fails with the engine's name", () => {
  const files = keptFolder('clean')
  openFolder(files, lastSeq, sameRules)
  assert.throws(() => openFolder(files, lastSeq, [writer]), /engine version \d+; this engine reads/)
})
