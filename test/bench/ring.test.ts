import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runRingBench } from '../../bench/ring.js'

test('the ring benchmark runs small and its sum proves that every record arrived', async () => {
  const results = await runRingBench({ count: 20_000, runs: 2 })
  assert.deepEqual(
    results.map((result) => result.name),
    [
      'ring.one-to-one',
      'ring.copy-one-thread',
      'ring.one-to-one-of-copy',
      'ring.post-message',
      'ring.one-to-one-of-post-message',
    ],
  )
  assert.equal(results[0]!.extra['sum'], 199990000)
  for (const result of results) assert.ok(result.value > 0, result.name)
})
