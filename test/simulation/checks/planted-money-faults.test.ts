import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Marks } from '../../../engine/pricing/marks.js'
import { ExactLimits } from '../../../engine/risk/exact-limits.js'
import { Builders } from '../../../engine/state/accounts/builders.js'
import { Funds } from '../../../engine/state/money/funds.js'
import { Result } from '../../../schemas/results.js'
import { firstFailing, tradingAlone } from '../../support/planted-fault.js'

// Each plants a fault in every engine of a run, the standby too, so that none of them can tell: what finds it is the
// sum over positions, in integers without a bound, or the events that any reader could add up.

const stepsEnough = 300

test('orders that may take a wallet out of the exact range are found', () => {
  const { prototype } = ExactLimits
  const { check } = prototype
  prototype.check = () => Result.Accepted
  try {
    assert.match(firstFailure(), /no exact amount|that it may be worth|its positions come to/)
  } finally {
    prototype.check = check
  }
})

test('an index above the highest of its underlying is found', () => {
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

test('a rebate that is more than what its fill brings in is found', () => {
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

test('a builder that earns without the operator’s word is found', (t) => {
  t.mock.method(Builders.prototype, 'isActive', () => true)
  assert.match(firstFailure(30), /0x\w+ has \d+ micros and is no builder/)
})

/** @param first of `Planted`. */
function firstFailure(first = 1): string {
  return firstFailing({ steps: stepsEnough, without: tradingAlone, first }).what
}
