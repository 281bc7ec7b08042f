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
import { copiesOf, isCopiedFirst } from './beside-journal.js'
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

// A backup of a venue that may be running is consistent by the order in which it is taken:
//
//   snapshots ──► history store, missing withdrawals ──► segments ──► all else, up to the segments' end
//
// The store is then never ahead of the segments, which would be a loss, and never behind a snapshot that a start would
// need: of those that a venue keeps one is not ahead of its store. Segments are kept in the archive when they leave the
// journal's folder, and the newest one is taken as far as its records are sound. What tells of single events beside them
// (`beside-journal.ts`) is taken behind them, so that it lacks nothing that they hold, without what came after their end.

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

/** Copies everything that a venue needs to go on into an empty folder. */
export function copyVenue(folder: VenueFolder, target: string): Copied {
  const notes: string[] = []
  const files: CopiedFile[] = []
  makeFolders(join(target, journalFolder, archiveFolder))
  const oldest = copySnapshots(folder, target, files)
  copyHistory(folder.dataDir, target, files, notes)
  const besides = besidesOf(folder.dataDir)
  const losses = lossesOf(folder)
  for (const name of besides.filter(isCopiedFirst)) {
    files.push(copyWhole(join(folder.dataDir, name), target, name))
  }
  copySegments(folder, target, oldest, files)
  const { seqAfter } = findEnd(new NodeFiles(join(target, journalFolder)))
  const behind = besidesOf(folder.dataDir).filter((name) => !isCopiedFirst(name))
  for (const { name, copyOf } of copiesOf(behind, seqAfter)) {
    const path = join(folder.dataDir, name)
    const part = copyOf === null ? null : copyOf(path)
    if (copyOf === null) files.push(copyWhole(path, target, name))
    else if (part !== null) files.push(writeWhole(part, target, name))
  }
  if (lossesOf(folder) !== losses) {
    throw new Error('a loss was accepted meanwhile: take the backup once more')
  }
  syncFolders(target)
  return { files, notes }
}

/** Names of what is copied beside journal and history store. */
function besidesOf(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => {
    if (notKept.test(name) || [...ownNames, historyFile].includes(name)) return false
    // What had another name meanwhile was only being written.
    return statSync(join(dataDir, name), { throwIfNoEntry: false })?.isFile() ?? false
  })
}

/** Losses that the journal tells of: one that is accepted changes everything beside it. */
function lossesOf(folder: VenueFolder): number {
  return folder.headers().filter(({ origin }) => origin === SegmentOrigin.Loss).length
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
  const foreign = manifest.files.find(({ file }) => !isKept(file))
  if (foreign !== undefined) {
    throw new Error(`the backup is damaged: no backup holds ${JSON.stringify(foreign.file)}`)
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

/** Whether a path from a folder stays in it. */
function isWithin(file: string): boolean {
  return !isAbsolute(file) && !normalize(file).startsWith('..')
}

/** Whether a backup has files of this name: segments and snapshots, the history store, what stands beside them. */
function isKept(file: string): boolean {
  const [name = '', ...folders] = file.split('/').reverse()
  const folder = folders.reverse().join('/')
  if (folder === '')
    return !notKept.test(name) && !ownNames.includes(name) && name !== journalFolder
  const isArchived = folder === join(journalFolder, archiveFolder)
  if (folder !== journalFolder && !isArchived) return false
  return segmentNumberOf(name) >= 0 || (!isArchived && snapshotBatchOf(name) >= 0)
}

/** A sentence for each file that is not as it was when the backup was taken. */
export function changedFiles(source: string, { files }: Manifest): readonly string[] {
  return files.flatMap(({ file, bytes, sha256 }) => {
    const path = join(source, file)
    const status = lstatSync(path, { throwIfNoEntry: false })
    if (status === undefined) return [`${file} is missing`]
    const isInPlace = realpathSync(dirname(path)) === join(realpathSync(source), dirname(file))
    if (!status.isFile() || !isInPlace) return [`${file} is no regular file of it`]
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
    // A running venue may archive a snapshot meanwhile. A start reads no archived ones.
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
  copied.push(factsOf(target, historyFile))
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
