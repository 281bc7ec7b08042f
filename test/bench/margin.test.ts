import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runMarginBench } from '../../bench/margin.js'

test('the margin benchmark runs small, and every order it checks is admitted', async () => {
  const results = await runMarginBench({ checks: 200, remarks: 2 })
  assert.deepEqual(
    results.map(({ name }) => name),
    [
      'margin.check.standard',
      'margin.check.defined_risk',
      'margin.check.portfolio',
      'margin.remark',
      'margin.remark.longest-turn',
      'margin.remark.longest-turn.one-underlying',
    ],
  )
  for (const { name, value } of results) assert.ok(value > 0, name)
  const turns = results.filter(({ name }) => name.startsWith('margin.remark.longest-turn'))
  for (const { threshold } of turns) assert.deepEqual(threshold, { atMost: 1 })
})
