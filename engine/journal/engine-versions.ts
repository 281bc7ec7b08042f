import { JournalRefusal } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import { type SegmentHeader, segmentName } from './segment-format.js'
import { Found, listSegments, readSegmentHeader, SegmentReader } from './segment-reader.js'
import { takeTornEnd } from './torn-end.js'

/** Version of the engine, as far as it matters to readers of its files. */
export interface EngineVersion {
  readonly engine: number
  /** Release that contains this version. */
  readonly release: string
  /** Format of its snapshots. */
  readonly snapshotFormat: number
  /**
   * True if this engine still has its rules (`CoreState.rulesVersion`), so that its batches replay to the same events.
   */
  readonly isReplayable: boolean
}

/** Versions whose snapshots can be read, oldest first; the last one is this engine's. */
export type EngineVersions = readonly [EngineVersion, ...EngineVersion[]]

export function ownVersion(versions: EngineVersions): EngineVersion {
  return versions[versions.length - 1]
}

export function versionOf(versions: EngineVersions, engine: number): EngineVersion | undefined {
  return versions.find((version) => version.engine === engine)
}

export function isReplayable(versions: EngineVersions, engine: number): boolean {
  return versionOf(versions, engine)?.isReplayable === true
}

/** Returns the name of an engine version, for messages. */
export function writerName(versions: EngineVersions, engine: number): string {
  const release = versionOf(versions, engine)?.release
  return `engine version ${engine}${release === undefined ? '' : ` (release ${release})`}`
}

/**
 * Checks that this engine can replay a segment. @throws JournalRefusal if an engine with other rules wrote it, which
 * may have decided differently.
 */
export function checkReplayable(header: SegmentHeader, versions: EngineVersions): void {
  if (!isReplayable(versions, header.engineVersion)) throw replayRefusal(header, versions)
}

export function replayRefusal(header: SegmentHeader, versions: EngineVersions): JournalRefusal {
  const { engineVersion, segmentNumber } = header
  const written = `${segmentName(segmentNumber)} was written by ${writerName(versions, engineVersion)}`
  const own = writerName(versions, ownVersion(versions).engine)
  return new JournalRefusal(
    versionOf(versions, engineVersion) === undefined
      ? `${written}, which is newer than this one, ${own}: start the newer release`
      : `${written}: start that release, stop it gracefully, then start this one`,
  )
}

/**
 * Returns the header of the first segment with batches from `fromBatch` on that cannot be replayed; null if there is
 * none.
 */
export function firstUnreplayable(
  files: JournalFiles,
  versions: EngineVersions,
  fromBatch: number,
): SegmentHeader | null {
  const numbers = listSegments(files)
  takeTornEnd(files, numbers, true)
  let first: SegmentHeader | null = null
  for (const number of numbers.toReversed()) {
    const header = readSegmentHeader(files, number)
    const isOther = !isReplayable(versions, header.engineVersion)
    if (isOther && (number !== numbers.at(-1) || holdsBatch(files, number, fromBatch))) {
      first = header
    }
    if (header.firstBatchNumber <= fromBatch) break
  }
  return first
}

function holdsBatch(files: JournalFiles, segmentNumber: number, fromBatch: number): boolean {
  const reader = new SegmentReader(files, segmentNumber)
  for (let found = reader.next(); found > Found.End; found = reader.next()) {
    if (found === Found.Batch && reader.batch.batchNumber >= fromBatch) return true
  }
  return false
}
