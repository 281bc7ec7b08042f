import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnBudget, type TurnShare } from '../../../gateway/limits/turn-budget.js'

const newShare = (): TurnShare => ({ turn: 0, taken: 0 })
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** A budget of 20 ms and at least 4 orders, with its own clock: every reading costs `lookMillis`. */
function budgetOf(lookMillis: number, ordersBurst = 4) {
  const clock = { millis: 0 }
  const nowMillis = () => {
    clock.millis += lookMillis
    return clock.millis
  }
  const options = { turnMillisMax: 20, ordersMin: 4, ordersBurst, nowMillis }
  return { clock, budget: new TurnBudget(options) }
}

test('a short turn accepts every order', () => {
  const { budget } = budgetOf(0)
  const share = newShare()
  for (let i = 0; i < 10_000; i++) assert.ok(budget.take(share))
  assert.equal(budget.refused, 0)
})

test('a turn beyond its time fails orders, and the next turn accepts again', async () => {
  const { budget } = budgetOf(1)
  const share = newShare()
  const taken = () => Array.from({ length: 50 }, () => budget.take(share)).filter(Boolean).length
  assert.equal(taken(), 20)
  assert.equal(budget.refused, 30)
  await nextTurn()
  assert.ok(budget.take(share))
})

test('a burst after a calm turn is accepted at any length, and makes the next turn strict', async () => {
  const { budget } = budgetOf(1, 40)
  const share = newShare()
  const takenOf = (asked: number) =>
    Array.from({ length: asked }, () => budget.take(share)).filter(Boolean).length
  assert.equal(takenOf(40), 40)
  await nextTurn()
  assert.equal(takenOf(40), 20, 'the turn after a long one ends in time')
  await nextTurn()
  assert.equal(takenOf(3), 3)
  await nextTurn()
  assert.equal(takenOf(60), 40, 'a calm turn allows a burst again')
})

test('a thread that lost its core still accepts its minimum number', () => {
  const { budget, clock } = budgetOf(0)
  const share = newShare()
  assert.ok(budget.take(share))
  clock.millis += 500
  assert.deepEqual(
    [1, 2, 3, 4].map(() => budget.take(share)),
    [true, true, true, false],
  )
})

test('a bulk counts as its items', () => {
  const { budget, clock } = budgetOf(0)
  assert.ok(budget.take(newShare()))
  clock.millis += 500
  budget.takeMore(2)
  assert.ok(budget.take(newShare()), 'the fourth order of the least number')
  budget.takeMore(49)
  assert.ok(!budget.take(newShare()))
})

test('after a turn that was too long every connection gets an equal part of the next', async () => {
  const { budget } = budgetOf(1)
  const shares = [newShare(), newShare(), newShare(), newShare()]
  /** Every connection asks for twelve, one after the other, as sockets are read. */
  const turn = async () => {
    const taken = shares.map(
      (share) => Array.from({ length: 12 }, () => budget.take(share)).filter(Boolean).length,
    )
    await nextTurn()
    return taken
  }
  assert.deepEqual(await turn(), [12, 8, 0, 0], 'the first turn is whose who come first')
  // Failed and accepted orders cost this clock the same, so the turn ends early again.
  assert.deepEqual((await turn()).slice(0, 2), [5, 5])
})

test('a turn that fails orders by quota alone makes the next one wider; one without failures lifts the quota', async () => {
  const { budget, clock } = budgetOf(0)
  const share = newShare()
  for (let i = 0; i < 4; i++) budget.take(share)
  clock.millis += 30
  assert.ok(!budget.take(share))
  await nextTurn()
  const takenOf = (asked: number) =>
    Array.from({ length: asked }, () => budget.take(share)).filter(Boolean).length
  assert.equal(takenOf(20), 4)
  await nextTurn()
  assert.equal(takenOf(20), 5)
  await nextTurn()
  assert.equal(takenOf(3), 3)
  await nextTurn()
  assert.equal(takenOf(1000), 1000)
})
