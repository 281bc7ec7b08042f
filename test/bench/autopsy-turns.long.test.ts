import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAutopsyTurnsBench } from '../../bench/autopsy-turns.js'

test('acknowledgements with the order autopsy and without are told as differences with their interval', async () => {
  const rows = await runAutopsyTurnsBench({ seconds: 0.5, pairs: 2, warmUpOrders: 200 })
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['autopsy.acknowledgement_p50_difference', 'autopsy.acknowledgement_p99_difference'],
  )
  for (const { value, range, extra } of rows) {
    assert.ok(range !== null && range.min <= value && value <= range.max)
    const { pausedMillis, stampedMillis } = extra as Record<string, number>
    assert.ok(pausedMillis! > 0 && stampedMillis! > 0)
    assert.ok(Math.abs(stampedMillis! - pausedMillis! - value) < 1 + Math.abs(value))
  }
})
