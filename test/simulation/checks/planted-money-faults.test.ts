import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Marks } from '../../../engine/pricing/marks.js'
import { ExactLimits } from '../../../engine/risk/exact-limits.js'
import { Builders } from '../../../engine/state/accounts/builders.js'
import { Funds } from '../../../engine/state/money/funds.js'
import { Result } from '../../../schemas/results.js'
import { firstFailing, tradingAlone } from '../../support/planted-fault.js'

// Each test plants a fault in every engine of a run, including the standby, so that comparing engines finds nothing.
// The unbounded sum over positions finds it, or the events that any reader could add up.

const stepsEnough = 300

test('the simulator finds orders that may take a wallet out of the exact range', () => {
  const { prototype } = ExactLimits
  const { check } = prototype
  prototype.check = () => Result.Accepted
  try {
    assert.match(firstFailure(), /no exact amount|that it may be worth|its positions come to/)
  } finally {
    prototype.check = check
  }
})

test('the simulator finds an index above the maximum of its underlying', () => {
  const { prototype } = Marks
  const { setIndex } = prototype
  prototype.setIndex = function (underlying, priceMicros, observedMillis) {
    const isFirst = Number.isNaN(this.inputsOf(underlying).indexMicros)
    return setIndex.call(this, underlying, isFirst ? priceMicros : 41 * priceMicros, observedMillis)
  }
  try {
    assert.match(firstFailure(), /is \d+, above its highest|that it may be worth/)
  } finally {
    prototype.setIndex = setIndex
  }
})

test('the simulator finds a rebate larger than the fees of its fill', () => {
  const { prototype } = Funds
  const { takeTradingFee } = prototype
  prototype.takeTradingFee = function (terms) {
    if (terms.feeMicros < 0) terms.feeMicros *= 1000
    takeTradingFee.call(this, terms)
  }
  try {
    assert.match(firstFailure(12), /takes \d+ micros out of the fees/)
  } finally {
    prototype.takeTradingFee = takeTradingFee
  }
})

test("the simulator finds a builder that earns without the operator's permission", (t) => {
  t.mock.method(Builders.prototype, 'isActive', () => true)
  assert.match(firstFailure(30), /0x\w+ has \d+ micros and is no builder/)
})

/** @param first of `Planted`. */
function firstFailure(first = 1): string {
  return firstFailing({ steps: stepsEnough, without: tradingAlone, first }).what
}
