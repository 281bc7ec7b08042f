import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithin, reaches, referenceOf, worstMicros } from '../../../engine/rfq/auction-limit.js'
import { compareQuotes } from '../../../engine/rfq/rfq-limit.js'
import { Side } from '../../../schemas/domain.js'
import { netPremiumMicros } from '../../../schemas/net-premium.js'
import { lotsOf, microsOf, rfqVectors } from './rfq-vectors.js'

const tick = microsOf('0.0001')

for (const vector of rfqVectors.rpi) {
  test(`vector ${vector.id}: ${vector.eligible_in_order.join(', ')} of its quotes are eligible`, () => {
    const { limit, min_improvement_tick: least, opposite, quotes, size } = vector
    const side = vector.side === 'Buy' ? Side.Buy : Side.Sell
    const best = microsOf(opposite[0]?.[0] ?? 0)
    const found = referenceOf(side, microsOf(limit), best, microsOf(least))
    assert.equal(found.referenceMicros, microsOf(vector.reference_price))
    const worst = worstMicros(side, microsOf(limit), { ...found, tickMicros: microsOf(least) })
    assert.equal(worst, microsOf(vector.worst_eligible_price))
    const eligible = quotes
      .map(({ price, ...quote }, number) => {
        const cash = netPremiumMicros([
          { side, sizeLots: lotsOf(quote.size), priceMicros: microsOf(price) },
        ])
        return { ...quote, price, number, netPremiumMicros: cash }
      })
      .filter((quote) => {
        const { netPremiumMicros: net, price } = quote
        return quote.size === size && isWithin(side, microsOf(price), net, lotsOf(size), worst)
      })
      .sort(compareQuotes)
    assert.deepEqual(
      eligible.map(({ provider }) => provider),
      vector.eligible_in_order,
    )
  })
}

test('the best price of the book is the reference if the limit reaches it, otherwise the limit is', () => {
  for (const [side, limit, best, reference, mustImprove] of [
    [Side.Buy, '3310', '3300', '3300', true],
    [Side.Buy, '3300', '3300', '3300', true],
    [Side.Buy, '3299.9', '3300', '3299.9', false],
    [Side.Buy, '3310', '0', '3310', false],
    [Side.Sell, '3190', '3200', '3200', true],
    [Side.Sell, '3200.1', '3200', '3200.1', false],
    [Side.Sell, '3190', '0', '3190', false],
  ] as const) {
    const found = referenceOf(side, microsOf(limit), microsOf(best), tick)
    assert.equal(found.referenceMicros, microsOf(reference))
    assert.equal(found.mustImprove, mustImprove)
  }
})

test('an improvement is a step of the reference, and at least the minimum of the venue', () => {
  for (const [best, step] of [
    ['0.5', '0.0001'],
    ['9.9999', '0.0001'],
    ['10', '0.001'],
    ['3300', '0.1'],
    ['10000', '1'],
    ['1000000000', '100000'],
  ] as const) {
    assert.equal(referenceOf(Side.Buy, 1e15, microsOf(best), tick).tickMicros, microsOf(step))
  }
})

test('the worst price of a quote is a step better than the reference, or the limit', () => {
  const must = { referenceMicros: microsOf('3300'), tickMicros: microsOf('0.1'), mustImprove: true }
  assert.equal(worstMicros(Side.Buy, microsOf('3310'), must), microsOf('3299.9'))
  assert.equal(worstMicros(Side.Sell, microsOf('3190'), must), microsOf('3300.1'))
  const may = { ...must, mustImprove: false }
  assert.equal(worstMicros(Side.Buy, microsOf('3310'), may), microsOf('3310'))
  assert.equal(worstMicros(Side.Sell, microsOf('3190'), may), microsOf('3190'))
})

test('a buy pays at most the worst price for its size, whatever the price of its quote says', () => {
  const [worst, five] = [microsOf('3300'), lotsOf('5')]
  const isBought = (price: string, net: string) =>
    isWithin(Side.Buy, microsOf(price), microsOf(net), five, worst)
  assert.ok(isBought('3300', '-16500'))
  assert.ok(!isBought('3300', '-16500.000001'))
  assert.ok(!isBought('3300.000001', '-16500'))
  assert.ok(isBought('3299', '-16495'))
})

test('a sell gets at least that price, less at most a fraction of a micro', () => {
  const worst = microsOf('0.333333')
  const isSold = (price: string, size: string, net: string) =>
    isWithin(Side.Sell, microsOf(price), microsOf(net), lotsOf(size), worst)
  assert.ok(isSold('0.333333', '0.5', '0.166666'), '0.1666665 cut off')
  assert.ok(!isSold('0.333333', '0.5', '0.166665'))
  assert.ok(!isSold('0.333332', '0.5', '0.166666'))
})

test('amounts beyond a double are compared exactly', () => {
  const [worst, size] = [microsOf('1000000000'), lotsOf('0.00900719')]
  assert.ok(isWithin(Side.Buy, worst, -9_007_190_000_000, size, worst))
  assert.ok(!isWithin(Side.Buy, worst, -9_007_190_000_001, size, worst))
})

test('a limit reaches equal prices, too', () => {
  assert.ok(reaches(Side.Buy, 5, 5) && reaches(Side.Sell, 5, 5))
  assert.ok(!reaches(Side.Buy, 5, 6) && !reaches(Side.Sell, 5, 4))
})
