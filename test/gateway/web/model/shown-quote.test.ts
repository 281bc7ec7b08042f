import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bestOfOthers,
  type QuoteParts,
  shownQuote,
  takingPrice,
} from '../../../../gateway/web/model/shown-quote.js'

const noParts: QuoteParts = {
  ...{ best: null, source: 'book', opposite: null, book: null, provider: null, own: [] },
}
const bid = (parts: Partial<QuoteParts>) => shownQuote('bid', { ...noParts, ...parts })
const ask = (parts: Partial<QuoteParts>) => shownQuote('ask', { ...noParts, ...parts })

test('a price has the source of its message', () => {
  assert.deepEqual(bid({}), { price: null, source: null })
  assert.deepEqual(ask({ best: 12 }), { price: 12, source: 'book' })
  assert.deepEqual(ask({ best: 12, source: 'provider' }), { price: 12, source: 'provider' })
})

test("a provider's price at the price of an own order stays", () => {
  const best = { best: 12, source: 'provider', own: [12] } as const
  assert.deepEqual(bid(best), { price: 12, source: 'provider' })
})

test('an own order at the top is replaced by the best price of others', () => {
  const own = { best: 12, opposite: 11.8, own: [12, 11] }
  assert.deepEqual(bid({ ...own, book: 10, provider: 11.5 }), { price: 11.5, source: 'provider' })
  assert.deepEqual(bid({ ...own, book: 11.6, provider: 11.5 }), { price: 11.6, source: 'book' })
  assert.deepEqual(bid({ ...own, book: 12 }), { price: 12, source: 'book' })
})

test('an own order alone on its side is shown as own, unless the row would look crossed', () => {
  assert.deepEqual(bid({ best: 12, own: [12] }), { price: 12, source: 'own' })
  assert.deepEqual(bid({ best: 12, own: [12], opposite: 12.5 }), { price: 12, source: 'own' })
  assert.deepEqual(bid({ best: 12, own: [12], opposite: 12 }), { price: null, source: null })
  assert.deepEqual(ask({ best: 12, own: [12], opposite: 12.5 }), { price: null, source: null })
})

test('the best price of others needs more size than the own orders have there', () => {
  const levels = [
    { price: '12', size: '0.3' },
    { price: '11.5', size: '2' },
  ]
  const order = { side: 'Buy', price: '12.0', size: '0.4', filled_size: '0.1' } as const
  assert.equal(bestOfOthers(levels, 'Buy', []), 12)
  assert.equal(bestOfOthers(levels, 'Buy', [order]), 11.5)
  assert.equal(bestOfOthers(levels, 'Buy', [{ ...order, size: '0.3' }]), 12)
  assert.equal(bestOfOthers([], 'Buy', [order]), null)
  const large = [{ price: '12', size: '90000000.00000001' }]
  const own = { ...order, size: '90000000', filled_size: '0' }
  assert.equal(bestOfOthers(large, 'Buy', [own]), 12, 'one lot of others')
})

test('an order at a quote of too many figures is rounded so that it still reaches the quote', () => {
  assert.equal(takingPrice(1234.5, 'Buy'), '1234.5')
  assert.equal(takingPrice(1234.56, 'Buy'), '1234.6')
  assert.equal(takingPrice(1234.56, 'Sell'), '1234.5')
  assert.equal(takingPrice(123456, 'Buy'), '123460')
  assert.equal(takingPrice('0.00001234567', 'Buy'), '0.000013')
  assert.equal(takingPrice('0.0000001', 'Sell'), '')
  assert.equal(takingPrice('99999.6', 'Buy'), '100000')
  assert.equal(takingPrice('123456.000001', 'Buy'), '123460')
  assert.equal(takingPrice(null, 'Buy'), '')
})
