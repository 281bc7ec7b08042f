import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { NodeFiles, syncPath } from '../../engine/journal/node-files.js'
import { findEnd } from '../../engine/journal/recovery.js'
import { segmentName, segmentNumberOf } from '../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../engine/journal/segment-reader.js'
import {
  archiveFolder,
  snapshotBatchOf,
  snapshotName,
} from '../../engine/journal/snapshot-store.js'
import { errorOf } from '../../engine/threads/error-of.js'
import { backupNote } from '../../gateway/operator/upkeep-metrics.js'
import { isRebuilding } from '../../gateway/read-model/history/history-aside.js'
import {
  historyPath,
  openHistoryReadOnly,
  privateFile,
} from '../../gateway/read-model/history/history-schema.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import { copiesOf, isCopiedFirst } from './other-files.js'
import type { VenueFolder } from './venue-folder.js'
import {
  type CopiedFile,
  claimName,
  copyWhole,
  factsOf,
  makeFolders,
  syncFolders,
  writeWhole,
} from './whole-files.js'

// A backup of a running venue is consistent because of its copy order:
//
//   snapshots ──► history store, missing withdrawals ──► segments ──► other files, up to the segments' end
//
// The store is then never ahead of the segments, which a start would treat as a loss. It is never older than every
// snapshot, because a venue always keeps one that is not ahead of its store. Segments that leave the journal's folder
// move to the archive. The newest segment is copied up to its last valid record. The files next to the journal
// (`other-files.ts`) are copied after the segments and cut at the end of those. So they lack no event of the segments, and
// have none after them.

/** Manifest of a backup: its end, and the length and hash of each file. */
export interface Manifest {
  readonly identity: string
  readonly takenMillis: number
  readonly lastBatch: number
  readonly lastSeq: number
  /** Engine time of the last batch. */
  readonly timeMillis: number
  /** State hash after the last batch. */
  readonly stateHash: string
  readonly files: readonly CopiedFile[]
}

export const manifestName = 'backup.json'
/** Files that backups write into copies, and into the folder that is copied. */
const ownNames: readonly string[] = [manifestName, claimName, backupNote]
const historyFile = 'history.db'
const journalFolder = 'journal'
/** Files of the running process, and files that each start creates. */
const notKept = /^(lock-.*\.sock|operator\.token|history\.(?!db$).*|.*\.(log|part))$/

export interface Copied {
  readonly files: readonly CopiedFile[]
  readonly notes: readonly string[]
}

/**
 * Copies into an empty folder everything that a venue needs to continue.
 * @throws Error if a loss was accepted during the copy.
 */
export function copyVenue(folder: VenueFolder, target: string): Copied {
  const notes: string[] = []
  const files: CopiedFile[] = []
  makeFolders(join(target, journalFolder, archiveFolder))
  const oldest = copySnapshots(folder, target, files)
  copyHistory(folder.dataDir, target, files, notes)
  const otherFiles = otherFilesOf(folder.dataDir)
  const losses = lossesOf(folder)
  for (const name of otherFiles.filter(isCopiedFirst)) {
    files.push(copyWhole(join(folder.dataDir, name), target, name))
  }
  copySegments(folder, target, oldest, files)
  const { seqAfter } = findEnd(new NodeFiles(join(target, journalFolder)))
  const copiedLast = otherFilesOf(folder.dataDir).filter((name) => !isCopiedFirst(name))
  for (const { name, copyOf } of copiesOf(copiedLast, seqAfter)) {
    const path = join(folder.dataDir, name)
    const part = copyOf === null ? null : copyOf(path)
    if (copyOf === null) files.push(copyWhole(path, target, name))
    else if (part !== null) files.push(writeWhole(part, target, name))
  }
  if (lossesOf(folder) !== losses) {
    throw new Error('the venue accepted a loss during the backup; repeat the backup')
  }
  syncFolders(target)
  return { files, notes }
}

/** Returns the names of the files to copy in addition to the journal and the history store. */
function otherFilesOf(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => {
    if (notKept.test(name) || [...ownNames, historyFile].includes(name)) return false
    // A file that has been renamed since was a temporary one.
    return statSync(join(dataDir, name), { throwIfNoEntry: false })?.isFile() ?? false
  })
}

/** Returns the number of accepted losses in the journal. An accepted loss changes all files next to it. */
function lossesOf(folder: VenueFolder): number {
  return folder.headers().filter(({ origin }) => origin === SegmentOrigin.Loss).length
}

/** Writes the manifest. It is written last: a backup without a manifest is incomplete. */
export function writeManifest(target: string, manifest: Manifest): void {
  const path = join(target, manifestName)
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  syncPath(target)
}

