import type { BatchSink } from '../../../engine/core/core.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import type { HashLanes } from '../../../engine/memory/state-hash.js'
import type { Batch } from '../../../engine/state/batch.js'
import { engineVersion } from '../../../engine/state/engine-version.js'
import { viewsOfCopy } from '../../../schemas/record-views.js'

/** State hashes between batches, by the batch before. */
class BorderHashes {
  readonly #hashes: (HashLanes | undefined)[] = []

  note(batchNumber: number, { low, high }: HashLanes): void {
    this.#hashes[batchNumber] = { low, high }
  }

  /** Returns true if the hash is the recorded one. A batch after which the process died has none. */
  fits(batchNumber: number, hash: HashLanes): boolean {
    const known = this.#hashes[batchNumber]
    return known === undefined || isSameHash(known, hash)
  }

  truncate(batchNumber: number): void {
    this.#hashes.length = Math.min(this.#hashes.length, batchNumber + 1)
  }
}

/**
 * Every batch that the core has closed, as it was before the journal, and the state hash after every batch. Recovery and
 * every other core must agree with it.
 */
export class BatchHistory {
  /** Batch `n` is at index `n - 1`. After an accepted loss some numbers are unused. */
  readonly batches: BatchView[] = []
  readonly hashes = new BorderHashes()
  /** Hashes without the cells that are only counted. */
  readonly elements = new BorderHashes()

  append(batch: BatchView): void {
    this.truncate(batch.batchNumber - 1)
    this.batches[batch.batchNumber - 1] = batch
    this.hashes.note(batch.batchNumber - 1, { low: batch.hashLow, high: batch.hashHigh })
  }

  /** Drops the batches after this one: they never became durable, so they have not happened. */
  truncate(batchNumber: number): void {
    this.batches.length = Math.min(this.batches.length, batchNumber)
    this.hashes.truncate(batchNumber)
    this.elements.truncate(batchNumber)
  }
}

export function isSameHash(one: HashLanes, other: HashLanes): boolean {
  return one.low === other.low && one.high === other.high
}

/**
 * Returns a sink that keeps a copy of every batch on its way to the journal ring.
 * @param hasRoom true if there is room for one more; the ring counts as full early
 */
export function recordingSink(
  target: BatchSink,
  history: BatchHistory,
  hasRoom: () => boolean,
): BatchSink {
  return {
    hasRoom,
    append(state, batch, end) {
      const { hashLow, hashHigh, seqAfter } = end
      history.append({
        batchNumber: batch.number,
        timeMillis: state.nowMillis,
        seqAfter,
        hashLow,
        hashHigh,
        engineVersion,
        commandCount: batch.recordCount,
        ...commandsOf(batch),
      })
      target.append(state, batch, end)
    },
  }
}

function commandsOf(batch: Batch) {
  const records = Array.from({ length: batch.recordCount }, (_, index) => {
    const { u8, at, recordBytes } = batch.record(index)
    return u8.subarray(at, at + recordBytes)
  })
  const bytes = Buffer.concat(records)
  const { length: commandBytes } = bytes
  return { commandsAt: 0, commandBytes, ...viewsOfCopy(bytes, commandBytes) }
}
