import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatheredSums } from '../../../../gateway/read-model/history/gathered-sums.js'

const fiveMinutes = 300_000
const row = { about: 4, lots: 3, costMicros: -7, realizedMicros: 2, events: 1 }

function spansOf({ spans }: GatheredSums) {
  return [...spans].map(([start, wallets]) => [
    start,
    [...wallets].map(([wallet, sums]) => [wallet, Object.fromEntries(sums)]),
  ])
}

const sumsOf = ({ about: _, ...sums }: typeof row) => sums

test('the last millisecond of five minutes belongs to them, the next one to the following five', () => {
  const gathered = new GatheredSums()
  const start = 12 * fiveMinutes
  gathered.add(start, 'a', row)
  gathered.add(start + fiveMinutes - 1, 'a', row)
  gathered.add(start + fiveMinutes, 'a', row)
  const twice = { lots: 6, costMicros: -14, realizedMicros: 4, events: 2 }
  assert.deepEqual(spansOf(gathered), [
    [start, [['a', { 4: twice }]]],
    [start + fiveMinutes, [['a', { 4: sumsOf(row) }]]],
  ])
})

test('wallets and instruments of the same five minutes have separate sums', () => {
  const gathered = new GatheredSums()
  const other = { ...row, about: -1, lots: 0 }
  gathered.add(5, 'a', row)
  gathered.add(6, 'b', row)
  gathered.add(7, 'a', other)
  assert.deepEqual(spansOf(gathered), [
    [
      0,
      [
        ['a', { [-1]: sumsOf(other), 4: sumsOf(row) }],
        ['b', { 4: sumsOf(row) }],
      ],
    ],
  ])
})

test('entries are added to the sum of their wallet and start', () => {
  const gathered = new GatheredSums()
  const sums = gathered.sumsOf(fiveMinutes, 'a')
  gathered.add(fiveMinutes + 1, 'a', row)
  assert.equal(gathered.sumsOf(fiveMinutes, 'a'), sums)
  assert.deepEqual(sums.get(4), sumsOf(row))
})
