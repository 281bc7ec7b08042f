import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  mulDivDown,
  mulDivHalfEven,
  mulDivRest,
  mulDivUp,
  premiumMicros,
  slippageReserveMicros,
} from '../../../engine/risk/money.js'

const max = Number.MAX_SAFE_INTEGER
const anyInteger = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.constantFrom(0, 1, -1, max, -max, 2 ** 52, -(2 ** 52), 2 ** 27 + 1, 1e8, 1e15),
)
const anyDivisor = fc.oneof(
  fc.constantFrom(1, 2, 3, 4, 5, 25, 1000, 1e8, 1e12, 2 ** 50),
  fc.integer({ min: 1, max: 2 ** 50 }),
)

function floorOf(product: bigint, divisor: bigint): bigint {
  const quotient = product / divisor
  return product % divisor < 0n ? quotient - 1n : quotient
}

function inRange(value: bigint): boolean {
  return value < BigInt(max) - 2n && value > -BigInt(max) + 2n
}

test('products are exact and rounded once, as with big integers', () => {
  fc.assert(
    fc.property(anyInteger, anyInteger, anyDivisor, (a, b, d) => {
      const product = BigInt(a) * BigInt(b)
      const divisor = BigInt(d)
      const floor = floorOf(product, divisor)
      if (!inRange(floor)) return
      const rest = product - floor * divisor
      const odd = floor % 2n !== 0n
      const up = rest * 2n > divisor || (rest * 2n === divisor && odd) ? 1n : 0n
      assert.equal(BigInt(mulDivHalfEven(a, b, d)), floor + up, 'half-even')
      assert.equal(BigInt(mulDivUp(a, b, d)), floor + (rest > 0n ? 1n : 0n), 'up')
      assert.equal(BigInt(mulDivDown(a, b, d)), floor, 'down')
      assert.equal(BigInt(mulDivRest()), rest, 'rest')
    }),
    { numRuns: 20_000 },
  )
})

test('quotients near the bound are exact too', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 50 }), (value, d) => {
      assert.equal(mulDivHalfEven(value, d, d), Math.max(-max, Math.min(max, value)) + 0)
    }),
  )
})

test('what is beyond the range of money becomes its bound', () => {
  assert.equal(mulDivUp(max, max, 1), max)
  assert.equal(mulDivHalfEven(-max, max, 2), -max)
})

test('halves go to the even neighbour, on both sides of 0', () => {
  assert.deepEqual(
    [1, 3, 5, -1, -3, -5].map((a) => mulDivHalfEven(a, 1, 2)),
    [0, 2, 2, 0, -2, -2],
  )
})

test('zero has no sign', () => {
  assert.ok(Object.is(mulDivHalfEven(-1, 0, 5), 0))
  assert.ok(Object.is(mulDivHalfEven(-1, 1, 5), 0))
  assert.ok(Object.is(mulDivUp(-1, 1, 5), 0))
})

test('a premium of intrinsic .123457 and a third rounds as in the settlement example', () => {
  assert.equal(premiumMicros(123_457, 33_333_333), 41_152)
  assert.equal(premiumMicros(123_457, 66_666_666), 82_305)
})

test('slippage is what a sell gives away below the mark, and nothing without a mark', () => {
  assert.equal(slippageReserveMicros(6_853_940_718, 6_800_000_000, 100_000_000), 53_940_718)
  assert.equal(slippageReserveMicros(6_853_940_718, 6_900_000_000, 100_000_000), 0)
  assert.equal(slippageReserveMicros(Number.NaN, 1, 100_000_000), 0)
  assert.equal(slippageReserveMicros(2, 1, 1), 1, 'up to the next micro')
})
