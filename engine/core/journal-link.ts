import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax } from '../../schemas/bounds.js'
import { JournalRecord } from '../../schemas/generated/journal.js'
import {
  batchBodyChecksumAt,
  batchCommandBytesAt,
  batchCommandCountAt,
  batchCommandsAt,
  batchEventEndAt,
  batchHashHighAt,
  batchHashLowAt,
  batchNumberAt,
  batchSeqAfterAt,
  batchTimeMillisAt,
} from '../journal/journal-records.js'
import { evenSeed, foldLanes, mixWord, oddSeed } from '../journal/record-checksum.js'
import { recordBytesAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import type { Batch } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import type { BatchSink } from './core.js'

/** The core's end of the journal ring: each closed batch becomes one record with the bytes of its commands. */
export class JournalLink implements BatchSink {
  readonly #ring: Ring
  readonly #wake: () => void
  /** With durability `memory` the core opens the event log itself. */
  readonly #opensLog: boolean

  constructor(ring: Ring, wake: () => void, opensLog: boolean) {
    this.#ring = ring
    this.#wake = wake
    this.#opensLog = opensLog
  }

  hasRoom(): boolean {
    return this.#ring.freeBytes() > 2 * (batchCommandBytesMax + commandBytesMax + batchCommandsAt)
  }

  append(
    state: CoreState,
    batch: Batch,
    hashLow: number,
    hashHigh: number,
    eventEnd: number,
    seqAfter: number,
  ): void {
    const at = this.#claim(JournalRecord.Batch, state, batch, eventEnd, seqAfter)
    this.#setHash(at, hashLow, hashHigh)
    this.#complete(at, batch)
    if (this.#opensLog) state.sink.log?.storeDurable(eventEnd)
    this.#wake()
  }

  /** Ends the journal: no batch follows. The last record of a graceful end. */
  shutDown(state: CoreState, batch: Batch): void {
    batch.begin(state.batchNumber + 1)
    const eventEnd = state.sink.log?.publish() ?? 0
    const { hash, sink } = state
    const at = this.#claim(JournalRecord.Shutdown, state, batch, eventEnd, sink.seq)
    this.#setHash(at, hash.low, hash.high)
    this.#complete(at, batch)
    this.#wake()
  }

  #claim(type: number, state: CoreState, batch: Batch, eventEnd: number, seqAfter: number): number {
    let bytes = 0
    for (let record = 0; record < batch.recordCount; record++) {
      bytes += batch.recordViews[record].i32[(batch.recordAt[record] + recordBytesAt) >> 2]
    }
    const ring = this.#ring
    const at = ring.tryClaim(batchCommandsAt + bytes, type)
    assert(at >= 0, 'journal ring: room was asked for before the batch')
    ring.f64[(at + batchNumberAt) >> 3] = batch.number
    ring.f64[(at + batchTimeMillisAt) >> 3] = state.nowMillis
    ring.f64[(at + batchSeqAfterAt) >> 3] = seqAfter
    ring.i32[(at + batchEventEndAt) >> 2] = eventEnd
    ring.i32[(at + batchCommandBytesAt) >> 2] = bytes
    ring.i32[(at + batchCommandCountAt) >> 2] = batch.recordCount
    return at
  }

  /** The state hash from before the batch. */
  #setHash(at: number, low: number, high: number): void {
    this.#ring.i32[(at + batchHashLowAt) >> 2] = low
    this.#ring.i32[(at + batchHashHighAt) >> 2] = high
  }

  /** Fills the record's body and makes it visible. */
  #complete(at: number, batch: Batch): void {
    const ring = this.#ring
    const checksum = copyCommands(batch, ring.i32, (at + batchCommandsAt) >> 2)
    ring.u32[(at + batchBodyChecksumAt) >> 2] = checksum
    ring.commit()
  }
}

/**
 * Copies the batch's command records back to back to `target[to]` on.
 * @returns the checksum of the words written: nobody needs to read them for it once more.
 */
function copyCommands(batch: Batch, target: Int32Array, to: number): number {
  let at = to
  let even = evenSeed
  let odd = oddSeed
  for (let record = 0; record < batch.recordCount; record++) {
    const source = batch.recordViews[record].i32
    const from = batch.recordAt[record] >> 2
    const end = from + (source[from + (recordBytesAt >> 2)] >> 2)
    // Records are 8-byte aligned: whole pairs.
    for (let word = from; word < end; word += 2, at += 2) {
      const low = source[word]
      const high = source[word + 1]
      target[at] = low
      target[at + 1] = high
      even = mixWord(even, low)
      odd = mixWord(odd, high)
    }
  }
  return foldLanes(even, odd)
}