/** Reads a backup's manifest; null if there is no complete backup. @throws Error if the manifest is damaged. */
export function readManifest(source: string): Manifest | null {
  const path = join(source, manifestName)
  const text = textOf(path)
  if (text === null) return null
  const manifest = parsed(text)
  if (manifest === null) throw new Error(`the backup is damaged: ${path} is not a valid manifest`)
  const foreign = manifest.files.find(({ file }) => !isKept(file))
  if (foreign !== undefined) {
    throw new Error(
      `the backup is damaged: its manifest lists the unknown file ${JSON.stringify(foreign.file)}`,
    )
  }
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
    const names = new Set(manifest.files.map(({ file }) => file))
    const isSound = names.size > 0 && names.size === manifest.files.length
    const isWithinAll = manifest.files.every(({ file }) => isWithin(file))
    const isNamed = typeof manifest.identity === 'string' && !/\p{Cc}/u.test(manifest.identity)
    return isSound && isWithinAll && isNamed ? manifest : null
  } catch {
    return null
  }
}

/** Returns true if a relative path stays within its folder. */
function isWithin(file: string): boolean {
  return !isAbsolute(file) && !normalize(file).startsWith('..')
}

/** Returns true if a backup may have the file: a segment, a snapshot, the history store, or a file next to them. */
function isKept(file: string): boolean {
  const [name = '', ...folders] = file.split('/').reverse()
  const folder = folders.reverse().join('/')
  if (folder === '')
    return !notKept.test(name) && !ownNames.includes(name) && name !== journalFolder
  const isArchived = folder === join(journalFolder, archiveFolder)
  if (folder !== journalFolder && !isArchived) return false
  return segmentNumberOf(name) >= 0 || (!isArchived && snapshotBatchOf(name) >= 0)
}

/** Returns a sentence for each file that differs from the manifest. */
export function changedFiles(source: string, { files }: Manifest): readonly string[] {
  return files.flatMap(({ file, bytes, sha256 }) => {
    const path = join(source, file)
    const status = lstatSync(path, { throwIfNoEntry: false })
    if (status === undefined) return [`${file} is missing`]
    const isInPlace = realpathSync(dirname(path)) === join(realpathSync(source), dirname(file))
    if (!status.isFile() || !isInPlace) return [`${file} is not a regular file of the backup`]
    const now = factsOf(source, file)
    if (now.bytes !== bytes) return [`${file} has ${now.bytes} bytes, once ${bytes}`]
    return now.sha256 === sha256 ? [] : [`${file} has other bytes than once`]
  })
}

/** @returns the batch of the oldest copied snapshot; Infinity if there is none. */
function copySnapshots(folder: VenueFolder, target: string, copied: CopiedFile[]): number {
  const { journalDirectory, store } = folder
  let oldest = Number.POSITIVE_INFINITY
  for (const batchNumber of store.list()) {
    const name = snapshotName(batchNumber)
    const source = join(journalDirectory, name)
    // A running venue may archive a snapshot during the copy. A start reads no archived ones.
    if (!existsSync(source)) continue
    try {
      copied.push(copyWhole(source, target, join(journalFolder, name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      continue
    }
    oldest = Math.min(oldest, batchNumber)
  }
  return oldest
}

function copyHistory(dataDir: string, target: string, copied: CopiedFile[], notes: string[]): void {
  if (!existsSync(historyPath(dataDir)) || isRebuilding(dataDir)) {
    notes.push(
      'the history store is missing or incomplete; a restored venue rebuilds it from the journal',
    )
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
  copied.push(factsOf(target, historyFile))
}

/** @param oldest batch of the oldest copied snapshot. Segments that end before it are copied to the archive. */
function copySegments(
  folder: VenueFolder,
  target: string,
  oldest: number,
  copied: CopiedFile[],
): void {
  const { files } = folder
  const numbers = files.numbers()
  // Without a snapshot a start replays all segments in the journal's own folder.
  const firstKept =
    oldest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, folder.placeOfBatch(oldest + 1))
  for (const [place, number] of numbers.entries()) {
    const name = segmentName(number)
    const file = join(journalFolder, place < firstKept ? archiveFolder : '', name)
    const bytes = place < numbers.length - 1 ? Number.POSITIVE_INFINITY : soundBytes(folder, number)
    copied.push(copyWherever(folder, name, (source) => copyWhole(source, target, file, bytes)))
  }
}

/** Copies a segment from the journal's folder, or from the archive if it has moved there since. */
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

/** Returns the length of the valid records of a segment that is being written. */
function soundBytes({ files }: VenueFolder, number: number): number {
  const reader = new SegmentReader(files, number)
  while (reader.next() > Found.End);
  return reader.offset
}
