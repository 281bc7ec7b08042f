import assert from 'node:assert/strict'
import { test } from 'node:test'
import { microsOfUsd } from '../../../engine/pricing/rounding.js'

test('dollars round half-even to micros', () => {
  assert.equal(microsOfUsd(3270.2605047094), 3_270_260_505)
  // k/128 dollars are exactly 7812.5·k micros.
  assert.equal(microsOfUsd(1 / 128), 7812)
  assert.equal(microsOfUsd(3 / 128), 23_438)
  assert.equal(microsOfUsd(5 / 128), 39_062)
  assert.equal(microsOfUsd(-1 / 128), -7812)
  assert.equal(microsOfUsd(-3 / 128), -23_438)
})

test('amounts above the shift of the fast rounding are rounded too', () => {
  for (let usd = 2 ** 51 / 1e6 - 1; usd < 2 ** 51 / 1e6 + 1; usd += 0.0137) {
    const micros = microsOfUsd(usd)
    assert.ok(Number.isInteger(micros) && Math.abs(micros - usd * 1e6) <= 0.5, `${usd}`)
  }
  const halves = [2 ** 51 + 0.5, 2 ** 51 + 1.5]
  for (const half of halves) {
    const usd = half / 1e6
    if (usd * 1e6 === half) assert.equal(microsOfUsd(usd) % 2, 0, `${half}`)
  }
})

test('no result is -0, and NaN stays missing', () => {
  assert.ok(Object.is(microsOfUsd(-1e-9), 0))
  assert.ok(Object.is(microsOfUsd(-0), 0))
  assert.ok(Number.isNaN(microsOfUsd(Number.NaN)))
})
