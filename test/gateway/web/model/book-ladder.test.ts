import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  depthSeries,
  isRestingAt,
  ladderOf,
  rungsOf,
} from '../../../../gateway/web/model/book-ladder.js'

const level = (price: string, size: string) => ({ price, size })
const bids = [level('99', '2'), level('98', '3')]
const asks = [level('101', '1'), level('102', '3'), level('103', '9')]

test('a ladder has as many prices as fit into the window', () => {
  assert.deepEqual([null, 1100, 900, 780, 300].map(rungsOf), [10, 10, 8, 5, 3])
})

test('a ladder sums up from the best price, and bars are shares of the largest sum', () => {
  const ladder = ladderOf(bids, asks, 2)
  assert.deepEqual(
    ladder.bids.map(({ price, total, share }) => [price, total, share]),
    [
      ['99', 2, 0.4],
      ['98', 5, 1],
    ],
  )
  assert.deepEqual(
    ladder.asks.map(({ price, total }) => [price, total]),
    [
      ['101', 1],
      ['102', 4],
    ],
  )
  assert.equal(ladder.spread, 2)
})

test('own orders are marked at their price with their open size, on their side only', () => {
  const own = [
    { side: 'Buy' as const, price: '99.0', size: '1', filled_size: '0.25' },
    { side: 'Buy' as const, price: '99', size: '1', filled_size: '0' },
    { side: 'Sell' as const, price: '99', size: '7', filled_size: '0' },
  ]
  const ladder = ladderOf(bids, asks, 5, own)
  assert.deepEqual(
    ladder.bids.map((rung) => rung.own),
    [1.75, 0],
  )
  assert.deepEqual(
    ladder.asks.map((rung) => rung.own),
    [0, 0, 0],
  )
})

test('an order is at its price in any spelling', () => {
  const order = { side: 'Buy' as const, price: '99.0', size: '1', filled_size: '0' }
  assert.ok(isRestingAt(order, 'Buy', '99'))
  assert.ok(!isRestingAt(order, 'Sell', '99'))
  assert.ok(!isRestingAt(order, 'Buy', '99.5'))
})

test('an empty side has neither a spread nor a depth', () => {
  const ladder = ladderOf([], asks, 5)
  assert.equal(ladder.spread, null)
  assert.deepEqual(depthSeries(ladderOf([], [], 5)), [[], [], []])
})

test('curves of depth rise away from the middle, and continue a little at both ends', () => {
  const [prices, bidTotals, askTotals] = depthSeries(ladderOf(bids, asks, 5))
  assert.deepEqual(prices, [97.5, 98, 99, 101, 102, 103, 103.5])
  assert.deepEqual(bidTotals, [5, 5, 2, null, null, null, null])
  assert.deepEqual(askTotals, [null, null, null, 1, 4, 13, 13])
})
