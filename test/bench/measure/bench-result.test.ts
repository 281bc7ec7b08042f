import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  extraText,
  keepsThreshold,
  ratioOf,
  spread,
  thresholdText,
} from '../../../bench/measure/bench-result.js'

const row = { name: 'ring', extra: {} }

test('a spread is the median with the smallest and the largest value', () => {
  assert.deepEqual(spread([3, 1, 2]), { value: 2, range: { min: 1, max: 3 } })
})

test('a ratio is the median of the ratios of pairs, not the ratio of the medians', () => {
  const ratio = ratioOf(row, [10, 40, 9], [10, 80, 3])
  assert.equal(ratio.value, 1)
  assert.equal(ratio.unit, 'ratio')
})

test('a figure at its threshold passes, and one on the wrong side does not', () => {
  const least = ratioOf({ ...row, threshold: { atLeast: 0.5 } }, [1], [2])
  const most = ratioOf({ ...row, threshold: { atMost: 0.5 } }, [1], [2])
  assert.ok(keepsThreshold(least))
  assert.ok(keepsThreshold(most))
  assert.ok(!keepsThreshold({ ...least, value: 0.499 }))
  assert.ok(!keepsThreshold({ ...most, value: 0.501 }))
  assert.ok(keepsThreshold({ value: 0 }))
})

test('a threshold is printed with its direction', () => {
  assert.equal(thresholdText(ratioOf({ ...row, threshold: { atLeast: 20 } }, [1], [1])), '>= 20')
  assert.equal(thresholdText(ratioOf({ ...row, threshold: { atMost: 2 } }, [1], [1])), '<= 2')
  assert.equal(thresholdText(ratioOf(row, [1], [1])), '')
})

test('the method of a figure is printed in words, then its facts', () => {
  assert.equal(
    extraText({ loop: 'open', about: 'flushed', ratePerSecond: 5 }),
    'flushed, loop open, ratePerSecond 5',
  )
  assert.equal(extraText({}), '')
})
