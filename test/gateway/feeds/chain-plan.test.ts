import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  missingExpiries,
  niceStep,
  plannedOptions,
  plannedStrikes,
} from '../../../gateway/feeds/chain-plan.js'

const dayMillis = 86_400_000
const millisOfDay = 8 * 3_600_000
const noon = Date.UTC(2026, 10, 21, 12)

test('an empty chain lacks two days, a week, a month and a quarter', () => {
  const missing = missingExpiries([], noon, millisOfDay)
  assert.deepEqual(
    missing.map(({ date }) => date),
    [20_261_123, 20_261_128, 20_261_221, 20_270_220],
  )
  assert.equal(missing[0]!.expiryMillis, Date.UTC(2026, 10, 23, 8))
})

test('a complete chain lacks nothing until one has expired', () => {
  const listed = missingExpiries([], noon, millisOfDay).map((expiry) => ({
    ...expiry,
    listedMillis: noon,
  }))
  assert.deepEqual(missingExpiries(listed, noon, millisOfDay), [])
  const threeDaysOn = noon + 3 * dayMillis
  assert.deepEqual(
    missingExpiries(listed, threeDaysOn, millisOfDay).map(({ date }) => date),
    [20_261_126],
  )
})

test('a new expiry never falls on the date of another', () => {
  const listed = missingExpiries([], noon, millisOfDay).map((expiry) => ({
    ...expiry,
    listedMillis: noon,
  }))
  // On the 26th two days ahead is the 28th, which the week has already.
  const missing = missingExpiries(listed, Date.UTC(2026, 10, 26, 12), millisOfDay)
  assert.deepEqual(
    missing.map(({ date }) => date),
    [20_261_129],
  )
})

test('thirteen rising strikes are on round numbers, the middle one at the index', () => {
  for (const [index, iv] of [
    [100_000, 0.55],
    [3500, 0.7],
    [6000, 0.16],
    [150, 0.45],
    [0.5, 2],
  ] as const) {
    for (const days of [2, 7, 30, 91]) {
      const strikes = plannedStrikes(index * 1e6, iv, days * dayMillis)
      const steps = strikes.slice(1).map((strike, i) => strike - strikes[i]!)
      assert.equal(strikes.length, 13)
      assert.ok(strikes[0]! > 0, `${index} ${days}: a strike at or below zero`)
      assert.ok(steps.every((step) => Math.abs(step - steps[0]!) <= 1))
      assert.ok(Math.abs(strikes[6]! - index * 1e6) <= steps[0]!, `${index} ${days}: off centre`)
      assert.ok(strikes.every(Number.isSafeInteger))
    }
  }
})

test('an expiry has a call and a put at each strike', () => {
  const expiry = { date: 20_261_123, expiryMillis: noon + 2 * dayMillis }
  const options = plannedOptions('BTC', expiry, 1e11, 0.55, noon)
  assert.equal(options.length, 26)
  assert.equal(new Set(options.map((option) => `${option.strikeMicros} ${option.right}`)).size, 26)
})

test('steps are 1, 2, 2.5 or 5 times a power of ten, at most the wanted size', () => {
  assert.deepEqual([1425, 2499, 2500, 9.99, 1, 0.07].map(niceStep), [1000, 2000, 2500, 5, 1, 0.05])
})
