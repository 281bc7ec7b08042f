import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax } from '../../schemas/bounds.js'
import {
  batchCommandBytesAt,
  batchCommandCountAt,
  batchCommandsAt,
  batchEventEndAt,
  batchHashHighAt,
  batchHashLowAt,
  batchNumberAt,
  batchSeqAfterAt,
  batchTimeMillisAt,
  JournalRecord,
} from '../journal/journal-records.js'
import { recordBytesAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import type { Batch } from './batch.js'
import type { BatchSink } from './core.js'
import type { CoreState } from './core-state.js'

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
    const type = JournalRecord.Batch
    const at = this.#claim(type, state, batch, hashLow, hashHigh, eventEnd, seqAfter)
    const { i32 } = this.#ring
    let to = (at + batchCommandsAt) >> 2
    for (let record = 0; record < batch.recordCount; record++) {
      const source = batch.recordViews[record].i32
      const from = batch.recordAt[record] >> 2
      const words = source[from + (recordBytesAt >> 2)] >> 2
      for (let word = 0; word < words; word++) i32[to + word] = source[from + word]
      to += words
    }
    this.#ring.commit()
    if (this.#opensLog) state.sink.log?.storeDurable(eventEnd)
    this.#wake()
  }

  /** Ends the journal: no batch follows. The last record of a graceful end. */
  shutDown(state: CoreState, batch: Batch): void {
    batch.begin(state.batchNumber + 1)
    const eventEnd = state.sink.log?.publish() ?? 0
    const type = JournalRecord.Shutdown
    this.#claim(type, state, batch, state.hash.low, state.hash.high, eventEnd, state.sink.seq)
    this.#ring.commit()
    this.#wake()
  }

  #claim(
    type: number,
    state: CoreState,
    batch: Batch,
    hashLow: number,
    hashHigh: number,
    eventEnd: number,
    seqAfter: number,
  ): number {
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
    ring.i32[(at + batchHashLowAt) >> 2] = hashLow
    ring.i32[(at + batchHashHighAt) >> 2] = hashHigh
    return at
  }
}
