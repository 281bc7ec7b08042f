import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runUnhelpedOrderBench } from '../../bench/unhelped-orders.js'

test('orders of both routes are acknowledged, and each has its own figures', async () => {
  const rows = await runUnhelpedOrderBench({
    ...{ ordersPerSecond: 100, seconds: 0.5, repeats: 1, providers: 2 },
  })
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      ...['book_only-p50', 'best_execution-p50', 'book_only-p99', 'best_execution-p99'],
      ...['best_execution-p50 over book_only', 'best_execution-p99 over book_only'],
    ].map((name) => `unhelped.${name}`),
  )
  for (const { name, value } of rows) assert.ok(value > 0, name)
  // An order that is refused weighs as a second.
  assert.ok(rows[1]!.value < 1000)
})
