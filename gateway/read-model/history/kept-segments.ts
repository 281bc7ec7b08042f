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
 * The journal's segments and snapshots wherever they stand, in its folder or in the archive, to which segments move
 * meanwhile. Read only.
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

  /** The segment that begins with nothing before it; -1 when it is not kept. */
  first(): number {
    const numbers = this.numbers()
    for (const number of [...numbers].reverse()) {
      if (this.headerOf(number)?.origin === SegmentOrigin.Nothing) return number
    }
    const isBegin = numbers[0] === 0 && this.headerOf(0)?.origin === SegmentOrigin.Next
    return isBegin ? 0 : -1
  }

  has(name: string): boolean {
    return this.list().includes(name)
  }

  /** The segment that holds a batch. @throws JournalRefusal when it is not kept. */
  numberOf(batchNumber: number): number {
    for (const number of this.numbers().reverse()) {
      const header = this.headerOf(number)
      if (header !== null && header.firstBatchNumber <= batchNumber) return number
    }
    throw new JournalRefusal(`batch ${batchNumber} is not kept`)
  }

  /** @returns null when it is not sound. */
  headerOf(number: number): SegmentHeader | null {
    return decodeSegmentHeader(this.read(segmentName(number), segmentHeaderBytes))
  }

  read(name: string, bytesMax?: number, into?: ArrayBuffer, from?: number): Uint8Array {
    return this.#wherever(name, (path) => this.#files.read(path, bytesMax, into, from))
  }

  bytesOf(name: string): number {
    return this.#wherever(name, (path) => this.#files.bytesOf(path))
  }

  /** What stands in either place. */
  list(): string[] {
    // What moves between the two looks is in both.
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

  /** What is not in the one place stands in the other. */
  #wherever<T>(name: string, use: (path: string) => T): T {
    try {
      return use(name)
    } catch (error) {
      const { code = 'ENOENT' } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') throw error
      return use(`${archiveFolder}/${name}`)
    }
  }
}

// What an engine with other rules has journaled, only its own release replays: a store is filled from behind the end
// of it, where the snapshot stands that the upgrade began with.

/** Where a store can be filled from, the earliest first: `null`, the first segment where it is kept, else snapshots. */
export function beginningsOf(segments: KeptSegments, store: SnapshotStore): (number | null)[] {
  const lastOther = othersOf(segments, store).at(-1)?.segmentNumber ?? -1
  const next = segments.numbers().find((number) => number > lastOther)
  const header = next === undefined ? null : segments.headerOf(next)
  const fromBatch = header?.firstBatchNumber ?? Number.POSITIVE_INFINITY
  const beginnings: (number | null)[] = store.list().filter((batchNumber) => {
    const isReplayed = isReplayable(store.versions, store.engineVersionOf(batchNumber))
    return isReplayed || batchNumber + 1 >= fromBatch
  })
  return segments.first() > lastOther ? [null, ...beginnings] : beginnings
}

/** Which of the segments only another release replays, a sentence for each release. */
export function releaseNotes(segments: KeptSegments, store: SnapshotStore): string[] {
  const byEngine = new Map<number, string[]>()
  for (const { engineVersion, segmentNumber } of othersOf(segments, store)) {
    const names = byEngine.get(engineVersion) ?? []
    byEngine.set(engineVersion, [...names, segmentName(segmentNumber)])
  }
  return [...byEngine].map(([engine, names]) => {
    const range = names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1)}`
    return `only ${writerName(store.versions, engine)} replays ${range}`
  })
}

/** Headers of the segments that an engine with other rules wrote. */
function othersOf(segments: KeptSegments, { versions }: SnapshotStore): SegmentHeader[] {
  return segments
    .numbers()
    .map((number) => segments.headerOf(number))
    .filter((header) => header !== null)
    .filter(({ engineVersion }) => !isReplayable(versions, engineVersion))
}
