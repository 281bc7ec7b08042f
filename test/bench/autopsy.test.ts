import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAutopsyBench } from '../../bench/autopsy.js'

test('the autopsy bench stamps orders and batches, and finds the latest of each', () => {
  const rows = runAutopsyBench({ count: 20_000, repeats: 1 })
  assert.deepEqual(
    rows.map(({ name, unit }) => `${name}: ${unit}`),
    ['autopsy.order: ns', 'autopsy.batch: ns'],
  )
  for (const { name, value } of rows) assert.ok(value > 0, name)
})
