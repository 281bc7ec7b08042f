import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phaseCounts, planPhases, planSends } from '../../../bench/load/send-plan.js'

test('constant gaps put every send on its grid, without the drift of a running sum', () => {
  const plan = planSends({ ratePerSecond: 3000, count: 90_001, gaps: 'constant' })
  assert.equal(plan[0], 0)
  assert.ok(Math.abs(plan[90_000] - 30_000) < 1e-6, `${plan[90_000]}`)
})

test('exponential gaps never fall, keep the rate, and have the spread of a Poisson flow', () => {
  const count = 100_000
  const plan = planSends({ ratePerSecond: 5000, count, seed: 7 })
  const gaps = Array.from({ length: count - 1 }, (_, i) => plan[i + 1] - plan[i])
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
  assert.ok(gaps.every((gap) => gap >= 0))
  assert.ok(Math.abs(mean - 0.2) < 0.004, `mean ${mean}`)
  assert.ok(Math.abs(Math.sqrt(variance) / mean - 1) < 0.03, `deviation ${Math.sqrt(variance)}`)
})

test('equal seeds give the same plan, and another seed gives another', () => {
  const options = { ratePerSecond: 100, count: 50, seed: 3 }
  assert.deepEqual(planSends(options), planSends(options))
  assert.notDeepEqual(planSends(options), planSends({ ...options, seed: 4 }))
})

test('a rate of 0 fails', () => {
  assert.throws(() => planSends({ ratePerSecond: 0, count: 1 }), /a rate above 0, not 0/)
  assert.throws(() => planSends({ ratePerSecond: Number.NaN, count: 1 }), /a rate above 0/)
})

test('phases follow each other at their own rates and do not overlap', () => {
  const phases = [
    { ratePerSecond: 100, seconds: 0 },
    { ratePerSecond: 200, seconds: 2 },
    { ratePerSecond: 2000, seconds: 0.5 },
    { ratePerSecond: 50, seconds: 1 },
  ]
  assert.deepEqual(phaseCounts(phases), [0, 400, 1000, 50])
  const plan = planPhases(phases, { seed: 2 })
  assert.equal(plan.length, 1450)
  assert.ok(plan.every((millis, i) => i === 0 || millis >= plan[i - 1]))
  assert.ok(plan[399] <= 2000 && plan[400] === 2000)
  assert.ok(plan[1399] <= 2500 && plan[1400] === 2500)
})
