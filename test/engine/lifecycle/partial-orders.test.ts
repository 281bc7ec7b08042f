import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payableLots } from '../../../engine/lifecycle/partial-orders.js'
import { saturatedCount } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'

test('an account closes all that its equity pays for, to the lot', () => {
  const contract = lotsPerContract
  assert.equal(payableLots(contract, 0, 0), contract, 'closing costs nothing')
  assert.equal(payableLots(contract, 300, 300), contract)
  assert.equal(payableLots(contract, 300, 299), Math.floor((contract * 299) / 300))
  assert.equal(payableLots(contract, 300, -5), 0)
})

test('a large equity over a small cost stays within exact amounts', () => {
  const before = saturatedCount
  assert.equal(payableLots(7, 1, 2 ** 52 - 1), 7)
  assert.equal(payableLots(lotsPerContract, 3, 2 ** 51), lotsPerContract)
  assert.equal(saturatedCount, before)
})
