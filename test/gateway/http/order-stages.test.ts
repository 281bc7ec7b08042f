import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchTimestamp } from '../../../engine/memory/batch-timestamps.js'
import type { OrderTimestamp } from '../../../engine/memory/order-timestamps.js'
import { noStages, stagesOf } from '../../../gateway/http/order-stages.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'

const timestamp: OrderTimestamp = {
  ...{ requester: 0, command: 1, nonceHigh: 0, nonceLow: 1, wallet: new Uint8Array(20) },
  ...{ receivedMillis: 1000.0004, checkedMillis: 1000.02, sentMillis: 1000.06 },
  ...{ answeredMillis: 1001.5, isDecided: true, seq: 12, publishedSeq: 11, orderId: 3 },
  ...{ result: 0, flags: 0, status: 2, instrument: 0, details: new Float64Array(10) },
}
const batch: BatchTimestamp = {
  ...{ number: 4, firstSeq: 10, lastSeq: 19, commands: 3, timeMillis: 5000 },
  ...{ begunMillis: 1000.1, collectedMillis: 1000.2, closedMillis: 1000.35, flushedMillis: 1001 },
}

/** In the order of the stages, the total last. */
function times(of: Partial<OrderTimestamp>, batchOf: Partial<BatchTimestamp> | null = {}) {
  const batchTimestamp = batchOf === null ? null : { ...batch, ...batchOf }
  return Object.values(stagesOf({ ...timestamp, ...of }, batchTimestamp)) as (number | null)[]
}

function sum(parts: readonly (number | null)[]): number {
  return parts.slice(0, -1).reduce<number>((total, part) => total + (part ?? 0), 0)
}

test('the stages follow each other, and add up to the total', () => {
  const found = times({})
  assert.deepEqual(found, [20, 40, 40, 100, 150, 650, 500, 1500])
  assert.equal(sum(found), found.at(-1))
})

test('an order that joins a started batch spends no time in the ring, and never less than 0', () => {
  assert.deepEqual(times({ sentMillis: 1000.15 }), [20, 130, 0, 50, 150, 650, 500, 1500])
})

test('thread clocks that differ slightly reduce no stage', () => {
  const skewed = times({ sentMillis: 1000.2004 }, { collectedMillis: 1000.2, flushedMillis: 1000 })
  assert.ok(skewed.every((part) => part !== null && part >= 0))
  assert.equal(sum(skewed), skewed.at(-1))
})

test('a time that was not measured is null, not 0', () => {
  const flushless = times({}, { flushedMillis: 0 })
  assert.deepEqual(flushless, [20, 40, 40, 100, 150, null, 1150, 1500])
  const unreceived = times({ receivedMillis: 0, checkedMillis: 0 })
  assert.deepEqual(unreceived, [null, null, 40, 100, 150, 650, 500, null])
  assert.deepEqual(times({ answeredMillis: 0 }), [20, 40, 40, 100, 150, 650, null, null])
  assert.deepEqual(times({}, null), [20, 40, null, null, null, null, null, 1500])
  const waiting = { isDecided: false, seq: 0, answeredMillis: 0 }
  assert.deepEqual(times(waiting, null), [20, 40, null, null, null, null, null, null])
  assert.ok(Object.values(noStages).every((part) => part === null))
})

test('an order that waited for quotes has an unknown time to its batch, and the other times', () => {
  const found = times({ flags: OutcomeFlag.Late | OutcomeFlag.IsResultPublished })
  assert.deepEqual(found, [20, 40, null, null, null, 650, 500, 1500])
})

test('an error of the gateway has no later stages', () => {
  const found = times({ seq: 0, answeredMillis: 1000.08 }, null)
  assert.deepEqual(found, [20, 40, null, null, null, null, 20, 80])
})
