import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runHistoryBench } from '../../bench/history.js'

test('the history benchmark runs small, and every query of it finds rows', () => {
  const small = {
    written: 20_000,
    copies: 2,
    ordersPerCommit: 100,
    queries: 2,
    directory: tmpdir(),
  }
  const results = runHistoryBench(small)
  assert.equal(results.length, 24)
  for (const result of results) assert.ok(result.value > 0, result.name)
})
