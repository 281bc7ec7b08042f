import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertHolds, seedsFrom, stepsOf } from '../support/held-seeds.js'
import { Statistics } from './run/statistics.js'

// The long test runs a hundred seeds and checks their coverage.
test('the first seeds run without a violation and trade', () => {
  const statistics = new Statistics()
  for (const seed of seedsFrom(1, 5)) assertHolds({ seed, steps: stepsOf(seed) }, statistics)
  for (const name of ['trades', 'batches replayed', 'snapshots']) {
    assert.ok(statistics.of(name) > 0, name)
  }
})
