import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertHolds, seedsFrom, stepsOf } from '../support/held-seeds.js'
import { Statistics } from './run/statistics.js'

// The long run has a hundred of them, and looks whether they met all that may happen.
test('the first seeds hold, and trade', () => {
  const statistics = new Statistics()
  for (const seed of seedsFrom(1, 5)) assertHolds({ seed, steps: stepsOf(seed) }, statistics)
  for (const name of ['trades', 'batches replayed', 'snapshots']) {
    assert.ok(statistics.of(name) > 0, name)
  }
})
