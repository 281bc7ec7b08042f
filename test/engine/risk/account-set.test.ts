import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountSet } from '../../../engine/risk/account-set.js'

test('accounts come back by rising index, each once, whatever the order they came in', () => {
  const set = new AccountSet()
  for (const account of [70, 3, 31, 32, 3, 1000, 0, 63, 64]) set.add(account)
  assert.equal(set.count, 8)
  const visited: number[] = []
  set.forEach((account) => {
    visited.push(account)
  })
  const taken = Array.from({ length: 8 }, () => set.take())
  assert.deepEqual(taken, [0, 3, 31, 32, 63, 64, 70, 1000])
  assert.deepEqual(visited, taken)
  assert.equal(set.count, 0)
})

test('one that is added below what was taken comes next', () => {
  const set = new AccountSet()
  for (const account of [500, 900]) set.add(account)
  assert.equal(set.take(), 500)
  set.add(2)
  assert.deepEqual([set.has(2), set.has(500), set.has(99_999)], [true, false, false])
  assert.deepEqual([set.take(), set.take()], [2, 900])
})

test('it takes accounts far apart as it takes neighbours, and grows with accounts in it', () => {
  const set = new AccountSet()
  const accounts = [7, 40, 1023, 1024, 33_000, 1_048_575, 1_048_576, 40_000_000]
  for (const account of accounts) set.add(account)
  assert.ok(accounts.every((account) => set.has(account)))
  const taken = accounts.map(() => set.take())
  assert.deepEqual(taken, accounts)
  set.add(1_048_577)
  assert.equal(set.take(), 1_048_577)
})

test('random adds and takes agree with a sorted list', () => {
  const set = new AccountSet()
  const list = new Set<number>()
  let random = 20261122
  for (let step = 0; step < 20_000; step++) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
    // Neighbours first, then far apart.
    const account = ((random >>> 8) % 300) * (step < 10_000 ? 1 : 1013)
    if (random >>> 30 === 0 && list.size > 0) {
      const lowest = Math.min(...list)
      list.delete(lowest)
      assert.equal(set.take(), lowest, `step ${step}`)
    } else {
      list.add(account)
      set.add(account)
    }
    assert.equal(set.count, list.size)
  }
  set.clear()
  assert.equal(set.count, 0)
})
