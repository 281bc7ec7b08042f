import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boundMicros,
  compareQuotes,
  contradictsMarks,
  fallbackPriceMicros,
} from '../../../engine/rfq/rfq-limit.js'
import { Side } from '../../../schemas/domain.js'
import { legOf, lotsOf, microsOf, rfqVectors } from './rfq-vectors.js'

for (const vector of rfqVectors.eligible) {
  const { id, direction, limit_price, bound, net_premium, eligible } = vector
  test(`vector ${id}: ${net_premium} is ${eligible ? '' : 'not '}eligible at ${limit_price}`, () => {
    const least = boundMicros(direction === 'buy' ? Side.Buy : Side.Sell, microsOf(limit_price))
    assert.equal(least, microsOf(bound))
    assert.equal(microsOf(net_premium) >= least, eligible)
  })
}

for (const { id, side, limit_price, size, order_price } of rfqVectors.fallback_price) {
  test(`vector ${id}: ${limit_price} for ${size} becomes an order at ${order_price}`, () => {
    const own = side === 'Buy' ? Side.Buy : Side.Sell
    const price = fallbackPriceMicros(own, microsOf(limit_price), lotsOf(size))
    assert.equal(price, microsOf(order_price))
  })
}

test('without a valid price there is no order', () => {
  assert.equal(fallbackPriceMicros(Side.Buy, 0, lotsOf('1')), 0)
  assert.equal(fallbackPriceMicros(Side.Sell, -1_000_000, lotsOf('1')), 0)
  assert.equal(fallbackPriceMicros(Side.Buy, 1, lotsOf('2')), 0)
  assert.equal(fallbackPriceMicros(Side.Sell, 1, lotsOf('2')), 1)
  assert.equal(fallbackPriceMicros(Side.Sell, microsOf('1000000001'), lotsOf('1')), 0)
  assert.equal(
    fallbackPriceMicros(Side.Buy, microsOf('1000000001'), lotsOf('0.001')),
    microsOf('1000000000'),
  )
})

test('the best quote is the most favorable one for the taker; of equals the first wins', () => {
  const quotes = [
    { netPremiumMicros: -3620, number: 1 },
    { netPremiumMicros: -3580, number: 3 },
    { netPremiumMicros: -3580, number: 2 },
  ]
  const numbers = quotes.sort(compareQuotes).map(({ number }) => number)
  assert.deepEqual(numbers, [2, 3, 1])
})

test('a positive limit of several legs may not contradict the marks', () => {
  const dear = { side: 'Buy', size: 1, mark: 6853 } as const
  const cheap = { side: 'Sell', size: 1, mark: 3270 } as const
  const turned = [legOf({ ...cheap, side: 'Buy' }), legOf({ ...dear, side: 'Sell' })]
  assert.equal(contradictsMarks(1, [legOf(dear), legOf(cheap)]), false)
  assert.equal(contradictsMarks(1, turned), true)
  assert.equal(contradictsMarks(-1, turned), false)
  assert.equal(contradictsMarks(1, [legOf(cheap), legOf(dear)]), true)
  const worthless = [legOf({ ...dear, side: 'Sell' }), legOf({ ...dear, side: 'Buy' })]
  assert.equal(contradictsMarks(1, worthless), false)
  assert.equal(contradictsMarks(1, worthless.toReversed()), false)
  const unmarked = turned.map((leg) => ({ ...leg, priceMicros: Number.NaN }))
  assert.equal(contradictsMarks(1, unmarked), false)
})
