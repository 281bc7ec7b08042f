import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEndToEndBench } from '../../bench/end-to-end.js'

test('signed orders go through a real process and each is acknowledged', async () => {
  const rows = await runEndToEndBench({ latencyOrders: 20, throughputOrders: 200, repeats: 1 })
  assert.deepEqual(
    rows.map(({ name, unit }) => [name, unit]),
    [
      ['end-to-end.idle-ack-p50', 'ms'],
      ['end-to-end.idle-ack-p99', 'ms'],
      ['end-to-end.recovery', 'orders/s'],
      ['end-to-end.echo', 'orders/s'],
      ['end-to-end.orders', 'orders/s'],
      ['end-to-end.orders over recovery-and-echo', 'ratio'],
    ],
  )
  for (const { value } of rows) assert.ok(value > 0)
})
