import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatNumber } from '../../schemas/number-text.js'

test('numbers are written without an exponent', () => {
  assert.equal(formatNumber(1e-8), '0.00000001')
  assert.equal(formatNumber(-1.25e-7), '-0.000000125')
  assert.equal(formatNumber(0.000001), '0.000001')
  assert.equal(formatNumber(1e21), '1000000000000000000000')
  assert.equal(formatNumber(1.5e22), '15000000000000000000000')
  assert.equal(formatNumber(-0), '0')
  assert.equal(formatNumber(Number.NaN), 'null')
})

test('every double keeps its value', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = formatNumber(value)
      assert.ok(!text.includes('e'), text)
      assert.equal(Number(text), value === 0 ? 0 : value)
    }),
  )
})
