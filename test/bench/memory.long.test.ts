import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepsThreshold } from '../../bench/measure/bench-result.js'
import { runReadModelMemoryBench } from '../../bench/read-model-memory.js'
import { runVenueMemoryBench } from '../../bench/venue-memory.js'

/** So few events make each kilobyte of compiled code count, which comes when the compiler has a core. */
const triesMax = 3

test('a resting order stays within its bytes in the read model, and an ended one leaves nothing', () => {
  const measure = () => runReadModelMemoryBench({ orders: 66_000, churned: 60_000 })
  let rows = measure()
  for (let tries = 1; tries < triesMax && !rows.every(keepsThreshold); tries++) rows = measure()
  assert.deepEqual(
    rows.map(({ name, unit }) => [name, unit]),
    [
      ['memory.read-model-order', 'bytes'],
      ['memory.read-model-growth', 'bytes/event'],
      ['memory.read-model-garbage', 'bytes/event'],
    ],
  )
  assert.ok(rows[0]!.value > 50, 'an order takes its columns at least')
  for (const row of rows) assert.ok(keepsThreshold(row), JSON.stringify(row))
})

test('a started venue with its instruments stays within its memory', async () => {
  const rows = await runVenueMemoryBench({ instruments: 100, seconds: 0.2 })
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['memory.venue-start', 'memory.venue-idle', 'memory.venue-market'],
  )
  for (const row of rows) assert.ok(row.value > 50 && keepsThreshold(row), JSON.stringify(row))
})
