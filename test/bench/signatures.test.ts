import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSignatureBench } from '../../bench/signatures.js'

test('the signature bench verifies what it measures, and hashes the same orders every time', () => {
  const rows = runSignatureBench({ millis: 1 })
  assert.deepEqual(
    rows.map((row) => `${row.name}: ${row.unit}`),
    [
      'signatures.bare-native: ops/s',
      'signatures.place-order: ops/s',
      'signatures.place-order-wasm: ops/s',
      'signatures.place-order-noble: ops/s',
      'signatures.place-order over bare-native: ratio',
      'signatures.place-order over noble: ratio',
    ],
  )
  for (const row of rows) assert.ok(row.value > 0, row.name)
  assert.deepEqual(rows[4]!.extra, { digests: '0x7d1445da1e59baa6' })
})
