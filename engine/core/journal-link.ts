import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax } from '../../schemas/bounds.js'
import { JournaledBatch, JournalRecord } from '../../schemas/generated/journal.js'
import { evenSeed, foldLanes, mixWord, oddSeed } from '../journal/record-checksum.js'
import type { Ring } from '../memory/ring.js'
import type { StateHash } from '../memory/state-hash.js'
import type { Batch } from '../state/batch.js'
import type { EventSink } from '../state/event-sink.js'
import type { BatchEnd, BatchSink } from './core.js'

interface JournalLinkState {
  readonly sink: EventSink
  readonly batchNumber: number
  readonly hash: StateHash
  readonly nowMillis: number
}

/** The core's end of the journal ring. Each closed batch becomes one record with the bytes of its commands. */
export class JournalLink implements BatchSink {
  readonly #ring: Ring
  readonly #record = new JournaledBatch()
  readonly #wake: () => void
  /** True with durability `memory`: the core then publishes events as durable itself. */
  readonly #opensLog: boolean
  #lastNumber = 0

  constructor(ring: Ring, wake: () => void, opensLog: boolean) {
    this.#ring = ring
    this.#wake = wake
    this.#opensLog = opensLog
  }

  hasRoom(): boolean {
    return (
      this.#ring.freeBytes() > 2 * (batchCommandBytesMax + commandBytesMax + JournaledBatch.bytes)
    )
  }

  append(state: JournalLinkState, batch: Batch, end: BatchEnd): void {
    assert(batch.number > this.#lastNumber, 'journal: batch numbers increase')
    this.#lastNumber = batch.number
    this.#put(JournalRecord.Batch, state, batch, end)
    if (this.#opensLog) state.sink.log?.storeDurable(end.eventEnd)
    this.#wake()
  }

  /** Appends the last record of a graceful end, after which no batch follows. */
  shutDown(state: JournalLinkState, batch: Batch): void {
    batch.begin(state.batchNumber + 1)
    const eventEnd = state.sink.log?.publish() ?? 0
    const { hash, sink } = state
    const end = { hashLow: hash.low, hashHigh: hash.high, eventEnd, seqAfter: sink.seq }
    this.#put(JournalRecord.Shutdown, state, batch, end)
    this.#wake()
  }

  #put(type: JournalRecord, state: JournalLinkState, batch: Batch, end: BatchEnd): void {
    let bytes = 0
    for (let i = 0; i < batch.recordCount; i++) bytes += batch.record(i).recordBytes
    const record = this.#record
    const isClaimed = record.claim(this.#ring, type, JournaledBatch.bytesWith(bytes))
    assert(isClaimed, 'journal ring: room was checked before the batch')
    record.batchNumber = batch.number
    record.timeMillis = state.nowMillis
    record.commandBytes = bytes
    record.commandCount = batch.recordCount
    record.hashLow = end.hashLow
    record.hashHigh = end.hashHigh
    record.eventEnd = end.eventEnd
    record.seqAfter = end.seqAfter
    record.bodyChecksum = copyCommands(batch, record.i32, record.commandsAt >> 2)
    this.#ring.commit()
  }
}

/**
 * Copies the batch's command records back to back, from `target[to]` on.
 * @returns the checksum of the words written, computed in the same pass.
 */
function copyCommands(batch: Batch, target: Int32Array, to: number): number {
  let at = to
  let even = evenSeed
  let odd = oddSeed
  for (let i = 0; i < batch.recordCount; i++) {
    const { i32: source, at: first, recordBytes } = batch.record(i)
    const from = first >> 2
    const end = from + (recordBytes >> 2)
    // Records are aligned to 8 bytes, so words come in pairs.
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
