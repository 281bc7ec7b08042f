import { viewsOf } from '../../schemas/record-views.js'
import type { BatchSink } from '../core/core.js'
import type { BatchView } from '../journal/segment-reader.js'
import { type HashLanes, hashVersion } from '../memory/state-hash.js'
import type { Batch } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'

/**
 * Every batch that the core has closed, as it was before the journal saw it, and the state hash at
 * every border: what recovery and every other core must agree with.
 */
export class BatchHistory {
  /** Batch `n` stands at `n - 1`; behind an accepted loss some numbers are nobody's. */
  readonly batches: BatchView[] = []
  readonly #hashesAfter: (string | undefined)[] = []
  readonly #elementsAfter: (string | undefined)[] = []

  append(batch: BatchView): void {
    this.truncate(batch.batchNumber - 1)
    this.batches[batch.batchNumber - 1] = batch
  }

  /** The hash after a batch, `low/high`; undefined when the process died before there was one. */
  hashAfter(batchNumber: number): string | undefined {
    return this.#hashesAfter[batchNumber]
  }

  /** The same without what is only counted. */
  elementsAfter(batchNumber: number): string | undefined {
    return this.#elementsAfter[batchNumber]
  }

  noteElements(batchNumber: number, { low, high }: HashLanes): void {
    this.#elementsAfter[batchNumber] = hashKey(low, high)
  }

  noteHash(batchNumber: number, low: number, high: number): void {
    this.#hashesAfter[batchNumber] = hashKey(low, high)
  }

  /** Batches behind this one were never durable: they have not happened. */
  truncate(batchNumber: number): void {
    this.batches.length = Math.min(this.batches.length, batchNumber)
    this.#hashesAfter.length = Math.min(this.#hashesAfter.length, batchNumber + 1)
    this.#elementsAfter.length = Math.min(this.#elementsAfter.length, batchNumber + 1)
  }
}

export function hashKey(low: number, high: number): string {
  return `${low}/${high}`
}

/** Keeps a copy of every batch on its way to the journal ring, which counts as full early. */
export class RecordingSink implements BatchSink {
  readonly #target: BatchSink
  readonly #history: BatchHistory
  /** Bytes queued, and how many may be. */
  readonly #queuedBytes: () => number
  readonly #queuedBytesMax: number
  readonly #onFull: () => void

  constructor(
    target: BatchSink,
    history: BatchHistory,
    queuedBytes: () => number,
    queuedBytesMax: number,
    onFull: () => void,
  ) {
    this.#target = target
    this.#history = history
    this.#queuedBytes = queuedBytes
    this.#queuedBytesMax = queuedBytesMax
    this.#onFull = onFull
  }

  hasRoom(): boolean {
    const hasRoom = this.#queuedBytes() <= this.#queuedBytesMax && this.#target.hasRoom()
    if (!hasRoom) this.#onFull()
    return hasRoom
  }

  append(
    state: CoreState,
    batch: Batch,
    hashLow: number,
    hashHigh: number,
    eventEnd: number,
    seqAfter: number,
  ): void {
    this.#history.append(recordOf(state, batch, hashLow, hashHigh, seqAfter))
    this.#history.noteHash(batch.number - 1, hashLow, hashHigh)
    this.#target.append(state, batch, hashLow, hashHigh, eventEnd, seqAfter)
  }
}

function recordOf(
  state: CoreState,
  batch: Batch,
  hashLow: number,
  hashHigh: number,
  seqAfter: number,
): BatchView {
  let commandBytes = 0
  for (let i = 0; i < batch.recordCount; i++) commandBytes += batch.record(i).recordBytes
  const views = viewsOf(new ArrayBuffer(commandBytes))
  let to = 0
  for (let i = 0; i < batch.recordCount; i++) {
    const { at, recordBytes, u8 } = batch.record(i)
    views.u8.set(u8.subarray(at, at + recordBytes), to)
    to += recordBytes
  }
  return {
    batchNumber: batch.number,
    timeMillis: state.nowMillis,
    seqAfter,
    hashLow,
    hashHigh,
    hashVersion,
    isCompared: true,
    commandCount: batch.recordCount,
    commandsAt: 0,
    commandBytes,
    ...views,
  }
}
