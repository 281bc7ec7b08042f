import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAcknowledgementBench } from '../../bench/acknowledgement.js'

test('orders at planned times are acknowledged by both venues, and echoed for comparison', async () => {
  const rows = await runAcknowledgementBench({ seconds: 0.2, repeats: 1, warmUpOrders: 200 })
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      ...['echo-p50', 'echo-p99', 'memory-p50', 'memory-p99', 'flushed-p50', 'flushed-p99'],
      ...['flush', 'memory-p50 over echo', 'memory-p99 over echo'],
      ...['flushed-p50 over limit', 'flushed-p99 over limit'],
    ].map((name) => `acknowledgement.${name}`),
  )
  for (const { value, name } of rows) assert.ok(value > 0, name)
})
