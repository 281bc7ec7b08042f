import { isReplayable, writerName } from '../../../engine/journal/engine-versions.js'
import { type SegmentHeader, segmentName } from '../../../engine/journal/segment-format.js'
import type { SnapshotStore } from '../../../engine/journal/snapshot-store.js'
import type { KeptSegments } from './kept-segments.js'

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
