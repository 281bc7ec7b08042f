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

// An upgrade is a start behind what an earlier version has written: what this one cannot replay it must not need, and
// its own first segment follows on a snapshot of its own.

/**
 * Looks ahead of a start, which has not written anything yet, whether all that it would replay can be replayed.
 * @param historySeq what the history store has.
 * @param snapshot that the start would begin with.
 * @throws JournalRefusal
 */
export function checkUpgrade(
  files: JournalFiles,
  store: SnapshotStore,
  historySeq: number,
  snapshot: Snapshot | null,
): void {
  const { versions } = store
  const blockedBehind = (from: Snapshot | null) =>
    firstUnreplayable(files, versions, (from?.batchNumber ?? 0) + 1)
  const header = blockedBehind(snapshot)
  if (header === null) return
  const newest = store.readNewest()
  if (blockedBehind(newest.snapshot) !== null) throw replayRefusal(header, versions)
  throw new JournalRefusal(
    `the history store has sequence ${historySeq}, the journal ends with ${findEnd(files).seqAfter}, and what is ` +
      `between was written by ${writerName(versions, header.engineVersion)}: start that release once more, stop it ` +
      'gracefully, then start this one; or move the store away to have another one filled with what is kept',
  )
}

/**
 * Where an earlier version has written the end of the journal, writes a snapshot of it: so no later start needs what
 * that one has written, and this version's first segment has a state of its own to begin with.
 * @param snapshot that the start began with.
 * @returns what was done, in words.
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
