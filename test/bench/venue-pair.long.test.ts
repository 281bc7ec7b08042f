import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { suites } from '../../bench/suites.js'

test('two venues that differ in a setting are measured by turns, each under its name', async () => {
  const rows = await suites['invariants']!({ quick: true, directory: tmpdir() })
  assert.deepEqual(
    rows.filter(({ unit }) => unit === 'ratio').map(({ name }) => name),
    ['ack-p50', 'ack-p99', 'orders', 'processor'].map(
      (what) => `invariants.${what} checked over unchecked`,
    ),
  )
  for (const { name, value } of rows) assert.ok(value > 0 || name.includes('sent-late'), name)
})
