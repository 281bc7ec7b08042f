import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addValueUp,
  moveValues,
  mulDivDown,
  mulDivHalfEven,
  mulDivRemainder,
  mulDivUp,
  Part,
  premiumMicros,
  SizeMove,
  slippageReserveMicros,
  takeValueUp,
  valueMicros,
  valueUpMicros,
} from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { Side } from '../../../schemas/domain.js'

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

function move(before: number, after: number, part: Part = Part.All): SizeMove {
  return Object.assign(new SizeMove(), { before, after, part })
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
      assert.equal(BigInt(mulDivRemainder()), rest, 'rest')
    }),
    { numRuns: 20_000 },
  )
})

test('quotients near the limit are exact too', () => {
  for (let value = max - 5; value <= max; value++) {
    for (const d of [1, 3, 43, 100, 1e8, 2 ** 27 + 1, 2 ** 50]) {
      assert.equal(mulDivHalfEven(value, d, d), value)
      assert.equal(mulDivUp(-value, d, d), -value)
      assert.equal(mulDivDown(d, -value, d), -value)
    }
  }
  assert.equal(mulDivUp(max, 2 ** 50, 2 ** 50 - 1), max)
  assert.equal(mulDivDown(-max, 2 ** 50, 2 ** 50 - 1), -max)
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 50 }), (value, d) => {
      assert.equal(mulDivHalfEven(value, d, d), Math.max(-max, Math.min(max, value)) + 0)
    }),
  )
})

test('values of lots equal the division by lots per contract, up to every limit', () => {
  fc.assert(
    fc.property(anyInteger, anyInteger, (amount, lots) => {
      assert.equal(valueMicros(amount, lots), mulDivHalfEven(amount, lots, lotsPerContract))
      assert.equal(valueUpMicros(amount, lots), mulDivUp(amount, lots, lotsPerContract))
    }),
    { numRuns: 20_000 },
  )
  for (const amount of [1, 2 ** 51 - 1, 2 ** 51, 2 ** 51 + 1, max]) {
    for (const lots of [0, 1, 49_999_999, 50_000_000, 99_999_999, 1e8, 1e8 + 1, 3e8, max]) {
      for (const [a, b] of [
        [amount, lots],
        [-amount, lots],
        [amount, -lots],
        [-amount, -lots],
      ] as const) {
        assert.equal(valueMicros(a, b), mulDivHalfEven(a, b, lotsPerContract), `${a} x ${b}`)
      }
    }
  }
})

test('amounts beyond the range of money are clamped to its limit', () => {
  assert.equal(mulDivUp(max, max, 1), max)
  assert.equal(mulDivHalfEven(-max, max, 2), -max)
})

test('halves round to the even neighbour, on both sides of 0', () => {
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

test('slippage is what a sell gives away below the mark, and 0 without a mark', () => {
  assert.equal(
    slippageReserveMicros(Side.Sell, 6_853_940_718, 6_800_000_000, 100_000_000),
    53_940_718,
  )
  assert.equal(slippageReserveMicros(Side.Sell, 6_853_940_718, 6_900_000_000, 100_000_000), 0)
  assert.equal(slippageReserveMicros(Side.Sell, Number.NaN, 1, 100_000_000), 0)
  assert.equal(slippageReserveMicros(Side.Sell, 2, 1, 1), 1, 'slippage rounds up to the next micro')
  assert.equal(
    slippageReserveMicros(Side.Buy, 100, 105, 100_000_000),
    5,
    'a buy gives away the excess over the mark',
  )
  assert.equal(slippageReserveMicros(Side.Buy, 100, 95, 100_000_000), 0)
  assert.equal(slippageReserveMicros(Side.Buy, Number.NaN, 1, 100_000_000), 0)
})

const anyPart = fc.constantFrom(Part.All, Part.Gains, Part.Losses)

test('adding a row of values equals adding them one by one, also for gains or losses alone', () => {
  const row = fc.array(anyInteger, { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(row, anyInteger, anyPart, fc.boolean(), (amounts, size, part, takes) => {
      const sums = new Float64Array(amounts.length + 1).fill(5)
      const sign = takes ? -1 : 1
      const lots = takes ? Float64Array.of(size, 0) : Float64Array.of(0, size)
      moveValues(
        sums,
        1,
        Float64Array.from(amounts),
        0,
        amounts.length,
        move(lots[0]!, lots[1]!, part),
      )
      const expected = amounts.map((amount) => 5 + sign * valueMicros(counted(amount, part), size))
      assert.deepEqual([...sums], [5, ...expected])
    }),
    { numRuns: 5000 },
  )
})

test('a row of values rounds on and near halves like big integers, for any magnitude', () => {
  const sums = new Float64Array(1)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50_000_000 }),
      fc.integer({ min: 0, max: 45 }),
      fc.double({ min: 1, max: 2, noNaN: true }),
      fc.integer({ min: -2, max: 2 }),
      fc.boolean(),
      (size, exponent, mantissa, offset, isShort) => {
        const lots = coprime(size)
        const rest = BigInt(lotsPerContract / 2 + offset)
        // amount × lots leaves that rest.
        const least = (rest * inverse(BigInt(lots))) % BigInt(lotsPerContract)
        const turns = Math.floor((mantissa * 2 ** exponent) / lots)
        const amount = Number(least) + turns * lotsPerContract
        const signed = isShort ? -lots : lots
        sums[0] = 0
        moveValues(sums, 0, Float64Array.of(amount), 0, 1, move(0, signed))
        assert.equal(sums[0] + 0, halfEven(BigInt(amount) * BigInt(signed)))
      },
    ),
    { numRuns: 20_000 },
  )
})

