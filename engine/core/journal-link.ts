import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax } from '../../schemas/bounds.js'
import { JournaledBatch, JournalRecord } from '../../schemas/generated/journal.js'
import { evenSeed, foldLanes, mixWord, oddSeed } from '../journal/record-checksum.js'
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
  readonly #record = new JournaledBatch()

  constructor(ring: Ring, wake: () => void, opensLog: boolean) {
    this.#ring = ring
    this.#wake = wake
    this.#opensLog = opensLog
  }

  hasRoom(): boolean {
    const bytesMax = JournaledBatch.bytes + batchCommandBytesMax + commandBytesMax
    return this.#ring.freeBytes() > 2 * bytesMax
  }

  append(
    state: CoreState,
    batch: Batch,
    hashLow: number,
    hashHigh: number,
    eventEnd: number,
    seqAfter: number,
  ): void {
    this.#begin(JournalRecord.Batch, state, batch, eventEnd, seqAfter)
    this.#complete(batch, hashLow, hashHigh)
    if (this.#opensLog) state.sink.log?.storeDurable(eventEnd)
    this.#wake()
  }

  /** Ends the journal: no batch follows. The last record of a graceful end. */
  shutDown(state: CoreState, batch: Batch): void {
    batch.begin(state.batchNumber + 1)
    const { hash, sink } = state
    this.#begin(JournalRecord.Shutdown, state, batch, sink.log?.publish() ?? 0, sink.seq)
    this.#complete(batch, hash.low, hash.high)
    this.#wake()
  }

  #begin(
    type: JournalRecord,
    state: CoreState,
    batch: Batch,
    eventEnd: number,
    seqAfter: number,
  ): void {
    const bytes = commandBytesOf(batch)
    const record = this.#record
    const isClaimed = record.claim(this.#ring, type, JournaledBatch.bytesWith(bytes))
    assert(isClaimed, 'journal ring: room was asked for before the batch')
    record.batchNumber = batch.number
    record.timeMillis = state.nowMillis
    record.seqAfter = seqAfter
    record.eventEnd = eventEnd
    record.commandBytes = bytes
    record.commandCount = batch.recordCount
  }

  /** Fills in the state hash from before the batch, and the body, and makes the record visible. */
  #complete(batch: Batch, hashLow: number, hashHigh: number): void {
    const record = this.#record
    record.hashLow = hashLow
    record.hashHigh = hashHigh
    record.bodyChecksum = copyCommands(batch, record.i32, record.commandsAt >> 2)
    this.#ring.commit()
  }
}

function commandBytesOf(batch: Batch): number {
  let bytes = 0
  for (let i = 0; i < batch.recordCount; i++) bytes += batch.record(i).recordBytes
  return bytes
}

/**
 * Copies the batch's command records back to back to `target[to]` on.
 * @returns the checksum of the words written: nobody needs to read them for it once more.
 */
function copyCommands(batch: Batch, target: Int32Array, to: number): number {
  let at = to
  let even = evenSeed
  let odd = oddSeed
  for (let index = 0; index < batch.recordCount; index++) {
    const { i32: source, at: first, recordBytes } = batch.record(index)
    const from = first >> 2
    const end = from + (recordBytes >> 2)
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
