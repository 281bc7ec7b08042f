import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agents } from '../../../engine/state/accounts/agents.js'
import { firstFailing, tradingAlone } from '../../support/planted-fault.js'

// Faults of the engine itself, in what all engines of a run have in common.

const steps = 200
/** What no wallet or agent of the simulation has as the last byte of its address. */
const strangerFrom = 200

test('a stranger whose commands are taken is found', () => {
  const { has } = Agents.prototype
  Agents.prototype.has = function (account, source, at) {
    return source[at + 19]! >= strangerFrom || has.call(this, account, source, at)
  }
  try {
    assert.match(
      firstFailing({ steps, without: tradingAlone, first: 2 }).what,
      /strangers have changed something in batch \d+|closed when it was journaled/,
    )
  } finally {
    Agents.prototype.has = has
  }
})
