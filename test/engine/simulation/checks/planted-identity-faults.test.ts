import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from '../../../../engine/simulation/simulation.js'
import { Agents } from '../../../../engine/state/agents.js'

// Faults of the engine itself, in what all engines of a run have in common.

const seedsMax = 60
const steps = 200
/** What no wallet or agent of the simulation has as the last byte of its address. */
const strangerFrom = 200

/** What the first of some seeds says that fails. */
function firstFailure(): string {
  for (let seed = 1; seed <= seedsMax; seed++) {
    const { failure } = simulate({
      seed,
      steps,
      without: new Set(['requests', 'auctions', 'services', 'safety']),
    })
    if (failure !== null) return failure.what
  }
  assert.fail('all seeds hold in spite of the planted fault')
}

test('a stranger whose commands are taken is found', () => {
  const { has } = Agents.prototype
  Agents.prototype.has = function (account, source, at) {
    return source[at + 19]! >= strangerFrom || has.call(this, account, source, at)
  }
  try {
    assert.match(
      firstFailure(),
      /strangers have changed something in batch \d+|closed when it was journaled/,
    )
  } finally {
    Agents.prototype.has = has
  }
})
