import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agents } from '../../../engine/state/accounts/agents.js'
import { firstFailing, tradingAlone } from '../../support/planted-fault.js'

// Faults in engine code that all engines of a run share.

const steps = 200
/** No wallet or agent of the simulation has a last address byte from here on. */
const strangerFrom = 200

test('the simulator finds an engine that accepts commands of strangers', () => {
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
