import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addDecimals,
  compareDecimals,
  decimalFaultOf,
  exactProduct,
  isZeroDecimal,
  scaledDown,
  scaledUp,
} from '../../../gateway/wire/exact-decimal.js'

/** Digits with leading and trailing zeros, with or without a point. */
const decimals = fc
  .tuple(fc.stringMatching(/^0{0,3}\d{1,24}$/), fc.option(fc.stringMatching(/^\d{1,24}0{0,3}$/)))
  .map(([whole, fraction]) => (fraction === null ? whole : `${whole}.${fraction}`))
const places = 30

/** Returns the decimal as a whole number of units of 1e-30. */
function scaled(text: string): bigint {
  const [whole, fraction = ''] = text.split('.') as [string, string?]
  return BigInt(whole + fraction.padEnd(places, '0'))
}

test('texts are compared and added as exactly as whole numbers', () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      const difference = scaled(one) - scaled(other)
      const order = difference < 0n ? -1 : difference > 0n ? 1 : 0
      assert.equal(Math.sign(compareDecimals(one, other)), order)
      assert.equal(scaled(addDecimals(one, other)), scaled(one) + scaled(other))
    }),
  )
})

test('a difference in the hundredth decimal counts, and zeros do not', () => {
  const zeros = '0'.repeat(99)
  assert.ok(compareDecimals(`1.${zeros}2`, `1.${zeros}1`) > 0)
  assert.equal(compareDecimals('007.50', '7.5'), 0)
  assert.equal(compareDecimals('0', '0.000'), 0)
  assert.ok(compareDecimals('9', '10') < 0)
  assert.equal(addDecimals('9.95', '0.05'), '10.00')
  assert.equal(addDecimals('2', '3'), '5')
})

test('text that is not a decimal from 0 on is reported as such', () => {
  for (const text of ['0', '00.10', '1', '123456789012345678901234567890.000001']) {
    assert.equal(decimalFaultOf(text), null, text)
  }
  assert.equal(decimalFaultOf('-1.5'), 'must not be negative')
  for (const text of ['', '.', '1.', '.5', '1e3', '+1', '1,5', ' 1', '--1', 'NaN']) {
    assert.equal(decimalFaultOf(text), 'must be a decimal number, such as 12.5', text)
  }
})

test('zero has many spellings', () => {
  for (const text of ['0', '000', '0.0000']) assert.equal(isZeroDecimal(text), true, text)
  assert.equal(isZeroDecimal('0.00001'), false)
})

test('units of a decimal place are rounded down and up, exactly as far as numbers are', () => {
  fc.assert(
    fc.property(decimals, (text) => {
      const unit = 10n ** BigInt(places - 6)
      const down = scaled(text) / unit
      const up = down + (scaled(text) % unit === 0n ? 0n : 1n)
      const units = [scaledDown(text, 6), scaledUp(text, 6)]
      if (up <= Number.MAX_SAFE_INTEGER) assert.deepEqual(units, [Number(down), Number(up)])
      else assert.ok(units[1]! > Number.MAX_SAFE_INTEGER)
    }),
  )
  assert.deepEqual([scaledDown('0.0000009', 6), scaledUp('0.0000009', 6)], [0, 1])
  assert.deepEqual(
    [scaledDown('12.5000000', 6), scaledUp('12.5000000', 6)],
    [12_500_000, 12_500_000],
  )
  assert.equal(scaledDown('9007199254.740993', 6), 2 ** 53)
})

test('a product of price and size is not rounded', () => {
  assert.equal(exactProduct(3_310_000_000, 500_000_000), '16550')
  assert.equal(exactProduct(1, 1), '0.00000000000001')
  assert.equal(exactProduct(2 ** 52, 2 ** 52 + 1), '202824096036516749.27546878656512')
})