test('a row of values rounds sizes of a few decimals from a half to the even neighbour', () => {
  const sums = new Float64Array(1)
  const tenths = fc.constantFrom(1, 3, 7, 9, 11, 13, 99, 101, 9_999_999)
  fc.assert(
    fc.property(tenths, fc.integer({ min: 0, max: 2 ** 28 }), (size, half) => {
      const lots = size * (lotsPerContract / 10)
      const amount = 5 * (2 * half + 1)
      sums[0] = 0
      moveValues(sums, 0, Float64Array.of(amount), 0, 1, move(0, lots))
      assert.equal(sums[0], halfEven(BigInt(amount) * BigInt(lots)))
    }),
    { numRuns: 5000 },
  )
})

test('a row of sums changes from the values of one size to those of another', () => {
  const row = fc.array(anyInteger, { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(row, anyInteger, anyInteger, anyPart, (amounts, before, after, part) => {
      const sums = new Float64Array(amounts.length + 1).fill(5)
      const all = Float64Array.from(amounts)
      moveValues(sums, 1, all, 0, amounts.length, move(before, after, part))
      const expected = amounts.map((whole) => {
        const amount = counted(whole, part)
        return 5 + (valueMicros(amount, after) - valueMicros(amount, before))
      })
      assert.deepEqual([...sums], [5, ...expected])
    }),
    { numRuns: 5000 },
  )
})

test('a value is added rounded up to the next micro, and removed again', () => {
  fc.assert(
    fc.property(anyInteger, anyInteger, (amount, size) => {
      const cells = Float64Array.of(amount, size, 0)
      addValueUp(cells, 2, cells, 0, cells, 1)
      assert.equal(cells[2], valueUpMicros(amount, size))
      takeValueUp(cells, 2, cells, 0, cells, 1)
      assert.equal(cells[2], 0)
    }),
  )
})

/** Returns the value of an amount in a row. */
function counted(amount: number, part: Part): number {
  if (part === Part.All) return amount
  return Math.max(0, part === Part.Gains ? amount : -amount)
}

/** Returns a product of micros and lots in micros, rounded half to even. */
function halfEven(product: bigint): number {
  const divisor = 100_000_000n
  const magnitude = product < 0n ? -product : product
  const [floor, rest] = [magnitude / divisor, magnitude % divisor]
  const isUp = 2n * rest > divisor || (2n * rest === divisor && floor % 2n === 1n)
  const value = Number(isUp ? floor + 1n : floor)
  return (product < 0n ? -value : value) + 0
}

/** Returns the next number, or the same, that has no factor in common with lots per contract. */
function coprime(lots: number): number {
  let number = lots
  while (number % 2 === 0 || number % 5 === 0) number++
  return number
}

/** Returns the inverse of `lots` modulo lots per contract: its power by Euler's theorem, since phi(1e8) is 4e7. */
function inverse(lots: bigint): bigint {
  const modulus = BigInt(lotsPerContract)
  let result = 1n
  let square = lots % modulus
  for (let exponent = 39_999_999; exponent > 0; exponent = Math.floor(exponent / 2)) {
    if (exponent % 2 === 1) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}
