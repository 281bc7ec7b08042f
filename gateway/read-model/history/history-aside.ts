import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { segmentNumberOf } from '../../../engine/journal/segment-format.js'
import { historyPath, sqliteFilesOf } from './history-schema.js'

// Marker file of a rebuild. Nothing else shows that the store has gaps.
const markerName = 'history.rebuilding'

/** Returns true if the store must be filled from the journal. */
export function isRebuilding(dataDir: string): boolean {
  return existsSync(join(dataDir, markerName))
}

/** Starts a rebuild, and removes the files of an earlier attempt. */
export function beginRebuilding(dataDir: string): void {
  markRebuilding(dataDir)
  const path = historyPath(dataDir)
  for (const file of [path, ...sqliteFilesOf(path)]) rmSync(file, { force: true })
}

export function endRebuilding(dataDir: string): void {
  rmSync(join(dataDir, markerName), { force: true })
}

/**
 * Quarantines the store by renaming its files. An incomplete rebuild stays, and starts again from the beginning.
 * @returns the new name; null if there is nothing to keep.
 */
export function quarantineStore(dataDir: string): string | null {
  const path = historyPath(dataDir)
  if (isRebuilding(dataDir) || !existsSync(path)) return null
  const aside = `${path}.aside-${Date.now()}`
  for (const [i, file] of [path, ...sqliteFilesOf(path)].entries()) {
    if (existsSync(file)) renameSync(file, `${aside}${['', '-wal', '-shm'][i]}`)
  }
  return aside
}

/** Marks the store as one that must be filled from the journal. */
export function markRebuilding(dataDir: string): void {
  closeSync(openSync(join(dataDir, markerName), 'w', 0o600))
}

/** Returns true if there is a journal, but its history store is missing or incomplete. */
export function isAbsent(dataDir: string, journalDirectory: string): boolean {
  if (isRebuilding(dataDir)) return true
  if (existsSync(historyPath(dataDir)) || !existsSync(journalDirectory)) return false
  return readdirSync(journalDirectory).some((name) => segmentNumberOf(name) >= 0)
}
