import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { suites } from '../../bench/suites.js'

test('two venues that differ in a setting are measured in turns, each under its name', async () => {
  const rows = await suites['invariants']!({ quick: true, directory: tmpdir() })
  assert.deepEqual(
    rows.filter(({ unit }) => unit === 'ratio').map(({ name }) => name),
    [
      'ack-p50 checked over unchecked',
      'ack-p99 checked over unchecked',
      // More than 1 is what the checker costs, here as well.
      'orders unchecked over checked',
      'processor checked over unchecked',
    ].map((what) => `invariants.${what}`),
  )
  for (const { name, value } of rows) assert.ok(value > 0 || name.includes('sent-late'), name)
})
