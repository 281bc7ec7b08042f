import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RankedRows } from '../../../../gateway/read-model/standings/ranked-rows.js'

/** Rows by value, the highest first, of equal ones the lower row. */
function orderOf(values: number[]) {
  return (row: number, other: number): boolean =>
    values[row] !== values[other] ? values[row]! > values[other]! : row < other
}

function sorted(values: readonly number[], ranked: ReadonlySet<number>): number[] {
  return [...ranked].sort((a, b) => values[b]! - values[a]! || a - b)
}

test('rows that are added, removed and changed are in sorted order', () => {
  const step = fc.tuple(fc.nat(2000), fc.integer({ min: -20, max: 20 }))
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4000 }), fc.nat(3000), (steps, size) => {
      const values = Array.from({ length: 2001 }, (_, row) => (row * 7) % 13)
      const rows = new RankedRows(orderOf(values))
      const ranked = new Set(Array.from({ length: Math.min(size, 2001) }, (_, row) => row))
      rows.fill(Int32Array.from(ranked))
      for (const [row, value] of steps) {
        if (ranked.has(row)) rows.remove(row)
        if (value === 20) ranked.delete(row)
        else {
          values[row] = value
          ranked.add(row)
          rows.add(row)
        }
      }
      const expected = sorted(values, ranked)
      assert.equal(rows.count, expected.length)
      assert.deepEqual(rows.slice(0, expected.length + 1), expected)
      for (const [place, row] of expected.entries()) assert.equal(rows.placeOf(row), place)
    }),
    { numRuns: 30 },
  )
})

test('a page begins anywhere and ends with the rows', () => {
  const values = Array.from({ length: 5000 }, (_, row) => -row)
  const rows = new RankedRows(orderOf(values))
  for (let row = 4999; row >= 0; row--) rows.add(row)
  for (const from of [0, 1, 255, 256, 511, 512, 4998]) {
    const expected = Array.from({ length: Math.min(3, 5000 - from) }, (_, at) => from + at)
    assert.deepEqual(rows.slice(from, 3), expected)
  }
  assert.deepEqual(rows.slice(5000, 3), [])
})

test('the last row is removed, and another is added', () => {
  const rows = new RankedRows(orderOf([3, 2]))
  rows.add(1)
  rows.remove(1)
  assert.deepEqual([rows.count, rows.slice(0, 9)], [0, []])
  rows.add(0)
  rows.add(1)
  assert.deepEqual(rows.slice(0, 9), [0, 1])
})
