import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlotIndex } from '../../../../engine/state/orders/slot-index.js'

test('a slot is found by its hash, slot 0 too, until it is removed', () => {
  const index = new SlotIndex()
  assert.equal(index.slotAt(index.begin(7)), -1)
  index.put(index.begin(7), 7, 0)
  assert.equal(index.slotAt(index.begin(7)), 0)
  index.remove(index.begin(7))
  assert.equal(index.slotAt(index.begin(7)), -1)
  assert.equal(index.count, 0)
})

test('orders with the same hash form a chain', () => {
  const index = new SlotIndex()
  index.put(index.begin(5), 5, 8)
  index.put(index.next(5, index.begin(5)), 5, 16)
  const first = index.begin(5)
  const second = index.next(5, first)
  assert.deepEqual([index.slotAt(first), index.slotAt(second)], [8, 16])
  assert.equal(index.slotAt(index.next(5, second)), -1)
  index.remove(first)
  assert.equal(index.slotAt(index.begin(5)), 16)
})

test('a slot written over another one of its hash replaces it', () => {
  const index = new SlotIndex()
  index.put(index.begin(5), 5, 8)
  index.put(index.begin(5), 5, 24)
  assert.equal(index.slotAt(index.begin(5)), 24)
  assert.equal(index.count, 1)
})

test('the index agrees with a map while it grows, with crowded and negative hashes', () => {
  const seed = 11
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const index = new SlotIndex()
  const plain = new Map<number, number>()
  for (let step = 0; step < 60_000; step++) {
    // Neighbours of few homes: runs are long, and wrap at the end of the table.
    const hash = ((random(64) - 32) * 4096 + random(256) - 128) | 0
    if (random(3) === 0 && plain.has(hash)) {
      index.remove(index.begin(hash))
      plain.delete(hash)
    } else {
      index.put(index.begin(hash), hash, step)
      plain.set(hash, step)
    }
    const asked = ((random(64) - 32) * 4096 + random(256) - 128) | 0
    assert.equal(
      index.slotAt(index.begin(asked)),
      plain.get(asked) ?? -1,
      `seed ${seed}, step ${step}`,
    )
  }
  assert.ok(plain.size > 4096, 'it has grown')
  assert.equal(index.count, plain.size)
  for (const [hash, slot] of plain) assert.equal(index.slotAt(index.begin(hash)), slot)
})
