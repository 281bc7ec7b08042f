import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax } from '../../schemas/bounds.js'
import { JournaledBatch } from '../../schemas/generated/journal.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import type { Duty } from '../memory/duty.js'
import { type HashLanes, hashText } from '../memory/state-hash.js'
import { checkReplayable } from './engine-versions.js'
import { JournalDamage, ReplayDivergence } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import { segmentName } from './segment-format.js'
import {
  type BatchView,
  Found,
  listSegments,
  placeOfBatch,
  readSegmentHeader,
  SegmentReader,
} from './segment-reader.js'
import {
  archiveSegments,
  type SavedState,
  type Snapshot,
  type SnapshotStore,
} from './snapshot-store.js'

/** An engine that replays: the live one during recovery, or another one. */
export interface Replay {
  /** Sequence of the last event. A batch that was journaled early recorded only an upper bound of it. */
  readonly seq: number
  /** Replaces the state by one that `save` returned, or by one of the version with another format. */
  load(state: Uint8Array, formatVersion: number): void
  applyBatch(batch: BatchView): void
  /** Returns the live object, which later calls reuse. */
  stateHash(): HashLanes
}

/** A second engine that only replays, with the same state machine as the live one. */
export interface Replica extends Replay {
  /** Last batch applied; 0 at first. */
  readonly batchNumber: number
  /** Returns the whole state as a view that is valid until the next call. */
  save(): Uint8Array
}

/** Rules by which a snapshot is due between the ends of segments. */
export interface SnapshotRules {
  /** Batches after the previous snapshot; 0 disables this rule. */
  readonly batches: number
  /** Milliseconds after the previous snapshot, if there are new batches; 0 disables this rule. */
  readonly millis: number
}

/** Schedule of snapshots between the ends of segments. */
export interface SnapshotSchedule extends SnapshotRules {
  /** Monotonic clock. */
  readonly nowMillis: () => number
  /** True to flush the open segment first, which is necessary if written batches need not be durable. */
  readonly flushesSegment: boolean
}

export interface SnapshotterOptions {
  readonly files: JournalFiles
  readonly store: SnapshotStore
  readonly replica: Replica
  /** Without a schedule, a snapshot is due only at the end of a segment. */
  readonly schedule?: SnapshotSchedule
  /** Segments below this number are finished. */
  readonly segmentsFinished: () => number
  /**
   * Returns the number of the last written batch. The replica follows up to it, into the open segment. Without this
   * function, or if it returns 0, the replica follows only finished segments.
   */
  readonly batchesWritten?: () => number
  /** Returns the sequence up to which the history store is complete. Without it nothing is archived. */
  readonly historySeq?: () => number
  /** @param tookMillis by the clock of the schedule; 0 without a schedule. */
  readonly onSnapshot?: (batchNumber: number, tookMillis: number) => void
}

const batchesPerTurnMax = 64
/** Minimum pause after a snapshot before a scheduled one, as a multiple of the time that the first took. */
const pauseFactor = 10
/** Memory for reading segments. */
const windowBytes = 1 << 21

assert(
  windowBytes >= JournaledBatch.bytes + batchCommandBytesMax + commandBytesMax,
  'snapshotter: every record fits into the window',
)

/**
 * Follows the journal with a replica and compares the state hash that every batch recorded. Writes a snapshot after each
 * segment, and within a segment by its schedule. So each snapshot also proves that the journal replays.
 */
export class Snapshotter implements Duty {
  readonly role = 'snapshot'
  readonly #options: SnapshotterOptions
  #reader: SegmentReader | null = null
  /**
   * Every segment is read through the same memory. This thread sleeps between segments, and memory that a sleeping
   * thread has dropped stays resident until its next garbage collection.
   */
  readonly #window = new ArrayBuffer(windowBytes)
  /** Next segment to open, -1 until the first is known. */
  #segmentNumber = -1
  #snapshotBatch = 0
  /** Time of the previous snapshot, and earliest time of the next scheduled one. */
  #snapshotMillis = 0
  #notBeforeMillis = 0
  /** True if the current segment was read before it was finished. */
  #wasOpen = false

