import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FinalStates } from '../../../../engine/state/orders/final-states.js'
import { finalOrdersKept } from '../../../../schemas/bounds.js'
import { OrderStatus } from '../../../../schemas/domain.js'

const accountMax = 2 ** 28 - 1

test('status and account of an ended order are at its place only', () => {
  const states = new FinalStates()
  const last = finalOrdersKept - 1
  states.set(0, OrderStatus.Filled, 3)
  states.set(last, OrderStatus.Canceled, accountMax)
  states.set(70_000, OrderStatus.Rejected, 0)
  assert.equal(states.statusAt(0), OrderStatus.Filled)
  assert.equal(states.accountAt(0), 3)
  assert.equal(states.statusAt(last), OrderStatus.Canceled)
  assert.equal(states.accountAt(last), accountMax)
  assert.equal(states.statusAt(70_000), OrderStatus.Rejected)
  assert.equal(states.accountAt(70_000), 0)
  for (const place of [1, 69_999, 70_001, 200_000, last - 1]) {
    assert.equal(states.statusAt(place), OrderStatus.None)
  }
})

test('runs cover all known states, without the empty places around them', () => {
  const states = new FinalStates()
  for (const place of [100, 101, 105, 65_536, 200_000]) {
    states.set(place, OrderStatus.Filled, place)
  }
  const runs = runsOf(states)
  assert.deepEqual(
    runs.map(({ place, words }) => [place, words.length]),
    [
      [100, 6],
      [65_536, 1],
      [200_000, 1],
    ],
  )
  const restored = new FinalStates()
  for (const { place, words } of runs) {
    for (const [i, word] of words.entries()) restored.restore(place + i, word)
  }
  assert.equal(restored.accountAt(105), 105)
  assert.equal(restored.statusAt(104), OrderStatus.None)
  assert.deepEqual(runsOf(restored), runs)
})

test('memory reserved at the start is empty', () => {
  const states = new FinalStates()
  states.set(5, OrderStatus.Canceled, 9)
  states.reserve()
  assert.deepEqual(
    runsOf(states).map(({ place, words }) => [place, ...words]),
    [[5, (9 << 4) | OrderStatus.Canceled]],
  )
})

function runsOf(states: FinalStates): { place: number; words: Int32Array }[] {
  const runs: { place: number; words: Int32Array }[] = []
  states.forEachRun((place, words) => runs.push({ place, words: words.slice() }))
  return runs
}
