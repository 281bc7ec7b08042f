import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusalAllowance } from '../../../gateway/operator/refusal-allowance.js'

test('strangers write a hundred lines, then one a minute with the number of omitted ones', () => {
  let now = 0
  const allowance = new RefusalAllowance(() => now)
  const taken = Array.from({ length: 150 }, () => allowance.take(null))
  assert.equal(taken.filter((leftOut) => leftOut === 0).length, 100)
  assert.deepEqual(new Set(taken.slice(100)), new Set([null]))
  now = 59_999
  assert.equal(allowance.take(null), null)
  now = 60_000
  assert.equal(allowance.take(null), 51)
  assert.equal(allowance.take(null), null)
})

test('a day without attempts earns no more than a hundred lines at once, and each identity has its own', () => {
  let now = 0
  const allowance = new RefusalAllowance(() => now)
  for (let i = 0; i < 200; i++) allowance.take('alice')
  assert.equal(allowance.take('bob'), 0)
  assert.equal(allowance.take(null), 0)
  now = 86_400_000
  const taken = Array.from({ length: 300 }, () => allowance.take('alice'))
  assert.equal(taken.filter((leftOut) => leftOut !== null).length, 100)
})
