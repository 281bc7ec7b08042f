import { engineVersions } from '../../../engine/core/engine-versions.js'
import {
  isRecordHeader,
  segmentHeaderBytes,
  segmentName,
} from '../../../engine/journal/segment-format.js'
import { Found, listSegments, SegmentReader } from '../../../engine/journal/segment-reader.js'
import { SnapshotStore } from '../../../engine/journal/snapshot-store.js'
import { JournaledBatch } from '../../../schemas/generated/journal.js'
import type { VirtualDisk } from './virtual-disk.js'

/** Possible results of a start from a damaged disk. */
export interface Expectation {
  readonly mayStart: boolean
  readonly mayRefuse: boolean
  /** Last batch that must be there after the start; -1 means the same as without damage. */
  readonly lastBatch: number
  /** Offset at which the newest segment is cut; -1 means it is not. */
  readonly cutAt: number
}

const unharmed: Expectation = { mayStart: true, mayRefuse: false, lastBatch: -1, cutAt: -1 }
const refusal: Expectation = { mayStart: false, mayRefuse: true, lastBatch: -1, cutAt: -1 }
const either: Expectation = { mayStart: true, mayRefuse: true, lastBatch: -1, cutAt: -1 }

interface RecordPlace {
  readonly from: number
  readonly to: number
  readonly batchNumber: number
}

/** Damage of a segment. */
interface Damage {
  readonly good: VirtualDisk
  readonly damaged: VirtualDisk
  readonly number: number
  /** Offsets that differ, ascending; at least one. */
  readonly differs: readonly number[]
}

/**
 * Derives what the journal's design promises for a damaged copy of a disk, from the two images alone. Recovery refuses
 * damage below an offset that any sound record declares durable, and cuts the segment at later damage. It passes over a
 * damaged snapshot while something can replace it.
 * @param wholeReads files that the start read as a whole; of the others it read headers only
 */
export function expectationOf(
  good: VirtualDisk,
  damaged: VirtualDisk,
  wholeReads: ReadonlySet<string>,
): Expectation {
  const numbers = listSegments(good)
  const newest = numbers.at(-1) ?? -1
  const isTorn = newest >= 0 && readerOf(good, newest) === null
  let all = unharmed
  for (const name of damaged.names.keys()) {
    const differs = differencesOf(good, damaged, name)
    if (differs.length === 0) continue
    const number = numbers.find((each) => segmentName(each) === name)
    let one = unharmed
    if (number === undefined) one = numbers[0] === 0 ? unharmed : either
    else if (number === newest) one = isTorn ? either : ofNewest({ good, damaged, number, differs })
    else if (number === newest - 1 && isTorn) one = ofSealed({ good, damaged, number, differs })
    else one = ofFinished(differs, wholeReads.has(name))
    all = worse(all, one)
  }
  return all
}

/** Returns the offsets of the bytes that differ, ascending; bytes after an end count as zeros. */
export function differencesOf(good: VirtualDisk, damaged: VirtualDisk, name: string): number[] {
  const a = good.fileOf(name).cached.bytes
  const b = damaged.fileOf(name).cached.bytes
  const differs: number[] = []
  const common = Math.min(a.length, b.length)
  for (let i = 0; i < common; i++) if (a[i] !== b[i]) differs.push(i)
  const longer = a.length > b.length ? a : b
  for (let i = common; i < longer.length; i++) if (longer[i] !== 0) differs.push(i)
  return differs
}

function worse(one: Expectation, other: Expectation): Expectation {
  return {
    mayStart: one.mayStart && other.mayStart,
    mayRefuse: one.mayRefuse || other.mayRefuse,
    lastBatch: Math.max(one.lastBatch, other.lastBatch),
    cutAt: Math.max(one.cutAt, other.cutAt),
  }
}

function ofFinished(differs: readonly number[], isRead: boolean): Expectation {
  if (isRead) return refusal
  return differs[0] < segmentHeaderBytes ? either : unharmed
}

