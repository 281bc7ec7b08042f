import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runReplayBench } from '../../bench/replay.js'

test('the replay benchmark runs small, and live and replay end in one state hash', () => {
  const results = runReplayBench({ commands: 10_000, runs: 1, directory: tmpdir() })
  assert.deepEqual(
    results.map(({ name }) => name),
    ['core.live', 'core.replay', 'core.replay / core.live'],
  )
  for (const { name, value } of results) assert.ok(value > 0, name)
  // A changed hash is a changed decision: it is meant, or it is a bug.
  assert.match(String(results[0]!.extra['hash']), /^[0-9a-f]{16}$/)
})
