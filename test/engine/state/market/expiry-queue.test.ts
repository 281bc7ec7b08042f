import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExpiryQueue } from '../../../../engine/state/market/expiry-queue.js'

test('the next expiry comes first, and ties in order of listing', () => {
  const queue = new ExpiryQueue()
  assert.equal(queue.nextMillis, Number.POSITIVE_INFINITY)
  queue.add(500, 1)
  queue.add(100, 2)
  queue.add(500, 3)
  queue.add(100, 4)
  assert.equal(queue.nextMillis, 100)
  assert.deepEqual([queue.take(), queue.take(), queue.take(), queue.take()], [2, 4, 1, 3])
  assert.equal(queue.nextMillis, Number.POSITIVE_INFINITY)
})

test('a delisted instrument no longer waits, and one that never waited changes nothing', () => {
  const queue = new ExpiryQueue()
  queue.add(100, 1)
  queue.add(200, 2)
  queue.remove(7)
  queue.remove(1)
  assert.equal(queue.nextMillis, 200)
  assert.equal(queue.take(), 2)
})
