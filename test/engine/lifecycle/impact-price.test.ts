import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImpactPrices, impactPrices } from '../../../engine/lifecycle/impact-price.js'
import { OrderStore } from '../../../engine/state/orders/orders.js'
import { Side } from '../../../schemas/domain.js'

const instrument = 0
const { Buy, Sell } = Side

interface Resting {
  readonly side: Side
  readonly priceMicros: number
  readonly lots: number
}

/** Returns prices of a book whose orders, the oldest first, are in the rows of `places`. */
function pricesOf(book: readonly Resting[], notionalMicros: number, places: readonly number[]) {
  const orders = new OrderStore(8)
  const slots = book.map(() => orders.take())
  for (const [age, { side, priceMicros, lots }] of book.entries()) {
    const slot = slots[places[age]!]!
    orders.orderId[slot] = 1 + age
    orders.instrument[slot] = instrument
    orders.side[slot] = side
    orders.priceMicros[slot] = priceMicros
    orders.openLots[slot] = lots
    orders.linkInstrument(slot)
  }
  const prices: ImpactPrices = { bidMicros: -1, askMicros: -1 }
  impactPrices(orders, instrument, notionalMicros, prices)
  return [prices.bidMicros, prices.askMicros]
}

const inOrder = [0, 1, 2, 3]

test('each side trades from its best price on, and the mean is weighted by the traded amount', () => {
  const book = [
    { side: Sell, priceMicros: 104e6, lots: 5e8 },
    { side: Buy, priceMicros: 99e6, lots: 5e8 },
    { side: Buy, priceMicros: 100e6, lots: 1e8 },
    { side: Sell, priceMicros: 100e6, lots: 1e8 },
  ]
  // 200 USD: 100 at the best price, 100 at the next.
  assert.deepEqual(pricesOf(book, 200e6, inOrder), [99_497_487, 101_960_784])
})

test('an empty side has no price, and a thin one an unknown price', () => {
  const book = [{ side: Buy, priceMicros: 100e6, lots: 1e8 }]
  assert.deepEqual(pricesOf(book, 100e6, inOrder), [100e6, 0])
  assert.deepEqual(pricesOf(book, 100e6 + 1, inOrder), [Number.NaN, 0])
})

test('orders of one price trade by age, whichever rows a restore put them in', () => {
  // The small order's value is rounded, so it matters whether it trades.
  const book = [Buy, Sell].flatMap((side) => [
    { side, priceMicros: 123_450_000, lots: 333_333 },
    { side, priceMicros: 123_450_000, lots: 1e8 },
  ])
  const prices = pricesOf(book, 1e6, inOrder)
  assert.deepEqual(prices, [123_450_051, 123_450_051])
  for (const places of [
    [1, 0, 3, 2],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
  ]) {
    assert.deepEqual(pricesOf(book, 1e6, places), prices, places.join())
  }
})
