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
  const price = fc.oneof(fc.integer({ min: 1, max: 1e15 }), fc.integer({ min: 1e9, max: 1e12 }))
  const lots = fc.oneof(
    fc.integer({ min: 1, max: 1e13 }),
    fc.integer({ min: 1, max: 3e8 }),
    fc.integer({ min: 1, max: 1e6 }),
  )
  const odd = fc.constantFrom(0.123457, 0.999999, 2.500003)
  fc.assert(
    fc.property(price, lots, fc.oneof(factors, odd), (priceMicros, sizeLots, factor) => {
      if (priceMicros * factor > Number.MAX_SAFE_INTEGER) return
      const ratio = Ratio.of(factor)
      const divisor = BigInt(ratio.divisor) * BigInt(lotsPerContract)
      const product = BigInt(priceMicros) * BigInt(ratio.numerator) * BigInt(sizeLots)
      const expected = ceilOf(product, divisor)
      const max = BigInt(Number.MAX_SAFE_INTEGER)
      const bounded = expected > max ? max : expected
      assert.equal(BigInt(notionalUp(priceMicros, sizeLots, ratio)), bounded)
    }),
    { numRuns: 20_000 },
  )
})

test('a price times numerator beyond 2^53 is also rounded once, not per contract', () => {
  // 101,206.265252 USD × 0.580678 × 995.43970571 contracts; per contract it would be 995 more.
  const manyMicros = notionalUp(101_206_265_252, 99_543_970_571, Ratio.of(0.580678))
  assert.equal(manyMicros, 58_500_251_171_368)
  // 72,958.984375 USD × 0.123457 × 0.1024 contracts is a whole number of micros.
  assert.equal(notionalUp(72_958_984_375, 10_240_000, Ratio.of(0.123457)), 922_347_247)
})
