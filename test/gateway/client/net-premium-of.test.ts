import assert from 'node:assert/strict'
import { test } from 'node:test'
import { netPremiumOf } from '../../../gateway/client/net-premium-of.js'

const instrument = 'BTC-20300628-100000-C'

function premiumOf(...legs: readonly [side: string, size: string, price: string][]): string {
  return netPremiumOf(legs.map(([side, size, price]) => ({ instrument, side, size, price })))
}

test('buys cost and sells pay, in any spelling of a side', () => {
  assert.equal(premiumOf(['buy', '1', '500'], ['sell', '1', '200']), '-300')
  assert.equal(premiumOf(['Sell', '2', '300']), '600')
  assert.equal(premiumOf(['Buy', '1', '200'], ['Sell', '1', '200']), '0')
})

test('a premium is exact, and truncated to micros once', () => {
  assert.equal(premiumOf(['buy', '0.3', '0.1'], ['buy', '0.3', '0.2']), '-0.09')
  assert.equal(premiumOf(['buy', '0.5', '0.000001'], ['buy', '0.5', '0.000002']), '-0.000001')
})

test('invalid or excessive prices and sizes fail', () => {
  for (const [size, price] of [
    ['0', '1'],
    ['1', '0'],
    ['1', 'x'],
    ['-1', '1'],
  ] as const) {
    assert.throws(() => premiumOf(['buy', size, price]), /is no size and price/)
  }
  assert.throws(
    () => premiumOf(['buy', '100000', '1000000000']),
    /above what the exchange can hold/,
  )
})
