import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greeksOf } from '../../../engine/pricing/black76.js'
import { exp } from '../../../engine/pricing/exact.js'
import { impliedVolatility } from '../../../engine/pricing/implied-volatility.js'
import { Right } from '../../../schemas/domain.js'
import { optionPriceOf } from '../../support/option-price.js'
import { readProjectJson } from '../../support/project.js'
import { uniformsOf } from './random.js'

interface Vectors {
  readonly tolerances: { readonly iv_absolute: number }
  readonly implied_volatility: readonly {
    readonly id: string
    readonly right: 'call' | 'put'
    readonly spot: number
    readonly forward: number | null
    readonly strike: number
    readonly days: number
    readonly rate: number
    readonly price: number
    readonly iv: number | null
  }[]
}

const seed = 31_415

test('implied volatilities agree with the vectors, null included', () => {
  const vectors = readProjectJson<Vectors>('test/vectors/options.json')
  for (const vector of vectors.implied_volatility) {
    const right = vector.right === 'call' ? Right.Call : Right.Put
    const years = vector.days / 365
    const forward = vector.forward ?? vector.spot * exp(vector.rate * years)
    const discount = exp(-vector.rate * years)
    const { strike, price, iv } = vector
    const found = impliedVolatility(right, forward, strike, years, price, discount)
    if (Number.isNaN(found) || iv === null)
      assert.deepEqual([found, iv], [Number.NaN, null], vector.id)
    else assert.ok(Math.abs(found - iv) <= vectors.tolerances.iv_absolute, `${vector.id}: ${found}`)
  }
})

test('the volatility of a price is recovered wherever vega is not negligible', () => {
  const uniform = uniformsOf(seed)
  let found = 0
  for (let step = 0; step < 5000; step++) {
    const right = step % 2 === 0 ? Right.Call : Right.Put
    const forward = 100
    const strike = 100 * exp(4 * uniform() - 2)
    const iv = 1e-3 * exp(uniform() * 9.8)
    const years = 0.001 * exp(uniform() * 8)
    const greeks = greeksOf({ right, spot: 100, strike, iv, years, rate: 0 })
    if (!(greeks.vegaPerPoint > 1e-8 * forward)) continue
    found++
    const back = impliedVolatility(right, forward, strike, years, greeks.price, 1)
    const label = `seed ${seed}, step ${step}: ${strike}, ${years}, ${iv} came back as ${back}`
    assert.ok(Math.abs(back - iv) < 1e-9, label)
  }
  assert.ok(found > 1500, `only ${found} cases had vega`)
})

test('a price at its bounds, outside [1e-4, 20], or not a number has no volatility', () => {
  const call = (price: number, years = 0.1) =>
    impliedVolatility(Right.Call, 100, 110, years, price, 1)
  assert.ok(Number.isNaN(call(0)))
  assert.ok(Number.isNaN(call(-1)))
  assert.ok(Number.isNaN(call(100)))
  assert.ok(Number.isNaN(call(5, 0)))
  assert.ok(Number.isNaN(call(5, -1)))
  assert.ok(Number.isNaN(call(Number.NaN)))
  assert.ok(Number.isNaN(call(1e-300)) || call(1e-300) > 0)
  const priceAt = (iv: number) => optionPriceOf(Right.Call, 100, 100, iv, 0.1, 1)
  const ivOf = (price: number) => impliedVolatility(Right.Call, 100, 100, 0.1, price, 1)
  assert.ok(Number.isNaN(ivOf(priceAt(0.9e-4))))
  assert.ok(Math.abs(ivOf(priceAt(1.1e-4)) - 1.1e-4) < 1e-9)
  assert.ok(Math.abs(ivOf(priceAt(19.9)) - 19.9) < 1e-9)
  assert.ok(Number.isNaN(ivOf(priceAt(20.1))))
})

// Right, forward, strike, years, price, discount, and the volatility of just these doubles, worked
// out with 60 digits from the formula. In plain double arithmetic the time value loses the last bits of
// the forward minus the strike and of the quotient by the discount.
const deepInTheMoney: readonly [Right, number, number, number, number, number, number][] = [
  [
    Right.Put,
    1.345572225622938,
    3046.3087920661105,
    14 / 365,
    3044.963225673889,
    1,
    7.999999992991012,
  ],
  [
    Right.Put,
    100270.81819987473,
    13586368331.978392,
    7 / 365,
    13549573350.570454,
    0.9972991324421538,
    15.00000307874568,
  ],
  [Right.Put, 100_000, 3_000_000, 30 / 365, 2842000.073581301, 0.98, 2.500000000116152],
  [Right.Put, 3200.1, 64000.3, 1, 57761.46726490051, 0.95, 0.9000000000000835],
]

test('deep in the money the volatility follows from the last bits of the price', () => {
  for (const [right, forward, strike, years, price, discount, expected] of deepInTheMoney) {
    const iv = impliedVolatility(right, forward, strike, years, price, discount)
    assert.ok(Math.abs(iv - expected) < 1e-11, `${strike}: ${iv} instead of ${expected}`)
  }
})

test('a price computed at a bound has that volatility, whichever way it was rounded', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 2000; step++) {
    const bound = step % 2 === 0 ? 1e-4 : 20
    const right = uniform() < 0.5 ? Right.Call : Right.Put
    const years = 0.001 + uniform() / 10
    const strike = 100 * exp((uniform() - 0.5) * bound * Math.sqrt(years))
    const price = optionPriceOf(right, 100, strike, bound, years, 1)
    const iv = impliedVolatility(right, 100, strike, years, price, 1)
    const label = `seed ${seed}, step ${step}: ${strike}, ${years} came back as ${iv}`
    assert.ok(iv >= 1e-4 && iv <= 20 && Math.abs(iv - bound) < 1e-9, label)
  }
})

test('a discounted price at intrinsic or at its upper bound has none, however it was rounded', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 2000; step++) {
    const right = uniform() < 0.5 ? Right.Call : Right.Put
    const spot = 50 + 100 * uniform()
    const years = 0.01 + uniform()
    const rate = 0.2 * uniform() - 0.05
    const forward = spot * exp(rate * years)
    const discount = exp(-rate * years)
    const strike = forward * (right === Right.Call ? 1 - 0.5 * uniform() : 1 + uniform())
    const bound = right === Right.Call ? forward : strike
    for (const price of [discount * Math.abs(forward - strike), discount * bound]) {
      const iv = impliedVolatility(right, forward, strike, years, price, discount)
      assert.ok(Number.isNaN(iv), `seed ${seed}, step ${step}: ${price} came back as ${iv}`)
    }
  }
})
