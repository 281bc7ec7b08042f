import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../bench/book-replay/book-flow.js'
import { addCost, CostSum, clearCost, isCostAbove } from '../../../engine/matching/cost-sum.js'
import { priceMicrosMax, sizeLotsMax } from '../../../schemas/bounds.js'

function exactOf({ low, middle, high }: CostSum): bigint {
  return BigInt(low) + (BigInt(middle) << 26n) + (BigInt(high) << 52n)
}

function costOf(priceMicros: number, sizeLots: number): CostSum {
  const sum = new CostSum()
  addCost(sum, priceMicros, sizeLots)
  return sum
}

test('products far beyond 2^53 are exact', () => {
  const part = 2 ** 26
  const numbers = [1, 2, part - 1, part, part + 1, 1e12 + 7, sizeLotsMax - 1, sizeLotsMax]
  for (const price of [...numbers, priceMicrosMax - 1, priceMicrosMax]) {
    for (const size of numbers) {
      assert.equal(exactOf(costOf(price, size)), BigInt(price) * BigInt(size), `${price} x ${size}`)
    }
  }
})

test('a sum of many fills is exact, up to the maximum cost of one order', () => {
  const random = randomFrom(7)
  for (const most of [5_000, 2 ** 40, priceMicrosMax]) {
    const sum = new CostSum()
    let expected = 0n
    for (let leftLots = sizeLotsMax; leftLots > 0; ) {
      const sizeLots = Math.min(leftLots, 1 + Math.floor(random() * random() * sizeLotsMax * 0.01))
      const priceMicros = most - Math.floor(random() * Math.min(most, 1e6))
      addCost(sum, priceMicros, sizeLots)
      expected += BigInt(priceMicros) * BigInt(sizeLots)
      leftLots -= sizeLots
    }
    assert.equal(exactOf(sum), expected)
    clearCost(sum)
    assert.equal(exactOf(sum), 0n)
  }
})

test('sums differ by one micro times one lot, in each of their parts', () => {
  for (const size of [1, 2 ** 26, 2 ** 40]) {
    const [less, more] = [costOf(999_999, size), costOf(1_000_000, size)]
    assert.deepEqual([isCostAbove(more, less), isCostAbove(less, more)], [true, false])
    assert.equal(isCostAbove(more, costOf(1_000_000, size)), false)
  }
  const whole = costOf(priceMicrosMax, sizeLotsMax)
  const parts = costOf(priceMicrosMax, sizeLotsMax - 1)
  addCost(parts, priceMicrosMax, 1)
  assert.deepEqual([isCostAbove(whole, parts), isCostAbove(parts, whole)], [false, false])
  addCost(parts, 1, 1)
  assert.deepEqual([isCostAbove(whole, parts), isCostAbove(parts, whole)], [false, true])
})
