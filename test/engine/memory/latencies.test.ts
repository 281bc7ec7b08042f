import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateLatencies,
  Latencies,
  latencyBounds,
  sumLatencies,
} from '../../../engine/memory/latencies.js'
import { latencyKinds } from '../../../schemas/domain.js'

test('each time counts in the first bucket that it fits, and sums cover all threads', () => {
  const memory = allocateLatencies(3)
  const [first, last] = [new Latencies(memory, 0), new Latencies(memory, 2)]
  const flush = latencyKinds.indexOf('flush')
  const place = latencyKinds.indexOf('place')
  for (const millis of [0, 0.1, 0.11, 7]) first.count(place, millis)
  last.count(place, 5000.5)
  last.count(flush, 333)
  const { upTo, sumMillis } = sumLatencies(memory, place)
  assert.equal(upTo.length, latencyBounds.length + 1)
  assert.deepEqual(
    [upTo[0], upTo[1], upTo[latencyBounds.indexOf(5)], upTo[latencyBounds.indexOf(10)]],
    [2, 3, 3, 4],
  )
  assert.deepEqual(upTo.slice(-2), [4, 5])
  assert.ok(Math.abs(sumMillis - 5007.71) < 1e-6)
  assert.deepEqual(sumLatencies(memory, flush).upTo.slice(-6), [0, 1, 1, 1, 1, 1])
})

test('a thread without a row asserts', () => {
  assert.throws(() => new Latencies(allocateLatencies(2), 2))
})
