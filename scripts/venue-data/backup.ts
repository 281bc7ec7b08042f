import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { syncPath } from '../../engine/journal/node-files.js'
import { segmentName } from '../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../engine/journal/segment-reader.js'
import { archiveFolder, snapshotName } from '../../engine/journal/snapshot-store.js'
import { errorOf } from '../../engine/threads/error-of.js'
import { isRebuilding } from '../../gateway/read-model/history/history-aside.js'
import {
  historyPath,
  openHistoryReadOnly,
  privateFile,
} from '../../gateway/read-model/history/history-schema.js'
import type { VenueFolder } from './venue-folder.js'
import { type CopiedFile, copyWhole, factsOf, makeFolders, syncFolders } from './whole-files.js'

// A backup of a venue that may be running is consistent by the order in which it is taken:
//
//   snapshots ──► history store ──► segments
//
// The store is then never ahead of the segments, which would be a loss, and never behind a snapshot that a start would
// need: of those that a venue keeps one is not ahead of its store. Segments are kept in the archive when they leave the
// journal's folder, and the newest one is taken as far as its records are sound.

/** Stands in a backup beside the data: what it holds, and how each file was when it was taken. */
export interface Manifest {
  readonly identity: string
  readonly takenMillis: number
  readonly lastBatch: number
  readonly lastSeq: number
  /** Engine time of the last batch. */
  readonly timeMillis: number
  /** Of the state behind the last batch. */
  readonly stateHash: string
  readonly files: readonly CopiedFile[]
}

export const manifestName = 'backup.json'
const journalFolder = 'journal'
/** Of the process that has the folder, or made by each start anew. */
const notKept = /^(lock-.*\.sock|operator\.token|history\.db.*|history\.rebuilding|.*\.log)$/

export interface Copied {
  readonly files: readonly CopiedFile[]
  readonly notes: readonly string[]
}

/** Copies everything that a venue needs to go on into an empty folder. */
export function copyVenue(folder: VenueFolder, target: string): Copied {
  const notes: string[] = []
  const files: CopiedFile[] = []
  makeFolders(join(target, journalFolder, archiveFolder))
  const oldest = copySnapshots(folder, target, files)
  copyHistory(folder.dataDir, target, files, notes)
  copySegments(folder, target, oldest, files)
  for (const name of readdirSync(folder.dataDir)) {
    if (notKept.test(name) || !statSync(join(folder.dataDir, name)).isFile()) continue
    files.push(copyWhole(join(folder.dataDir, name), target, name))
  }
  syncFolders(target)
  return { files, notes }
}

/** Says what a backup holds; the last thing that is written, so that one without it is none. */
export function writeManifest(target: string, manifest: Manifest): void {
  const path = join(target, manifestName)
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  syncPath(target)
}

/** What a backup says that it holds; null: the folder holds none, or one that never ended. @throws Error when it is damaged. */
export function readManifest(source: string): Manifest | null {
  const path = join(source, manifestName)
  const text = textOf(path)
  if (text === null) return null
  const manifest = parsed(text)
  if (manifest === null)
    throw new Error(`the backup is damaged: ${path} does not say what it holds`)
  return manifest
}

/** @returns null: there is no such file. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function parsed(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Manifest
    const isSound = manifest.files.length > 0 && manifest.files.every(({ file }) => isWithin(file))
    return isSound && typeof manifest.identity === 'string' ? manifest : null
  } catch {
    return null
  }
}

/** Whether a path from a folder stays in it. */
function isWithin(file: string): boolean {
  return !isAbsolute(file) && !normalize(file).startsWith('..')
}

/** A sentence for each file that is not as it was when the backup was taken. */
export function changedFiles(source: string, { files }: Manifest): readonly string[] {
  return files.flatMap(({ file, bytes, sha256 }) => {
    if (!existsSync(join(source, file))) return [`${file} is missing`]
    const now = factsOf(source, file)
    if (now.bytes !== bytes) return [`${file} has ${now.bytes} bytes, once ${bytes}`]
    return now.sha256 === sha256 ? [] : [`${file} has other bytes than once`]
  })
}

/** @returns the batch of the oldest one that was copied; Infinity without any. */
function copySnapshots(folder: VenueFolder, target: string, copied: CopiedFile[]): number {
  const { journalDirectory, store } = folder
  let oldest = Number.POSITIVE_INFINITY
  for (const batchNumber of store.list()) {
    const name = snapshotName(batchNumber)
    const source = join(journalDirectory, name)
    // One in the archive is of an earlier version; one that is gone made room for a newer one.
    if (!existsSync(source)) continue
    copied.push(copyWhole(source, target, join(journalFolder, name)))
    oldest = Math.min(oldest, batchNumber)
  }
  return oldest
}

function copyHistory(dataDir: string, target: string, copied: CopiedFile[], notes: string[]): void {
  if (!existsSync(historyPath(dataDir)) || isRebuilding(dataDir)) {
    notes.push('there is no whole history store: the restored venue fills it from the journal')
    return
  }
  const path = historyPath(target)
  privateFile(path)
  const database = openHistoryReadOnly(dataDir)
  try {
    database.prepare('vacuum into ?').run(path)
  } catch (error) {
    throw new Error(`${path}: ${errorOf(error).message}`, { cause: error })
  } finally {
    database.close()
  }
  syncPath(path)
  copied.push(factsOf(target, 'history.db'))
}

/** @param oldest batch from which a start may want to replay; segments wholly before it are archived. */
function copySegments(
  folder: VenueFolder,
  target: string,
  oldest: number,
  copied: CopiedFile[],
): void {
  const { files } = folder
  const numbers = files.numbers()
  // Without a snapshot a start replays all that stands in the journal's own folder.
  const firstKept =
    oldest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, folder.placeOfBatch(oldest + 1))
  for (const [place, number] of numbers.entries()) {
    const name = segmentName(number)
    const file = join(journalFolder, place < firstKept ? archiveFolder : '', name)
    const bytes = place < numbers.length - 1 ? Number.POSITIVE_INFINITY : soundBytes(folder, number)
    copied.push(copyWherever(folder, name, (source) => copyWhole(source, target, file, bytes)))
  }
}

/** A segment may move to the archive between two looks. */
function copyWherever(
  { journalDirectory }: VenueFolder,
  name: string,
  copy: (path: string) => CopiedFile,
): CopiedFile {
  try {
    return copy(join(journalDirectory, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return copy(join(journalDirectory, archiveFolder, name))
  }
}

/** Up to where the records of a segment that is being written are sound. */
function soundBytes({ files }: VenueFolder, number: number): number {
  const reader = new SegmentReader(files, number)
  while (reader.next() > Found.End);
  return reader.offset
}