  constructor(options: SnapshotterOptions) {
    this.#options = options
  }

  /** Loads the newest good snapshot into the replica. @throws JournalDamage, JournalRefusal, ReplayDivergence */
  onStart(): void {
    const { schedule, store, replica } = this.#options
    this.#snapshotMillis = schedule?.nowMillis() ?? 0
    const { snapshot } = store.readNewest()
    if (snapshot === null) return
    loadSnapshot(replica, snapshot)
    this.#snapshotBatch = snapshot.batchNumber
  }

  /**
   * Writes a snapshot that is due, or applies a few batches.
   * @returns number of batches read; 1 after a scheduled snapshot.
   */
  doWork(): number {
    if (this.#isDue()) {
      this.#save()
      return 1
    }
    // Read first: a segment before the last written batch's is then already finished.
    const written = this.#options.batchesWritten?.() ?? 0
    const reader = (this.#reader ??= this.#openNext(written))
    if (reader === null) return 0
    if (this.#isOpen(reader)) return this.#followOpen(reader, written)
    for (let count = 0; count < batchesPerTurnMax; count++) {
      const at = reader.offset
      const found = reader.next()
      if (found === Found.Hole) throw new JournalDamage(reader.name, at, 'no sound record')
      if (found === Found.End) {
        this.#finish()
        return count + 1
      }
      this.#take(reader, found, at)
    }
    return batchesPerTurnMax
  }

  /** Keeps its position: a graceful shutdown lets it finish the last segment after its loop. */
  onClose(): void {}

  /** @param written last written batch. If it is above the replica's, the header of its segment is on disk. */
  #openNext(written: number): SegmentReader | null {
    const { files, replica, segmentsFinished } = this.#options
    const isFollowing = written > replica.batchNumber
    const finished = segmentsFinished()
    const readable = isFollowing ? finished + 1 : finished
    if (readable <= this.#segmentNumber || readable === 0) return null
    if (this.#segmentNumber < 0) {
      this.#segmentNumber = segmentOf(files, replica.batchNumber + 1, finished)
      if (readable <= this.#segmentNumber) return null
    }
    this.#wasOpen = this.#segmentNumber >= finished
    return new SegmentReader(files, this.#segmentNumber++, this.#window)
  }

  #isOpen(reader: SegmentReader): boolean {
    if (reader.header.segmentNumber >= this.#options.segmentsFinished()) return true
    if (this.#wasOpen) reader.refresh()
    this.#wasOpen = false
    return false
  }

  /** Follows the open segment. Bytes after the last complete record are being written and may be anything. */
  #followOpen(reader: SegmentReader, written: number): number {
    const { replica } = this.#options
    if (replica.batchNumber >= written) return 0
    reader.refresh()
    let count = 0
    while (count < batchesPerTurnMax && replica.batchNumber < written) {
      const at = reader.offset
      const found = reader.nextWritten()
      if (found === Found.End) break
      this.#take(reader, found, at)
      count++
    }
    return count
  }

  #take(reader: SegmentReader, found: Found, at: number): void {
    const { replica, store } = this.#options
    const { batch } = reader
    if (batch.batchNumber <= replica.batchNumber) return
    const { origin, firstBatchNumber } = reader.header
    const isAfterLoss = origin !== SegmentOrigin.Next && batch.batchNumber === firstBatchNumber
    if (batch.batchNumber !== replica.batchNumber + 1 && !isAfterLoss) {
      throw new JournalDamage(reader.name, at, `batch ${batch.batchNumber} after a gap`)
    }
    checkReplayable(reader.header, store.versions)
    if (found === Found.Shutdown) checkHash(replica, batch)
    else replayChecked(replica, batch)
  }

  #isDue(): boolean {
    const { replica, schedule } = this.#options
    if (schedule === undefined) return false
    const now = schedule.nowMillis()
    const batches = replica.batchNumber - this.#snapshotBatch
    return now >= this.#notBeforeMillis && isDue(schedule, batches, now - this.#snapshotMillis)
  }

  #save(): void {
    const { files, store, replica, historySeq, schedule, onSnapshot } = this.#options
    const begunMillis = schedule?.nowMillis() ?? 0
    if (schedule?.flushesSegment && this.#reader !== null) flushFile(files, this.#reader.name)
    const { batchNumber } = replica
    store.write(savedOf(replica), historySeq?.())
    this.#snapshotBatch = batchNumber
    this.#snapshotMillis = schedule?.nowMillis() ?? 0
    const tookMillis = this.#snapshotMillis - begunMillis
    this.#notBeforeMillis = this.#snapshotMillis + pauseFactor * tookMillis
    onSnapshot?.(batchNumber, tookMillis)
  }

  #finish(): void {
    const { files, store, replica, historySeq, segmentsFinished } = this.#options
    this.#reader = null
    if (replica.batchNumber > this.#snapshotBatch) this.#save()
    if (historySeq !== undefined) {
      archiveSegments(files, store, {
        segmentsFinished: segmentsFinished(),
        historySeq: historySeq(),
      })
    }
  }
}

/** Returns true if a snapshot is due after so many new batches and so much time. */
export function isDue({ batches, millis }: SnapshotRules, newBatches: number, sinceMillis: number) {
  const isMany = batches > 0 && newBatches >= batches
  const isLate = millis > 0 && newBatches > 0 && sinceMillis >= millis
  return isMany || isLate
}

/** Flushes a file, including writes through other descriptors. */
function flushFile(files: JournalFiles, name: string): void {
  const file = files.open(name)
  try {
    file.flush()
  } finally {
    file.close()
  }
}

/** Returns the state of a replica to save. */
export function savedOf(replica: Replica): SavedState {
  const { batchNumber, seq } = replica
  const { low, high } = replica.stateHash()
  return { batchNumber, seq, hashLow: low, hashHigh: high, state: replica.save() }
}

/** Loads a snapshot. @throws ReplayDivergence if the hash differs. */
export function loadSnapshot(replay: Pick<Replay, 'load' | 'stateHash'>, snapshot: Snapshot): void {
  replay.load(snapshot.state, snapshot.formatVersion)
  compareHash(replay, snapshot.batchNumber + 1, snapshot)
}

/** Replays a batch and checks the recorded hash before it and sequence after it. @throws ReplayDivergence */
export function replayChecked(replay: Omit<Replay, 'load'>, batch: BatchView): void {
  checkHash(replay, batch)
  replay.applyBatch(batch)
  const { batchNumber, seqAfter } = batch
  const { seq } = replay
  if (seq <= seqAfter) return
  throw new ReplayDivergence(batchNumber + 1, 'sequence', String(seqAfter), String(seq))
}

/** Compares the state with the hash that a batch recorded before it ran. @throws ReplayDivergence */
export function checkHash(replay: Pick<Replay, 'stateHash'>, batch: BatchView): void {
  compareHash(replay, batch.batchNumber, batch)
}

function compareHash(
  replay: Pick<Replay, 'stateHash'>,
  batchNumber: number,
  { hashLow, hashHigh }: Pick<Snapshot, 'hashLow' | 'hashHigh'>,
): void {
  const { low, high } = replay.stateHash()
  if (low === hashLow && high === hashHigh) return
  throw new ReplayDivergence(batchNumber, 'hash', hashText(hashLow, hashHigh), hashText(low, high))
}

// Returns the segment that contains a batch. The segment after the finished ones may be half created, so its header is
// not read before it is announced.
function segmentOf(files: JournalFiles, batchNumber: number, finished: number): number {
  const numbers = listSegments(files).filter((number) => number <= finished)
  const place = placeOfBatch(files, numbers, batchNumber)
  if (place >= 0) return numbers[place]
  const [first] = numbers
  // After a loss, the state before the first batch need not be that of the previous number.
  const isBegun =
    first !== undefined && readSegmentHeader(files, first).origin !== SegmentOrigin.Next
  if (isBegun) return first
  throw new JournalDamage(segmentName(0), 0, `batch ${batchNumber} is not kept`)
}
