import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { segmentNumberOf } from '../../../engine/journal/segment-format.js'
import { snapshotBatchOf } from '../../../engine/journal/snapshot-store.js'
import { historyPath } from './history-schema.js'

/** How segments and snapshots of releases before 1.0 begin. */
const journalMagics = ['SBKJ', 'SBKS']
/** How a file of SQLite begins, and where it has the mark of its application, which those releases left at 0. */
const storeMagic = 'SQLite format 3\0'
const markAt = 68

/**
 * Refuses data that a release before 1.0 has written. Changes nothing.
 * @throws Error that names the folder, and says what to do.
 */
export function refuseOldRelease(dataDir: string): void {
  const journal = join(dataDir, 'journal')
  if (!isOldStore(historyPath(dataDir)) && !filesOf(journal).some(isOldJournal)) return
  throw new Error(
    `the data in ${resolve(dataDir)} was written by a release before 1.0, and such data cannot be carried over: ` +
      'move the folder away, or start with another --data-dir',
  )
}

/** Paths of the segments and snapshots. */
function filesOf(journal: string): string[] {
  if (!existsSync(journal)) return []
  return readdirSync(journal)
    .filter((name) => segmentNumberOf(name) >= 0 || snapshotBatchOf(name) >= 0)
    .map((name) => join(journal, name))
}

function isOldJournal(path: string): boolean {
  return journalMagics.includes(headOf(path, 4).toString('latin1'))
}

function isOldStore(path: string): boolean {
  if (!existsSync(path)) return false
  const head = headOf(path, markAt + 4)
  return head.toString('latin1').startsWith(storeMagic) && head.readInt32BE(markAt) === 0
}

/** The first bytes of a file, and zeros where it has fewer. */
function headOf(path: string, bytes: number): Buffer {
  const head = Buffer.alloc(bytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, bytes, 0)
  } finally {
    closeSync(file)
  }
  return head
}
