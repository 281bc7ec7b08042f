import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Side } from '../../schemas/domain.js'
import { isPremiumOf, netPremiumMicros } from '../../schemas/net-premium.js'
import { legOf, lotsOf, microsOf, rfqVectors } from '../engine/rfq/rfq-vectors.js'

const buy = (size: string, price: string) => ({
  side: Side.Buy,
  sizeLots: lotsOf(size),
  priceMicros: microsOf(price),
})
const sell = (size: string, price: string) => ({ ...buy(size, price), side: Side.Sell })

for (const { id, legs, net_premium } of rfqVectors.net_premium) {
  test(`vector ${id}: a net premium of ${net_premium}`, () => {
    assert.equal(netPremiumMicros(legs.map(legOf)), microsOf(net_premium))
  })
}

for (const { id, legs, net_premium, stored_net_premium, consistent } of rfqVectors.firm_quote) {
  test(`vector ${id}: a quote at ${net_premium} is ${consistent ? 'taken' : 'refused'}`, () => {
    assert.equal(microsOf(net_premium), microsOf(stored_net_premium))
    assert.equal(isPremiumOf(legs.map(legOf), microsOf(net_premium)), consistent)
  })
}

test('a net premium is exact where products of doubles are not', () => {
  const legs = [buy('99999.99999999', '999999999.999999'), sell('100000', '999999999.999999')]
  assert.equal(netPremiumMicros(legs), 9_999_999)
})

test('a net premium beyond exact amounts is NaN', () => {
  assert.ok(Number.isNaN(netPremiumMicros([sell('100000', '1000000000')])))
  assert.equal(isPremiumOf([sell('100000', '1000000000')], Number.MAX_SAFE_INTEGER), false)
})

test('a leg of less than a contract may differ by a micro, and a larger leg by one micro per contract', () => {
  assert.equal(isPremiumOf([sell('0.1', '5')], 500_001), true)
  assert.equal(isPremiumOf([sell('0.1', '5')], 500_002), false)
  assert.equal(isPremiumOf([sell('2.5', '4')], 10_000_002), true)
  assert.equal(isPremiumOf([sell('2.5', '4')], 10_000_003), false)
})

test('every honest truncation is accepted', () => {
  for (const [size, price, other] of [
    ['2.5', '10.0000019', '3.0000009'],
    ['0.07', '0.0000019', '0.0000011'],
    ['7', '1.9999999', '0.0000009'],
  ] as const) {
    const exact = Number(size) * (Number(price) - Number(other))
    const legs = [sell(size, price), buy(size, other)]
    assert.ok(isPremiumOf(legs, Math.trunc(exact * 1e6)), `${size} at ${price} and ${other}`)
  }
})

test('a taker that only buys is never paid, and one that only sells never pays', () => {
  assert.equal(isPremiumOf([buy('0.0001', '0.000001')], 1), false)
  assert.equal(isPremiumOf([buy('0.0001', '0.000001')], 0), true)
  assert.equal(isPremiumOf([sell('0.0001', '0.000001')], -1), false)
  const small = ['0.0001', '0.000001'] as const
  assert.equal(isPremiumOf([buy(...small), buy(...small)], 1), false, 'though each may be off')
  assert.equal(isPremiumOf([sell(...small), sell(...small)], -1), false)
  assert.equal(isPremiumOf([buy('0.0001', '0.000001'), sell('0.0001', '0.000001')], 1), true)
})
