import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeadlineHeap, type Due } from '../../../engine/memory/deadline-heap.js'
import { uniformsOf } from '../pricing/random.js'

test("the heap's first row has the earliest deadline, and among equal ones the lowest key, after any history", () => {
  const uniform = uniformsOf(5)
  const heap = new DeadlineHeap<Due>()
  const rows: Due[] = []
  for (let step = 0; step < 3000; step++) {
    const dice = uniform()
    const millis = Math.floor(uniform() * 20)
    if (dice < 0.5 || rows.length === 0) {
      const row = { key: `k${Math.floor(uniform() * 1e9)}`, deadlineMillis: millis, place: 0 }
      rows.push(row)
      heap.add(row)
    } else if (dice < 0.8) {
      heap.setDeadline(rows[Math.floor(uniform() * rows.length)]!, millis)
    } else {
      const [row] = rows.splice(Math.floor(uniform() * rows.length), 1)
      heap.remove(row!)
    }
    const [first] = rows.toSorted(
      (a, b) => a.deadlineMillis - b.deadlineMillis || (a.key < b.key ? -1 : 1),
    )
    assert.equal(heap.nextMillis, first?.deadlineMillis ?? Number.POSITIVE_INFINITY)
    if (first !== undefined) assert.equal(heap.first, first)
  }
})
