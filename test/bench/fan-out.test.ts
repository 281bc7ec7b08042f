import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFanOutBench } from '../../bench/fan-out.js'

test('every update reaches every subscriber of both servers, and is counted', async () => {
  const rows = await runFanOutBench({ updates: 5, subscribers: 5, runs: 1 })
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['fan-out.book-update', 'fan-out.publish', 'fan-out.book-update over publish'],
  )
  for (const { value } of rows) assert.ok(value > 0)
})
