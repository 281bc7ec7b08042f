import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EngineVersions, writerName } from '../../../../engine/journal/engine-versions.js'
import { JournalWriter } from '../../../../engine/journal/journal-writer.js'
import { recoverJournal } from '../../../../engine/journal/recovery.js'
import { SnapshotStore, snapshotName } from '../../../../engine/journal/snapshot-store.js'
import { allocateEventLog, DurableGate } from '../../../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../../../engine/memory/ring.js'
import {
  KeptSegments,
  releaseNotes,
  startingPointsOf,
} from '../../../../gateway/read-model/history/kept-segments.js'
import {
  expectedOf,
  type FolderKind,
  folderIdentity,
  openFolder,
} from '../../../support/folder-fixture.js'
import {
  folderRoot,
  keptFolder,
  later,
  otherRules,
  sameRules,
  writer,
} from '../../../support/kept-folder.js'
import type { MemoryFiles } from '../../../support/memory-files.js'

const { clean } = expectedOf(folderRoot)
const { lastBatch, lastSeq } = clean.informed

/** Returns a folder on which a later engine has started. Its first segment follows the segments of the earlier engine. */
function upgraded(kind: FolderKind, versions: EngineVersions): MemoryFiles {
  const files = keptFolder(kind)
  openFolder(files, lastSeq, versions)
  const options = { files, fromBatch: lastBatch + 1, versions, identity: folderIdentity }
  const writer = new JournalWriter({
    files,
    ring: new Ring(allocateRing(1 << 12), 'consumer'),
    gate: new DurableGate(allocateEventLog(1 << 16)),
    wakeups: [],
    durability: 'flush',
    engineVersion: later.engine,
    identity: folderIdentity,
    resume: recoverJournal(options, () => {}),
  })
  writer.onStart()
  writer.onClose()
  return files
}

function look(files: MemoryFiles, versions: EngineVersions) {
  const segments = new KeptSegments(files)
  const store = new SnapshotStore(segments, versions, folderIdentity)
  return {
    beginnings: startingPointsOf(segments, store),
    notes: releaseNotes(segments, store),
    store,
  }
}

test('with the same rules a store is filled from the first segment on, archived ones included', () => {
  const { beginnings, notes } = look(upgraded('clean', sameRules), sameRules)
  assert.deepEqual([beginnings, notes], [[null, 711, lastBatch], []])
  const killed = look(upgraded('killed', sameRules), sameRules)
  assert.deepEqual([killed.beginnings, killed.notes], [[null, 299, lastBatch], []])
})

test('with other rules it is filled from the end of that version on, and the rest is named', () => {
  const { beginnings, notes } = look(upgraded('clean', otherRules), otherRules)
  assert.deepEqual(beginnings, [lastBatch])
  assert.deepEqual(notes, [
    `only ${writerName(otherRules, writer.engine)} replays segment-0000000000.journal to segment-0000000018.journal`,
  ])
})

test('the archived snapshot begins it if its successor is gone', () => {
  const files = upgraded('clean', otherRules)
  files.files.delete(snapshotName(lastBatch))
  const { beginnings, store } = look(files, otherRules)
  assert.deepEqual(beginnings, [lastBatch])
  assert.equal(store.readOne(lastBatch).engineVersion, writer.engine)
})

test('before it has its own segment, the new snapshot is a beginning', () => {
  const files = keptFolder('clean')
  openFolder(files, lastSeq, otherRules)
  assert.deepEqual(look(files, otherRules).beginnings, [lastBatch])
})
