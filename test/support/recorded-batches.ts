import type { BatchView } from '../../engine/journal/segment-reader.js'
import type { Batch } from '../../engine/state/batch.js'
import { engineVersion } from '../../engine/state/engine-version.js'
import type { EventSink } from '../../engine/state/event-sink.js'

interface RecordedBatchesState {
  readonly nowMillis: number
  readonly sink: EventSink
}

/** Closed batch as the journal would store it. */
export type RecordedBatch = BatchView

/** Copies the commands of a batch that is being appended. */
export function batchOfRing(
  state: RecordedBatchesState,
  batch: Batch,
  hashLow: number,
  hashHigh: number,
): RecordedBatch {
  const parts: Uint8Array[] = []
  for (let record = 0; record < batch.recordCount; record++) {
    const { at, recordBytes, u8 } = batch.record(record)
    parts.push(u8.slice(at, at + recordBytes))
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return {
    batchNumber: batch.number,
    timeMillis: state.nowMillis,
    seqAfter: state.sink.seq,
    hashLow,
    hashHigh,
    engineVersion,
    commandCount: batch.recordCount,
    commandsAt: 0,
    commandBytes: bytes.length,
    i32: new Int32Array(bytes.buffer),
    u32: new Uint32Array(bytes.buffer),
    f64: new Float64Array(bytes.buffer),
    u8: bytes,
  }
}
