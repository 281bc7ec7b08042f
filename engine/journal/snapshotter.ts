import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax } from '../../schemas/bounds.js'
import { JournaledBatch } from '../../schemas/generated/journal.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import type { Duty } from '../memory/duty.js'
import { JournalDamage, ReplayDivergence } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import { checkEngineVersion } from './recovery.js'
import { segmentName } from './segment-format.js'
import {
  type BatchView,
  Found,
  listSegments,
  readSegmentHeader,
  SegmentReader,
} from './segment-reader.js'
import { archiveSegments, type Snapshot, type SnapshotStore } from './snapshot-store.js'

/** A second engine that only replays; the same state machine as the live one. */
export interface Replica {
  /** Last batch applied, 0 at first. */
  readonly batchNumber: number
  /** Sequence of the last event up to there. A batch that was journaled early has recorded no more than a bound of it. */
  readonly seq: number
  /** Takes the place of the state, as `save` gave it. */
  load(state: Uint8Array, batchNumber: number): void
  applyBatch(batch: BatchView): void
  /** The live object is reused by later calls. */
  stateHash(): { readonly low: number; readonly high: number }
  /** The whole state; a view that is valid until the next call. */
  save(): Uint8Array
}

export interface SnapshotterOptions {
  readonly files: JournalFiles
  readonly store: SnapshotStore
  readonly replica: Replica
  readonly engineVersion: number
  /** Segments below this number are finished. */
  readonly segmentsFinished: () => number
  /** Sequence up to which the history store has everything; without it nothing is archived. */
  readonly historySeq?: () => number
  readonly onSnapshot?: (batchNumber: number) => void
}

const batchesPerTurnMax = 64
/** Memory that segments are read through. */
const windowBytes = 1 << 21

assert(
  windowBytes >= JournaledBatch.bytes + batchCommandBytesMax + commandBytesMax,
  'snapshotter: every record fits into the window',
)

/**
 * Follows finished segments with a replica, compares the state hash that every batch recorded, and
 * writes a snapshot after each segment. So each snapshot is also a proof that the journal replays.
 */
export class Snapshotter implements Duty {
  readonly role = 'snapshot'
  readonly #options: SnapshotterOptions
  #reader: SegmentReader | null = null
  /**
   * Every segment is read through the same memory: this thread rests between them, and what a resting
   * thread has let go stays resident until its next collection.
   */
  readonly #window = new ArrayBuffer(windowBytes)
  /** Next segment to open, -1 until the first is known. */
  #segmentNumber = -1
  #snapshotBatch = 0

  constructor(options: SnapshotterOptions) {
    this.#options = options
  }

  /**
   * Brings the replica to the newest good snapshot. @throws JournalDamage, JournalRefusal,
   * ReplayDivergence
   */
  onStart(): void {
    const { store, replica } = this.#options
    const { snapshot } = store.readNewest()
    if (snapshot === null) return
    loadSnapshot(replica, snapshot)
    this.#snapshotBatch = snapshot.batchNumber
  }

  /**
   * Applies a few batches of a finished segment; at its end makes the snapshot. @returns batches
   * read.
   */
  doWork(): number {
    const reader = (this.#reader ??= this.#openNext())
    if (reader === null) return 0
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

  /** Keeps its place: a graceful end lets it finish the last segment after its loop. */
  onClose(): void {}

  #openNext(): SegmentReader | null {
    const { files, replica, segmentsFinished } = this.#options
    const finished = segmentsFinished()
    if (finished <= this.#segmentNumber || finished === 0) return null
    if (this.#segmentNumber < 0) {
      this.#segmentNumber = segmentOf(files, replica.batchNumber + 1, finished)
      if (finished <= this.#segmentNumber) return null
    }
    return new SegmentReader(files, this.#segmentNumber++, this.#window)
  }

  #take(reader: SegmentReader, found: Found, at: number): void {
    const { replica, engineVersion } = this.#options
    const { batch } = reader
    if (batch.batchNumber <= replica.batchNumber) return
    const { origin, firstBatchNumber } = reader.header
    const isBehindLoss = origin !== SegmentOrigin.Next && batch.batchNumber === firstBatchNumber
    if (batch.batchNumber !== replica.batchNumber + 1 && !isBehindLoss) {
      throw new JournalDamage(reader.name, at, `batch ${batch.batchNumber} after a gap`)
    }
    checkEngineVersion(reader, engineVersion)
    checkHash(replica, batch)
    if (found === Found.Shutdown) return
    replica.applyBatch(batch)
  }

  #finish(): void {
    const { files, store, replica, engineVersion, historySeq } = this.#options
    this.#reader = null
    if (replica.batchNumber > this.#snapshotBatch) {
      const { low, high } = replica.stateHash()
      const { batchNumber, seq } = replica
      const state = replica.save()
      const snapshot = { batchNumber, seq, engineVersion, hashLow: low, hashHigh: high, state }
      store.write(snapshot, historySeq?.())
      this.#snapshotBatch = batchNumber
      this.#options.onSnapshot?.(batchNumber)
    }
    const { segmentsFinished } = this.#options
    if (historySeq !== undefined) {
      archiveSegments(files, store, {
        segmentsFinished: segmentsFinished(),
        historySeq: historySeq(),
      })
    }
  }
}

/**
 * Loads a snapshot into a replica, or the live engine. @throws ReplayDivergence when the hash
 * differs.
 */
export function loadSnapshot(
  replica: Pick<Replica, 'load' | 'stateHash'>,
  snapshot: Snapshot,
): void {
  replica.load(snapshot.state, snapshot.batchNumber)
  const { low, high } = replica.stateHash()
  if (low === snapshot.hashLow && high === snapshot.hashHigh) return
  throw new ReplayDivergence(
    snapshot.batchNumber + 1,
    hex(snapshot.hashLow, snapshot.hashHigh),
    hex(low, high),
  )
}

/**
 * Compares the state with the hash that a batch recorded before it ran. @throws ReplayDivergence
 */
export function checkHash(replica: Pick<Replica, 'stateHash'>, batch: BatchView): void {
  const { low, high } = replica.stateHash()
  if (low === batch.hashLow && high === batch.hashHigh) return
  throw new ReplayDivergence(batch.batchNumber, hex(batch.hashLow, batch.hashHigh), hex(low, high))
}

// The segment after the finished ones may be half created: its header is not looked at before it
// is announced.
function segmentOf(files: JournalFiles, batchNumber: number, finished: number): number {
  const numbers = listSegments(files).filter((number) => number <= finished)
  for (const number of [...numbers].reverse()) {
    if (readSegmentHeader(files, number).firstBatchNumber <= batchNumber) return number
  }
  const [first] = numbers
  // Behind a loss the state before the first batch need not be that of the number before.
  const isBegun =
    first !== undefined && readSegmentHeader(files, first).origin !== SegmentOrigin.Next
  if (isBegun) return first
  throw new JournalDamage(segmentName(0), 0, `batch ${batchNumber} is not kept`)
}

function hex(low: number, high: number): string {
  const word = (value: number) => (value >>> 0).toString(16).padStart(8, '0')
  return word(high) + word(low)
}
