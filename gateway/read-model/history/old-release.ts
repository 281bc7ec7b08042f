import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { segmentNumberOf } from '../../../engine/journal/segment-format.js'
import { snapshotBatchOf } from '../../../engine/journal/snapshot-store.js'
import { historyPath } from './history-schema.js'

/** Magic of segments and of snapshots before release 1.0. */
const journalMagics = ['SBKJ', 'SBKS']
/** Magic of a SQLite file, and the offset of its application id, which releases before 1.0 left at 0. */
const storeMagic = 'SQLite format 3\0'
const applicationIdAt = 68

/**
 * Checks that no release before 1.0 wrote the data of a folder. Changes nothing.
 * @throws Error that names the folder and the remedy.
 */
export function refuseOldRelease(dataDir: string): void {
  const journal = join(dataDir, 'journal')
  if (!isOldStore(historyPath(dataDir)) && !filesOf(journal).some(isOldJournal)) return
  throw new Error(
    `the data in ${resolve(dataDir)} was written by a release before 1.0, which this release cannot read: ` +
      'move the folder away, or start with another --data-dir',
  )
}

/** Returns the paths of segments and snapshots. */
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
  const head = headOf(path, applicationIdAt + 4)
  return head.toString('latin1').startsWith(storeMagic) && head.readInt32BE(applicationIdAt) === 0
}

/** Returns the first bytes of a file, padded with zeros if the file is shorter. */
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
