import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { segmentNumberOf } from '../../../engine/journal/segment-format.js'
import { besideFiles, historyPath } from './history-schema.js'

// Stands beside a store that is being filled, whose gaps nothing else tells.
const markName = 'history.rebuilding'

/** Whether the store has to be filled from the journal. */
export function isRebuilding(dataDir: string): boolean {
  return existsSync(join(dataDir, markName))
}

/** Begins a store anew: what an earlier attempt has left goes. */
export function beginRebuilding(dataDir: string): void {
  markRebuilding(dataDir)
  const path = historyPath(dataDir)
  for (const file of [path, ...besideFiles(path)]) rmSync(file, { force: true })
}

export function endRebuilding(dataDir: string): void {
  rmSync(join(dataDir, markName), { force: true })
}

/**
 * Gives the store's files other names. One that was only being filled stays, and is begun anew.
 * @returns the new name; null when there is nothing to keep.
 */
export function setAside(dataDir: string): string | null {
  const path = historyPath(dataDir)
  if (isRebuilding(dataDir) || !existsSync(path)) return null
  const aside = `${path}.aside-${Date.now()}`
  for (const [i, file] of [path, ...besideFiles(path)].entries()) {
    if (existsSync(file)) renameSync(file, `${aside}${['', '-wal', '-shm'][i]}`)
  }
  return aside
}

/** Says that the store has to be filled from the journal, for whoever begins with it. */
export function markRebuilding(dataDir: string): void {
  closeSync(openSync(join(dataDir, markName), 'w', 0o600))
}

/** Whether there is a journal whose history store is missing, or was never finished. */
export function isAbsent(dataDir: string, journalDirectory: string): boolean {
  if (isRebuilding(dataDir)) return true
  if (existsSync(historyPath(dataDir)) || !existsSync(journalDirectory)) return false
  return readdirSync(journalDirectory).some((name) => segmentNumberOf(name) >= 0)
}
