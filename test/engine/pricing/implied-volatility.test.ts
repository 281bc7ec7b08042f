import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greeksOf, optionPrice } from '../../../engine/pricing/black76.js'
import { exp } from '../../../engine/pricing/exact.js'
import {
  impliedVolatility,
  impliedVolatilityOrNull,
} from '../../../engine/pricing/implied-volatility.js'
import { Right } from '../../../schemas/domain.js'
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
    const found = impliedVolatilityOrNull(right, forward, strike, years, price, discount)
    if (found === null || iv === null) assert.equal(found, iv, vector.id)
    else assert.ok(Math.abs(found - iv) <= vectors.tolerances.iv_absolute, `${vector.id}: ${found}`)
  }
})

test('the volatility of a price is found again wherever vega is not negligible', () => {
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

test('there is none at the bounds, outside [1e-4, 20], or for what is no number', () => {
  const call = (price: number, years = 0.1) =>
    impliedVolatility(Right.Call, 100, 110, years, price, 1)
  assert.ok(Number.isNaN(call(0)))
  assert.ok(Number.isNaN(call(-1)))
  assert.ok(Number.isNaN(call(100)))
  assert.ok(Number.isNaN(call(5, 0)))
  assert.ok(Number.isNaN(call(5, -1)))
  assert.ok(Number.isNaN(call(Number.NaN)))
  assert.ok(Number.isNaN(call(1e-300)) || call(1e-300) > 0)
  const priceAt = (iv: number) => optionPrice(Right.Call, 100, 100, iv, 0.1, 1)
  const ivOf = (price: number) => impliedVolatility(Right.Call, 100, 100, 0.1, price, 1)
  assert.ok(Number.isNaN(ivOf(priceAt(0.9e-4))))
  assert.ok(Math.abs(ivOf(priceAt(1.1e-4)) - 1.1e-4) < 1e-9)
  assert.ok(Math.abs(ivOf(priceAt(19.9)) - 19.9) < 1e-9)
  assert.ok(Number.isNaN(ivOf(priceAt(20.1))))
})
