import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runCompetitionCostBench } from '../../bench/competition-cost.js'

test('the bench of what a competition costs runs small, and it changes nothing that is decided', async () => {
  const shape = { warmUp: 4096, commands: 8192, repeats: 1 }
  const results = await runCompetitionCostBench({ ...shape, directory: tmpdir() })
  assert.deepEqual(
    results.map(({ name }) => name),
    ['competition.core', 'competition.trade'],
  )
  for (const { name, value } of results) assert.ok(Number.isFinite(value), name)
  assert.ok(results[0]!.value > 0)
})
