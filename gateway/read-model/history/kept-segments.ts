import { isReplayable, writerName } from '../../../engine/journal/engine-versions.js'
import { JournalRefusal } from '../../../engine/journal/journal-errors.js'
import type { JournalFile, JournalFiles } from '../../../engine/journal/journal-files.js'
import {
  decodeSegmentHeader,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentName,
  segmentNumberOf,
} from '../../../engine/journal/segment-format.js'
import { archiveFolder, type SnapshotStore } from '../../../engine/journal/snapshot-store.js'
import { SegmentOrigin } from '../../../schemas/record-values.js'

/**
 * Read-only view of the journal's segments and snapshots in its folder and in the archive, to which segments may move
 * at any time.
 */
export class KeptSegments implements JournalFiles {
  readonly #files: JournalFiles

  constructor(files: JournalFiles) {
    this.#files = files
  }

  /** Numbers of all segments, in order. */
  numbers(): number[] {
    const numbers = this.list().map(segmentNumberOf)
    return numbers.filter((number) => number >= 0).sort((a, b) => a - b)
  }

  /** Returns the segment that starts from an empty state; -1: it is not kept. */
  first(): number {
    const numbers = this.numbers()
    for (const number of [...numbers].reverse()) {
      if (this.headerOf(number)?.origin === SegmentOrigin.Nothing) return number
    }
    const isFirst = numbers[0] === 0 && this.headerOf(0)?.origin === SegmentOrigin.Next
    return isFirst ? 0 : -1
  }

  has(name: string): boolean {
    return this.list().includes(name)
  }

  /** Returns the segment that holds a batch. @throws JournalRefusal if it is not kept. */
  numberOf(batchNumber: number): number {
    for (const number of this.numbers().reverse()) {
      const header = this.headerOf(number)
      if (header !== null && header.firstBatchNumber <= batchNumber) return number
    }
    throw new JournalRefusal(`batch ${batchNumber} is not kept`)
  }

  /** Reads the header of a segment. @returns null if it is damaged. */
  headerOf(number: number): SegmentHeader | null {
    return decodeSegmentHeader(this.read(segmentName(number), segmentHeaderBytes))
  }

  read(name: string, bytesMax?: number, into?: ArrayBuffer, from?: number): Uint8Array {
    return this.#inEitherFolder(name, (path) => this.#files.read(path, bytesMax, into, from))
  }

  bytesOf(name: string): number {
    return this.#inEitherFolder(name, (path) => this.#files.bytesOf(path))
  }

  /** Lists the files of both folders. */
  list(): string[] {
    // A file that moves between the two calls is in both lists.
    return [...new Set([...this.#files.list(''), ...this.#files.list(archiveFolder)])]
  }

  create(name: string): JournalFile {
    throw new Error(`${name}: segments are only read here`)
  }

  open(name: string): JournalFile {
    return this.create(name)
  }

  rename(source: string): void {
    this.create(source)
  }

  remove(name: string): void {
    this.create(name)
  }

  syncDirectory(folder: string): void {
    this.create(folder)
  }

  /** Uses a file in the journal's folder, or else in the archive. */
  #inEitherFolder<T>(name: string, use: (path: string) => T): T {
    try {
      return use(name)
    } catch (error) {
      const { code = 'ENOENT' } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') throw error
      return use(`${archiveFolder}/${name}`)
    }
  }
}

// Only the release that wrote a segment can replay it if the rules of the engine have changed. So a store is filled
// from the end of such segments, where the upgrade wrote a snapshot.

/**
 * Returns the starting points of a rebuild, earliest first: `null` for the first segment, else numbers of snapshots.
 */
export function startingPointsOf(segments: KeptSegments, store: SnapshotStore): (number | null)[] {
  const lastForeign = foreignSegments(segments, store).at(-1)?.segmentNumber ?? -1
  const next = segments.numbers().find((number) => number > lastForeign)
  const header = next === undefined ? null : segments.headerOf(next)
  const fromBatch = header?.firstBatchNumber ?? Number.POSITIVE_INFINITY
  const points: (number | null)[] = store.list().filter((batchNumber) => {
    const isReplayed = isReplayable(store.versions, store.engineVersionOf(batchNumber))
    return isReplayed || batchNumber + 1 >= fromBatch
  })
  return segments.first() > lastForeign ? [null, ...points] : points
}

/** Returns a sentence for each other release, with the segments that only it can replay. */
export function releaseNotes(segments: KeptSegments, store: SnapshotStore): string[] {
  const byEngine = new Map<number, string[]>()
  for (const { engineVersion, segmentNumber } of foreignSegments(segments, store)) {
    const names = byEngine.get(engineVersion) ?? []
    byEngine.set(engineVersion, [...names, segmentName(segmentNumber)])
  }
  return [...byEngine].map(([engine, names]) => {
    const range = names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1)}`
    return `only ${writerName(store.versions, engine)} replays ${range}`
  })
}

/** Returns the headers of segments that an engine with other rules wrote. */
function foreignSegments(segments: KeptSegments, { versions }: SnapshotStore): SegmentHeader[] {
  return segments
    .numbers()
    .map((number) => segments.headerOf(number))
    .filter((header) => header !== null)
    .filter(({ engineVersion }) => !isReplayable(versions, engineVersion))
}
