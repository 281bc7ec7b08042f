import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBookMemoryBench } from '../../bench/book-memory.js'

test('a resting order takes at most 128 bytes of a matcher, also when its pools just doubled', () => {
  for (const reduceOnly of [0, 0.1]) {
    const [row] = runBookMemoryBench({ orders: 263_000, instruments: 750, reduceOnly })
    assert.ok(
      row.value > 32 && row.value <= 128,
      `${row.value} bytes: ${JSON.stringify(row.extra)}`,
    )
  }
})
