import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentile } from '../../../../gateway/web/model/percentile.js'

test('a percentile is a measured value', () => {
  assert.equal(percentile([5, 1, 3], 0.5), 3)
  assert.equal(percentile([1, 2, 3, 4], 0.99), 4)
  assert.equal(percentile([7], 0), 7)
  assert.equal(percentile([], 0.5), null)
})