/**
 * Handles the segment before one whose header was being written when the power failed. It was flushed whole, but
 * nothing records its length any more, so a loss of its last bytes goes unnoticed.
 */
function ofSealed({ good, damaged, number, differs }: Damage): Expectation {
  const reader = readerOf(good, number)
  if (reader === null || differs[0] < segmentHeaderBytes) return refusal
  const places = placesOf(reader)
  const hole = places.find(({ from, to }) => isAnyWithin(differs, from, to))
  const from = hole?.from ?? reader.offset
  const { bytes } = damaged.fileOf(segmentName(number)).cached
  if (hole === undefined || bytes.subarray(from).some((byte) => byte !== 0)) return refusal
  return { ...unharmed, lastBatch: lastBefore(places, hole, reader) }
}

function ofNewest({ good, damaged, number, differs }: Damage): Expectation {
  const reader = readerOf(good, number)
  if (reader === null) return either
  const places = placesOf(reader)
  // A header without records may have been in progress when the power failed.
  if (differs[0] < segmentHeaderBytes) {
    return reader.fileBytes <= segmentHeaderBytes ? either : refusal
  }
  const hole = places.find(({ from, to }) => isAnyWithin(differs, from, to))
  if (hole === undefined) return { ...unharmed, lastBatch: revivedBatch(damaged, number, reader) }
  if (declaredOf(reader, differs) > hole.from) return refusal
  const lastBatch = lastBefore(places, hole, reader)
  const snapshots = new SnapshotStore(good, engineVersions).list()
  const isBehindSnapshot = (snapshots.at(-1) ?? 0) > lastBatch
  return { mayStart: true, mayRefuse: isBehindSnapshot, lastBatch, cutAt: hole.from }
}

/**
 * A write after the end of a file leaves zeros in between. If a torn tail lacked just these, its record is whole and
 * sound again.
 * @returns the last batch of such a tail, or -1
 */
function revivedBatch(damaged: VirtualDisk, number: number, good: SegmentReader): number {
  const longer = readerOf(damaged, number)
  if (longer === null || longer.fileBytes <= good.fileBytes) return -1
  const last = placesOf(longer).at(-1)
  return last === undefined || last.to <= good.fileBytes ? -1 : last.batchNumber
}

function isAnyWithin(differs: readonly number[], from: number, to: number): boolean {
  return differs.some((at) => at >= from && at < to)
}

function readerOf(good: VirtualDisk, number: number): SegmentReader | null {
  try {
    return new SegmentReader(good, number)
  } catch {
    return null
  }
}

function placesOf(reader: SegmentReader): RecordPlace[] {
  const places: RecordPlace[] = []
  for (;;) {
    const from = reader.offset
    const found = reader.next()
    if (found !== Found.Batch && found !== Found.Shutdown) return places
    const { batchNumber } = reader.batch
    // A shutdown record carries the next batch's number but contains no batch.
    places.push({
      from,
      to: reader.offset,
      batchNumber: found === Found.Shutdown ? batchNumber - 1 : batchNumber,
    })
  }
}

function lastBefore(
  places: readonly RecordPlace[],
  hole: RecordPlace,
  reader: SegmentReader,
): number {
  const index = places.indexOf(hole)
  return index === 0 ? reader.header.firstBatchNumber - 1 : places[index - 1].batchNumber
}

/** Returns the furthest offset that a record with an intact header declares durable. */
function declaredOf(reader: SegmentReader, differs: readonly number[]): number {
  const record = new JournaledBatch()
  const { segmentNumber } = reader.header
  let declared = 0
  for (let at = segmentHeaderBytes; at + JournaledBatch.bytes <= reader.batch.u8.length; at += 8) {
    if (!isRecordHeader(record.over(reader.batch, at), segmentNumber)) continue
    if (record.durableSegment !== segmentNumber) continue
    if (isAnyWithin(differs, at, at + JournaledBatch.bytes)) continue
    declared = Math.max(declared, record.durableOffset)
  }
  return declared
}
