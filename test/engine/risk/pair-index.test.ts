import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PairIndex } from '../../../engine/risk/pair-index.js'
import { uniformsOf } from '../pricing/random.js'

for (const seed of [1, 2, 3]) {
  test(`the index finds what a map finds, through growth and removals, seed ${seed}`, () => {
    const uniform = uniformsOf(seed)
    const index = new PairIndex()
    const rows = 3_000
    const keysA = new Int32Array(rows)
    const keysB = new Int32Array(rows)
    const twin = new Map<string, number>()
    const free = Array.from({ length: rows }, (_, row) => row)
    for (let step = 0; step < 20_000; step++) {
      const a = Math.floor(uniform() * 40)
      const b = Math.floor(uniform() * 60)
      const key = `${a} ${b}`
      const known = twin.get(key)
      assert.equal(index.find(a, b, keysA, keysB), known ?? -1, `seed ${seed}, step ${step}`)
      if (known === undefined) {
        const row = free.pop() ?? 0
        keysA[row] = a
        keysB[row] = b
        index.add(row, keysA, keysB)
        twin.set(key, row)
      } else if (uniform() < 0.7) {
        index.remove(known, keysA, keysB)
        twin.delete(key)
        free.push(known)
      }
    }
    for (const [key, row] of twin) {
      const [a, b] = key.split(' ').map(Number)
      assert.equal(index.find(a, b, keysA, keysB), row, `seed ${seed}`)
    }
  })
}

test('the engine asserts on removing a missing row instead of searching forever', () => {
  const keys = new Int32Array(4)
  assert.throws(() => new PairIndex().remove(0, keys, keys), /the removed row exists/)
})
