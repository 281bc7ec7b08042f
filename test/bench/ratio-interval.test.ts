import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meanInterval, ratioInterval, studentQuantile } from '../../bench/ratio-interval.js'

test('Student quantiles agree with the published tables', () => {
  // Two-sided; from the tables of the NIST handbook, 1.3.6.7.2.
  const rows = [
    [0.95, 1, 12.706],
    [0.95, 2, 4.303],
    [0.95, 5, 2.571],
    [0.99, 4, 4.604],
    [0.998, 19, 3.579],
    [0.95, 100, 1.984],
  ] as const
  for (const [probability, freedom, quantile] of rows) {
    assert.equal(studentQuantile(probability, freedom).toFixed(3), quantile.toFixed(3))
  }
})

test('the interval is centred on the geometric mean, and a smaller error widens it', () => {
  const ratios = [0.5, 2, 1, 0.8, 1.25]
  const { ratio, min, max } = ratioInterval(ratios, 0.05)
  assert.equal(ratio.toFixed(6), '1.000000')
  assert.equal((min * max).toFixed(6), '1.000000')
  // 2.776 standard errors: of logarithms -0.693, 0.693, 0, -0.223 and 0.223.
  assert.equal(max.toFixed(3), '1.895')
  assert.ok(ratioInterval(ratios, 0.01).max > max)
})

test('the interval of a mean has the given number of standard errors on each side', () => {
  const { mean, min, max } = meanInterval([1, 2, 3, 4, 5], 0.05)
  // 2.776 standard errors of 0.7071.
  assert.deepEqual([mean, min.toFixed(3), max.toFixed(3)], [3, '1.037', '4.963'])
})

test('equal pairs have an interval without width', () => {
  assert.deepEqual(ratioInterval([2, 2, 2], 0.05), { ratio: 2, min: 2, max: 2 })
})

test('a single pair, or a pair without a ratio, leaves the interval without bounds', () => {
  for (const ratios of [[1.5], [1, 2, Number.NaN], [1, 0], [1, Number.POSITIVE_INFINITY]]) {
    const { min, max } = ratioInterval(ratios, 0.05)
    assert.deepEqual([min, max], [0, Number.POSITIVE_INFINITY])
  }
})
