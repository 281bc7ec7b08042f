import type { BatchStamp } from '../../engine/memory/batch-stamps.js'
import type { OrderStamp } from '../../engine/memory/order-stamps.js'
import type { OrderStages } from '../../schemas/interface/orders.js'
import { OutcomeFlag } from '../../schemas/record-values.js'

/** Of an order of which nothing was measured. */
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
 * What one order spent where. Each stage begins where the one before it ended, in whole microseconds since the request
 * was there, so they add up; clocks of two threads differ by less than one, and no stage takes less than nothing.
 * @param batch in which its outcome was told, or null.
 */
export function stagesOf(stamp: OrderStamp, batch: BatchStamp | null): OrderStages {
  const { receivedMillis, checkedMillis, sentMillis, answeredMillis, flags, isDecided } = stamp
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
  // The gateway's own refusal has no batch; any other whose batch is forgotten has no end of it, either.
  const hasEnd = answeredMillis !== 0 && isDecided && (batch !== null || stamp.seq === 0)
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
