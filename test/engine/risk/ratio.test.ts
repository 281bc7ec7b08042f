import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { notionalUp, Ratio, ratioUp } from '../../../engine/risk/ratio.js'
import { lotsPerContract } from '../../../schemas/bounds.js'

function ceilOf(product: bigint, divisor: bigint): bigint {
  return (product + divisor - 1n) / divisor
}

const factors = fc.constantFrom(0.1, 0.075, 0.015, 0.01, 0.8, 1, 0.333333, 12.5)

test('a share is rounded up once, as with big integers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 52 }), factors, (amount, factor) => {
      const ratio = Ratio.of(factor).weighted(350)
      const expected = ceilOf(BigInt(amount) * BigInt(ratio.numerator), BigInt(ratio.divisor))
      if (expected > BigInt(Number.MAX_SAFE_INTEGER)) return
      assert.equal(BigInt(ratioUp(amount, ratio)), expected)
    }),
    { numRuns: 5000 },
  )
})

test('a requirement per short contract is rounded up once, as with big integers', () => {
  const price = fc.integer({ min: 1, max: 1e15 })
  const lots = fc.oneof(fc.integer({ min: 1, max: 1e13 }), fc.integer({ min: 1, max: 3e8 }))
  fc.assert(
    fc.property(price, lots, factors, (priceMicros, sizeLots, factor) => {
      const ratio = Ratio.of(factor)
      const perContract = priceMicros * ratio.numerator
      if (perContract > Number.MAX_SAFE_INTEGER) return
      const divisor = BigInt(ratio.divisor) * BigInt(lotsPerContract)
      const expected = ceilOf(BigInt(perContract) * BigInt(sizeLots), divisor)
      if (expected > BigInt(Number.MAX_SAFE_INTEGER)) return
      assert.equal(BigInt(notionalUp(priceMicros, sizeLots, ratio)), expected)
    }),
    { numRuns: 5000 },
  )
})
