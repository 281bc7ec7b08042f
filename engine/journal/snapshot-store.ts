import { crc32 } from 'node:zlib'
import { SnapshotHead } from '../../schemas/generated/journal.js'
import { viewsOf, viewsOfCopy } from '../../schemas/record-views.js'
import {
  type EngineVersion,
  type EngineVersions,
  ownVersion,
  versionOf,
  writerName,
} from './engine-versions.js'
import { JournalDamage, JournalRefusal } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import { segmentName } from './segment-format.js'
import { isWhole, listSegments, readSegmentHeader } from './segment-reader.js'

/** 'STRS'. Snapshots of releases before 1.0 begin with 'SBKS'. */
const snapshotMagic = 0x53525453
export const snapshotFormatVersion = 8

const snapshotsKept = 2
const unfinishedName = 'snapshot.unfinished'
/** Bytes between two flushes of a snapshot, so that a flush of the journal waits for at most one piece. */
const pieceBytes = 1 << 20
export const archiveFolder = 'archive'

/** State of an engine to save. */
export interface SavedState {
  /** Last batch whose effects the state includes. */
  readonly batchNumber: number
  /** Sequence of the last event of that batch. */
  readonly seq: number
  readonly hashLow: number
  readonly hashHigh: number
  /** Bytes from `Replica.save`. */
  readonly state: Uint8Array
}

export interface Snapshot extends SavedState {
  readonly formatVersion: number
  readonly engineVersion: number
}

export interface SnapshotsRead {
  /** Newest good snapshot; null if there is none and the journal is still complete. */
  readonly snapshot: Snapshot | null
  /** One sentence for each damaged file that was skipped. */
  readonly damaged: readonly string[]
}

/** Snapshots in the journal's directory. */
export class SnapshotStore {
  /** Versions whose states can be loaded: this engine's, and those that an upgrade starts from. */
  readonly versions: EngineVersions
  readonly #files: JournalFiles
  readonly #identity: string
  readonly #archivedMax: number

  /**
   * @param identity identity of the venue, as in the headers of segments.
   * @param archivedMax largest number of superseded snapshots in the archive, which shorten a replay to an old batch.
   */
  constructor(files: JournalFiles, versions: EngineVersions, identity = '', archivedMax = 0) {
    this.#files = files
    this.versions = versions
    this.#identity = identity
    this.#archivedMax = archivedMax
  }

  /** Returns the batch numbers of the snapshots on disk, good or damaged, oldest first. */
  list(): number[] {
    return this.#files
      .list('')
      .map(snapshotBatchOf)
      .filter((number) => number >= 0)
      .sort((a, b) => a - b)
  }

  /**
   * Writes a snapshot: new file, flush, rename, flush of the directory. Then archives or removes all except the last two. A
   * crash at any point leaves the previous snapshots as they were.
   * @param historySeq sequence of the history store. The newest snapshot that is not ahead of it stays, too: a start
   * publishes the missing events from there.
   */
  write(saved: SavedState, historySeq: number = Number.POSITIVE_INFINITY): void {
    const files = this.#files
    this.#prepare(saved)
    this.#put(saved.batchNumber)
    const old = this.#outdated(historySeq)
    if (old.length === 0) return
    for (const batchNumber of old) this.#supersede(snapshotName(batchNumber))
    files.syncDirectory('')
    this.#thinArchive()
  }

