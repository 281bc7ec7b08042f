import type { BatchTimestamp } from '../../engine/memory/batch-timestamps.js'
import type { OrderTimestamp } from '../../engine/memory/order-timestamps.js'
import type { OrderStages } from '../../schemas/interface/orders.js'
import { OutcomeFlag } from '../../schemas/record-values.js'

/** Stages of an order without measurements. */
export const noStages: OrderStages = {
  socket_micros: null,
  recovery_micros: null,
  ring_micros: null,
  batch_micros: null,
  match_micros: null,
  flush_micros: null,
  pump_micros: null,
  total_micros: null,
}

/**
 * Returns the time that one order spent in each stage, in whole microseconds from its arrival. Each stage begins where
 * the previous one ended, so they add up. The clocks of two threads differ by less than one microsecond, and negative
 * times count as 0.
 * @param batch Batch that published its acknowledgement, or null.
 */
export function stagesOf(row: OrderTimestamp, batch: BatchTimestamp | null): OrderStages {
  const { receivedMillis, checkedMillis, sentMillis, answeredMillis, flags, isDecided } = row
  const originMillis = receivedMillis || sentMillis
  let atMicros = 0
  const until = (millis: number): number => {
    const before = atMicros
    atMicros = Math.max(before, Math.round((millis - originMillis) * 1000))
    return atMicros - before
  }
  const isReceived = receivedMillis !== 0
  const isChecked = isReceived && checkedMillis !== 0
  const socket = isChecked ? until(checkedMillis) : null
  const recovery = isChecked ? until(sentMillis) : null
  const isLate = (flags & OutcomeFlag.Late) !== 0
  const inBatch = isLate ? null : batch
  const ring = inBatch === null ? null : until(Math.max(sentMillis, inBatch.begunMillis))
  const decided = inBatch === null ? null : until(inBatch.collectedMillis)
  const matched = inBatch === null ? null : until(inBatch.closedMillis)
  if (isLate && batch !== null) until(batch.closedMillis)
  const flush = batch === null || batch.flushedMillis === 0 ? null : until(batch.flushedMillis)
  // A rejection by the gateway has no batch. For any other without a known batch, the end is unknown too.
  const hasEnd = answeredMillis !== 0 && isDecided && (batch !== null || row.seq === 0)
  const pump = hasEnd ? until(answeredMillis) : null
  const isWhole = isReceived && answeredMillis !== 0
  return {
    socket_micros: socket,
    recovery_micros: recovery,
    ring_micros: ring,
    batch_micros: decided,
    match_micros: matched,
    flush_micros: flush,
    pump_micros: pump,
    total_micros: isWhole ? atMicros + (hasEnd ? 0 : until(answeredMillis)) : null,
  }
}
