import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairTurns } from '../../../gateway/limits/fair-turns.js'

const always = () => true
const of = (address: string, account = '') => ({ address, account })
const next = (
  turns: FairTurns<string>,
  count: number,
  canGoOn: (item: string) => boolean = always,
) => Array.from({ length: count }, () => turns.next(canGoOn)).join(' ')

test('an address with many items gets every other turn while another address has one', () => {
  const turns = new FairTurns<string>()
  for (const name of ['a1', 'a2', 'a3']) turns.add(name, of('a'))
  turns.add('b', of('b'))
  assert.equal(next(turns, 8), 'a1 b a2 b a3 b a1 b')
})

test('an authenticated account gets as many turns as all strangers of its address', () => {
  const turns = new FairTurns<string>()
  for (const name of ['a1', 'a2']) turns.add(name, of('a'))
  turns.add('w', of('a', 'wallet'))
  turns.add('b', of('b'))
  assert.equal(next(turns, 8), 'a1 b w b a2 b w b')
})

test('an entry that cannot run gives its turn to its group, and keeps its place', () => {
  const turns = new FairTurns<string>()
  for (const name of ['a1', 'a2']) turns.add(name, of('a'))
  turns.add('b', of('b'))
  assert.equal(
    next(turns, 2, (item) => item !== 'a1'),
    'a2 b',
  )
  assert.equal(next(turns, 2), 'a1 b')
  assert.equal(
    turns.next((item) => item === 'c'),
    null,
  )
  assert.equal(
    turns.some((item) => item === 'b'),
    true,
  )
  assert.equal(
    turns.some((item) => item === 'c'),
    false,
  )
})

test('a removed entry has no turn, and leaves nothing of its owner', () => {
  const turns = new FairTurns<string>()
  turns.add('a', of('a'))
  turns.add('b', of('b'))
  turns.delete('a')
  turns.delete('a')
  assert.deepEqual([turns.size, turns.payerOf('a'), next(turns, 2)], [1, undefined, 'b b'])
  turns.delete('b')
  assert.deepEqual([turns.size, turns.next(always)], [0, null])
})

test('shares are equal by address, and within an address by its items', () => {
  const turns = new FairTurns<string>()
  assert.equal(turns.partsFor(of('a')), 1)
  for (const name of ['a1', 'a2', 'a3']) turns.add(name, of('a'))
  assert.deepEqual([turns.partsFor(of('a')), turns.partsFor(of('b'))], [3, 2])
  turns.add('w', of('a', 'wallet'))
  assert.deepEqual([turns.partsFor(of('a')), turns.partsFor(of('a', 'wallet'))], [6, 2])
})
