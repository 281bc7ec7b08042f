import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCoreMemoryBench } from '../../bench/core-memory.js'
import { keepsThreshold } from '../../bench/measure/bench-result.js'

test('a resting order and a wallet keep their bytes in the core', () => {
  const results = runCoreMemoryBench({ orders: 100_000, wallets: 2500 })
  for (const row of results) {
    assert.ok(row.value > 40, `${row.name}: ${row.value} bytes, too few to be all of it`)
    assert.ok(keepsThreshold(row), `${row.name}: ${row.value} bytes`)
  }
})
