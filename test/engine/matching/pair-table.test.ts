import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../bench/book-replay/book-flow.js'
import { addPair, findPair, PairTable, removePair } from '../../../engine/matching/pair-table.js'

test('a pair is found while it exists, however many others there are', () => {
  const table = new PairTable()
  const random = randomFrom(7)
  const slots = new Map<string, number>()
  for (let step = 0; step < 20_000; step++) {
    const [one, other] = [Math.floor(random() * 60), Math.floor(random() * 60)]
    const key = `${one}/${other}`
    const slot = slots.get(key)
    assert.equal(findPair(table, one, other), slot ?? 0, key)
    if (slot === undefined) {
      slots.set(key, addPair(table, one, other))
    } else if (random() < 0.6) {
      removePair(table, slot)
      slots.delete(key)
    }
  }
  assert.equal(table.count, slots.size)
  assert.ok(table.buckets.length >= slots.size, 'chains stay short')
  for (const slot of slots.values()) removePair(table, slot)
  assert.ok(table.buckets.every((slot) => slot === 0))
})

test('the order of a pair counts', () => {
  const table = new PairTable()
  const slot = addPair(table, 3, 5)
  assert.equal(findPair(table, 5, 3), 0)
  assert.notEqual(addPair(table, 5, 3), slot)
  assert.equal(findPair(table, 3, 5), slot)
})
