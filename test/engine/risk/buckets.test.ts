import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Buckets } from '../../../engine/risk/buckets.js'

const seed = 20261125

test('the list of an underlying holds exactly its buckets, whatever came and went', () => {
  const buckets = new Buckets(1)
  const rows = new Map<number, number>()
  let random = seed
  const below = (count: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
    return (random >>> 8) % count
  }
  for (let step = 0; step < 3000; step++) {
    if (rows.size > 0 && below(5) < 2) {
      const row = [...rows.keys()][below(rows.size)]!
      buckets.free(row)
      rows.delete(row)
    } else {
      const underlying = below(4)
      const row = buckets.add(step, underlying)
      rows.set(row, underlying)
    }
    if (step % 50 !== 0) continue
    for (let underlying = 0; underlying < 5; underlying++) {
      const wanted = [...rows].filter(([, of]) => of === underlying).map(([row]) => row)
      assert.deepEqual(listOf(buckets, underlying).sort(), wanted.sort(), `seed ${seed}, ${step}`)
    }
  }
})

function listOf(buckets: Buckets, underlying: number): number[] {
  const rows: number[] = []
  for (let row = buckets.firstInUnderlying[underlying]!; row >= 0; ) {
    rows.push(row)
    row = buckets.nextInUnderlying[row]!
  }
  return rows
}
