import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runJournalAppendBench } from '../../bench/journal-append.js'

test('the journal benchmark runs small and recovers what it wrote', () => {
  const results = runJournalAppendBench({ count: 4, runs: 1, directory: tmpdir() })
  assert.equal(results.length, 12)
  for (const result of results) assert.ok(result.value > 0, result.name)
})
