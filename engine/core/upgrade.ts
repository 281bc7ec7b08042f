import {
  firstUnreplayable,
  ownVersion,
  replayRefusal,
  writerName,
} from '../journal/engine-versions.js'
import { JournalRefusal } from '../journal/journal-errors.js'
import type { JournalFiles } from '../journal/journal-files.js'
import { findEnd, type RecoveredJournal } from '../journal/recovery.js'
import { type Snapshot, type SnapshotStore, snapshotName } from '../journal/snapshot-store.js'
import { savedOf } from '../journal/snapshotter.js'
import type { CoreReplay } from './replica.js'

// An upgrade is a start on data of an earlier version. It must not need anything that this version cannot replay, and
// its first segment follows a snapshot of its own.

/**
 * Checks, before the start writes anything, that this version can replay everything that the start needs.
 * @param historySeq last sequence of the history store.
 * @param snapshot with which the start would begin.
 * @throws JournalRefusal if it cannot.
 */
export function checkUpgrade(
  files: JournalFiles,
  store: SnapshotStore,
  historySeq: number,
  snapshot: Snapshot | null,
): void {
  const { versions } = store
  const firstBlockedAfter = (from: Snapshot | null) =>
    firstUnreplayable(files, versions, (from?.batchNumber ?? 0) + 1)
  const header = firstBlockedAfter(snapshot)
  if (header === null) return
  const newest = store.readNewest()
  if (firstBlockedAfter(newest.snapshot) !== null) throw replayRefusal(header, versions)
  throw new JournalRefusal(
    `the history store has sequence ${historySeq}, the journal ends with ${findEnd(files).seqAfter}. ` +
      `${writerName(versions, header.engineVersion)} wrote the events in between: start that release once more, stop it ` +
      'gracefully, then start this one. Or move the store away, so that a new one is filled from the journal',
  )
}

/**
 * Writes a snapshot of the end of the journal if an earlier version wrote that end. Later starts then need nothing of
 * that version, and this version's first segment begins with a state of its own.
 * @param snapshot with which the start began.
 * @returns a sentence for the log, or null if nothing was needed.
 */
export function renewSnapshot(
  replay: CoreReplay,
  store: SnapshotStore,
  snapshot: Snapshot | null,
  resume: RecoveredJournal,
): string | null {
  const { batchNumber } = replay
  const own = ownVersion(store.versions).engine
  if (batchNumber === 0 || resume.engineVersion === own) return null
  if (snapshot?.engineVersion === own && snapshot.batchNumber === batchNumber) return null
  store.renew(savedOf(replay))
  const name = snapshotName(batchNumber)
  return `upgrade: ${name} is written by ${writerName(store.versions, own)}`
}