  /** Moves a snapshot to the archive. Removes it if the archive keeps none, or has one of that name from an upgrade. */
  #supersede(name: string): void {
    const files = this.#files
    const path = `${archiveFolder}/${name}`
    if (this.#archivedMax === 0 || files.list(archiveFolder).includes(name)) {
      files.remove(name)
      return
    }
    files.syncDirectory(archiveFolder)
    files.rename(name, path)
    files.syncDirectory(archiveFolder)
  }

  /** Removes archived snapshots of this version beyond the limit. */
  #thinArchive(): void {
    if (this.#archivedMax === 0) return
    const own = ownVersion(this.versions).engine
    const archived = this.#files
      .list(archiveFolder)
      .map(snapshotBatchOf)
      .filter((number) => {
        return number >= 0 && this.#headOf(number, archivedPath(number))?.engineVersion === own
      })
      .sort((a, b) => a - b)
    while (archived.length > this.#archivedMax) {
      const [batchNumber] = archived.splice(placeToThin(archived), 1)
      this.#files.remove(archivedPath(batchNumber))
    }
  }

  /**
   * Writes the snapshot that the first segment of this version starts with. Removes no other snapshot. An earlier
   * version's snapshot of the same batch is copied to the archive before the new one takes its name, so one always
   * exists.
   */
  renew(saved: SavedState): void {
    this.#prepare(saved)
    const name = snapshotName(saved.batchNumber)
    // Copy only a snapshot of an earlier version: a repeated start finds its own.
    const exists = this.#files.list('').includes(name)
    const own = ownVersion(this.versions).engine
    if (exists && this.engineVersionOf(saved.batchNumber) !== own) this.#copyToArchive(name)
    this.#put(saved.batchNumber)
  }

  /** Writes and flushes a new file under a temporary name. */
  #prepare(saved: SavedState): void {
    const header = encodeHeader(saved, ownVersion(this.versions), this.#identity)
    this.#createFlushed(unfinishedName, header, saved.state)
  }

  #put(batchNumber: number): void {
    this.#files.rename(unfinishedName, snapshotName(batchNumber))
    this.#files.syncDirectory('')
  }

  #copyToArchive(name: string): void {
    this.#files.syncDirectory(archiveFolder)
    this.#createFlushed(`${archiveFolder}/${name}`, new Uint8Array(), this.#files.read(name))
    this.#files.syncDirectory(archiveFolder)
  }

  /** Writes a new file piece by piece. Removes what a crash has left of an earlier attempt. */
  #createFlushed(path: string, header: Uint8Array, body: Uint8Array): void {
    const files = this.#files
    const [name, folder = ''] = path.split('/').reverse()
    if (files.list(folder).includes(name)) files.remove(path)
    const file = files.create(path)
    try {
      file.write([header, body.subarray(0, pieceBytes)], 0)
      file.flush()
      for (let at = pieceBytes; at < body.length; at += pieceBytes) {
        file.write([body.subarray(at, at + pieceBytes)], header.length + at)
        file.flush()
      }
    } finally {
      file.close()
    }
  }

  /**
   * Reads the newest good snapshot. Skips snapshots ahead of `seqMax` (the end of the history store) if an older one or
   * the complete journal can replace them.
   * @throws JournalDamage if all are damaged and the first segment is gone, so that there is nothing to start from.
   * @throws JournalRefusal if the newest good one has another format or engine version.
   */
  readNewest(seqMax: number = Number.POSITIVE_INFINITY): SnapshotsRead {
    const damaged: string[] = []
    let ahead: Snapshot | null = null
    for (const batchNumber of this.list().reverse()) {
      const read = this.#read(batchNumber)
      if (typeof read !== 'string') {
        if (read.seq <= seqMax) return { snapshot: read, damaged }
        ahead = read
        continue
      }
      damaged.push(`${snapshotName(batchNumber)}: ${read}`)
    }
    const firstSegmentKept = isWhole(this.#files, listSegments(this.#files))
    if (ahead !== null && !firstSegmentKept) return { snapshot: ahead, damaged }
    if (damaged.length > 0 && !firstSegmentKept) {
      const what = `no good snapshot left, and ${segmentName(0)} is not in the folder (${damaged.join('; ')})`
      throw new JournalDamage(snapshotName(this.list().at(-1) ?? 0), 0, what)
    }
    return { snapshot: null, damaged }
  }

  /** Reads one snapshot. @throws JournalDamage if it is not sound. */
  readOne(batchNumber: number): Snapshot {
    const read = this.#read(batchNumber)
    if (typeof read === 'string') throw new JournalDamage(snapshotName(batchNumber), 0, read)
    return read
  }

  /**
   * Returns the snapshots to supersede: all except the last two good ones and the newest one that is not ahead of the history
   * store. If all are ahead of it, the oldest one stays.
   */
  #outdated(historySeq: number): number[] {
    const numbers = this.list()
    const older = numbers.slice(0, this.#firstKept(numbers))
    if (numbers.slice(older.length).some((number) => this.seqOf(number) <= historySeq)) return older
    const kept = older.findLast((number) => this.seqOf(number) <= historySeq) ?? older[0]
    return older.filter((number) => number !== kept)
  }

  /**
   * Returns the place of the first of the last two good snapshots. The newest was just written. The one before it is read
   * whole: a damaged one must not displace a good one.
   */
  #firstKept(numbers: readonly number[]): number {
    let place = numbers.length - 1
    for (let good = 1; good < snapshotsKept && place > 0; ) {
      place--
      if (this.#isGood(numbers[place])) good++
    }
    return Math.max(0, place)
  }

  #isGood(batchNumber: number): boolean {
    try {
      return typeof this.#read(batchNumber) !== 'string'
    } catch (error) {
      // Written by another engine version: sound, although this one cannot read it.
      if (error instanceof JournalRefusal) return true
      throw error
    }
  }

  /** Returns the sequence of a snapshot; Infinity if its header is not sound. */
  seqOf(batchNumber: number): number {
    return this.#headOf(batchNumber)?.seq ?? Number.POSITIVE_INFINITY
  }

  /** Returns the engine version of a snapshot; -1 if its header is not sound. */
  engineVersionOf(batchNumber: number): number {
    return this.#headOf(batchNumber)?.engineVersion ?? -1
  }

  #headOf(batchNumber: number, path = snapshotName(batchNumber)): SnapshotHead | null {
    const head = headOf(this.#files.read(path, SnapshotHead.bytes), batchNumber)
    return typeof head === 'string' ? null : head
  }

  /** Reads a snapshot. @returns the reason if it is damaged. */
  #read(batchNumber: number): Snapshot | string {
    const name = snapshotName(batchNumber)
    const bytes = this.#files.read(name)
    const head = headOf(bytes, batchNumber)
    if (typeof head === 'string') return head
    const state = bytes.subarray(SnapshotHead.bytes)
    if (head.bodyBytes !== state.length) return 'wrong length'
    if (head.bodyChecksum !== crc32(state)) return 'state checksum differs'
    const { engineVersion, formatVersion, hashHigh, hashLow, seq } = head
    if (versionOf(this.versions, engineVersion)?.snapshotFormat !== formatVersion) {
      const versions = `format ${formatVersion}, ${writerName(this.versions, engineVersion)}`
      const own = this.versions.map(({ engine }) => engine).join(', ')
      throw new JournalRefusal(
        `${name} has ${versions}; this engine reads those of versions ${own}`,
      )
    }
    if (head.identityChecksum !== crc32(this.#identity)) {
      throw new JournalRefusal(`${name} is not one of ${this.#identity}`)
    }
    const saved = { batchNumber, seq, hashLow, hashHigh, state }
    return { ...saved, formatVersion, engineVersion }
  }
}

