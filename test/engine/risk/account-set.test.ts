import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountSet } from '../../../engine/risk/account-set.js'

test('the set returns accounts by rising index, each once, whatever the order of adding', () => {
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

test('an account added below the last one taken waits for the next round', () => {
  const set = new AccountSet()
  for (const account of [500, 900]) set.add(account)
  assert.equal(set.take(), 500)
  set.add(2)
  assert.deepEqual([set.has(2), set.has(500), set.has(99_999)], [true, false, false])
  assert.deepEqual([set.take(), set.take()], [900, 2])
})

test('an empty set starts over with the lowest account', () => {
  const set = new AccountSet()
  set.add(500)
  assert.equal(set.take(), 500)
  assert.equal(set.turn, 0)
  for (const account of [40, 30]) set.add(account)
  set.remove(30)
  set.remove(31)
  for (const account of [20, 35]) set.add(account)
  assert.deepEqual([set.next(), set.take(), set.take()], [20, 20, 35])
  set.remove(40)
  assert.deepEqual([set.count, set.turn], [0, 0])
})

test('an account that comes back at once delays nobody', () => {
  const set = new AccountSet()
  for (const account of [0, 1, 31, 32, 64]) set.add(account)
  const taken = Array.from({ length: 9 }, () => {
    const account = set.take()
    if (account === 0) set.add(0)
    return account
  })
  assert.deepEqual(taken, [0, 1, 31, 32, 64, 0, 0, 0, 0])
})

test('the set takes accounts far apart like neighbours, and grows with accounts in it', () => {
  const set = new AccountSet()
  const accounts = [7, 40, 1023, 1024, 33_000, 1_048_575, 1_048_576, 40_000_000]
  for (const account of accounts) set.add(account)
  assert.ok(accounts.every((account) => set.has(account)))
  const taken = accounts.map(() => set.take())
  assert.deepEqual(taken, accounts)
  set.add(1_048_577)
  assert.equal(set.take(), 1_048_577)
})

test('a union adds small sets to large ones and large ones to small', () => {
  const accounts = [0, 5, 31, 32, 1023, 1024, 40_000, 2_000_000]
  for (const cut of accounts.keys()) {
    const [low, high] = [new AccountSet(), new AccountSet()]
    for (const account of accounts.slice(0, cut + 1)) low.add(account)
    for (const account of accounts.slice(cut)) high.add(account)
    for (const [one, other] of [
      [low, high],
      [high, low],
    ] as const) {
      const union = new AccountSet()
      for (const set of [one, other]) union.addAll(set)
      assert.equal(union.count, accounts.length)
      const taken = accounts.map(() => union.take())
      assert.deepEqual(taken, accounts)
    }
  }
})

test('random adds, unions, removals and takes agree with a sorted list', () => {
  const set = new AccountSet()
  const others = [new AccountSet(), new AccountSet()]
  const known = new Set<number>()
  let turn = 0
  let random = 20261122
  const below = (limit: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
    return (random >>> 8) % limit
  }
  others[0]!.add(2000)
  for (let step = 0; step < 20_000; step++) {
    const what = below(20)
    // Neighbours first, then far apart.
    const spread = step < 10_000 ? 1 : 1013
    const account = below(300) * spread
    if (what < 8 && known.size > 0) {
      const sorted = [...known].sort((a, b) => a - b)
      const wanted = sorted.find((candidate) => candidate >= turn) ?? sorted[0]
      assert.equal(set.next(), wanted, `step ${step}`)
      assert.equal(set.take(), wanted, `step ${step}`)
      known.delete(wanted!)
      turn = wanted! + 1
    } else if (what < 10) {
      set.remove(account)
      known.delete(account)
    } else if (what < 11) {
      const other = others[below(2)]!
      set.addAll(other)
      other.forEach((each) => {
        known.add(each)
      })
      other.clear()
      for (let i = 0; i < 5; i++) other.add(below(300) * spread)
    } else if (what < 16) {
      set.add(account)
      known.add(account)
    }
    if (known.size === 0) turn = 0
    assert.deepEqual([set.count, set.turn], [known.size, turn], `step ${step}`)
  }
  set.clear()
  assert.deepEqual([set.count, set.turn], [0, 0])
})