/**
 * Returns a snapshot's head, or the reason why it is damaged. A misdirected write may have put the head of another file
 * here, with a valid checksum.
 */
function headOf(bytes: Uint8Array, batchNumber: number): SnapshotHead | string {
  if (bytes.length < SnapshotHead.bytes) return 'shorter than its header'
  const head = new SnapshotHead().over(viewsOfCopy(bytes, SnapshotHead.bytes), 0)
  if (head.magic !== snapshotMagic) return 'no snapshot'
  const checksum = crc32(head.u8.subarray(0, head.checkedEndAt))
  if (head.headerChecksum !== checksum) return 'header checksum differs'
  if (head.batchNumber !== batchNumber) return 'under another name'
  return head
}

export interface ArchiveLimits {
  /** Segments below this number are finished; the header of this one is on disk. */
  readonly segmentsFinished: number
  /** Sequence up to which the history store is durable. */
  readonly historySeq: number
}

/**
 * Moves segments that are no longer needed to `archive/`: all their batches are in the older of the kept snapshots, so
 * that even a damaged newest one loses nothing, and all their events are in the history store.
 * @returns the number of moved segments.
 */
export function archiveSegments(
  files: JournalFiles,
  store: SnapshotStore,
  limits: ArchiveLimits,
): number {
  const snapshots = store.list()
  if (snapshots.length < snapshotsKept) return 0
  const numbers = listSegments(files).filter((number) => number <= limits.segmentsFinished)
  let count = 0
  while (count + 1 < numbers.length) {
    const next = readSegmentHeader(files, numbers[count + 1])
    if (next.firstBatchNumber > snapshots[0] + 1 || next.seqBefore > limits.historySeq) break
    count++
  }
  if (count === 0) return 0
  files.syncDirectory(archiveFolder)
  for (let i = 0; i < count; i++) {
    const name = segmentName(numbers[i])
    files.rename(name, `${archiveFolder}/${name}`)
    // One at a time, so that a crash leaves no gap among the remaining segments.
    files.syncDirectory(archiveFolder)
    files.syncDirectory('')
  }
  return count
}

/**
 * Returns the index of the archived snapshot to remove: the one without which the longest replay is shortest in proportion
 * to its age. So snapshots are dense at the end of the journal and sparse at its beginning.
 * @param batchNumbers at least two, ascending; the last one is never removed.
 */
function placeToThin(batchNumbers: readonly number[]): number {
  const newest = batchNumbers.at(-1)!
  let [best, bestShare] = [0, Number.POSITIVE_INFINITY]
  for (let place = 0; place < batchNumbers.length - 1; place++) {
    const before = batchNumbers[place - 1] ?? 0
    const share = (batchNumbers[place + 1] - before) / (newest - before)
    if (share >= bestShare) continue
    best = place
    bestShare = share
  }
  return best
}

function archivedPath(batchNumber: number): string {
  return `${archiveFolder}/${snapshotName(batchNumber)}`
}

export function snapshotName(batchNumber: number): string {
  return `snapshot-${String(batchNumber).padStart(16, '0')}.state`
}

/** Returns the batch number in a snapshot's file name; -1 for other files. */
export function snapshotBatchOf(name: string): number {
  const match = /^snapshot-(\d{16})\.state$/.exec(name)
  return match === null ? -1 : Number(match[1])
}

function encodeHeader(saved: SavedState, own: EngineVersion, identity: string): Uint8Array {
  const head = new SnapshotHead().over(viewsOf(new ArrayBuffer(SnapshotHead.bytes)), 0)
  head.magic = snapshotMagic
  head.formatVersion = own.snapshotFormat
  head.engineVersion = own.engine
  head.batchNumber = saved.batchNumber
  head.seq = saved.seq
  head.hashLow = saved.hashLow
  head.hashHigh = saved.hashHigh
  head.bodyBytes = saved.state.length
  head.identityChecksum = crc32(identity)
  head.bodyChecksum = crc32(saved.state)
  head.headerChecksum = crc32(head.u8.subarray(0, head.checkedEndAt))
  return head.u8
}
