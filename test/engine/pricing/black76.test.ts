import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deltaOnePercentUsd,
  gammaOnePercentUsd,
  greeksOf,
  type OptionInputs,
  outOfTheMoneyComplement,
  outOfTheMoneyShare,
} from '../../../engine/pricing/black76.js'
import { exp } from '../../../engine/pricing/exact.js'
import { yearsToExpiry } from '../../../engine/pricing/years.js'
import { Right } from '../../../schemas/domain.js'
import { optionPriceOf } from '../../support/option-price.js'
import { readProjectJson } from '../../support/project.js'
import { uniformsOf } from './random.js'
import { distanceFrom, type FixedGreeks, greeksFixed } from './reference-black76.js'

interface PricingVector {
  readonly id: string
  readonly right: 'call' | 'put'
  readonly spot: number
  readonly forward: number | null
  readonly strike: number
  readonly iv: number
  readonly days: number
  readonly rate: number
  readonly price: number
  readonly delta: number
  readonly gamma: number
  readonly vega_1pt: number
  readonly theta_1d: number
  readonly cash: {
    readonly delta_1pct_usd: number
    readonly gamma_1pct_usd: number
    readonly theta_1d_usd: number
    readonly vega_1vol_usd: number
  }
}

interface Vectors {
  readonly tolerances: Record<string, number>
  readonly pricing: readonly PricingVector[]
}

const { tolerances, pricing } = readProjectJson<Vectors>('test/vectors/options.json')
const seed = 760_176

function inputsOf(vector: PricingVector): OptionInputs {
  const right = vector.right === 'call' ? Right.Call : Right.Put
  return { ...vector, right, years: vector.days / 365 }
}

function assertGreek(actual: number, expected: number, what: string): void {
  const room = tolerances['greek_absolute'] + tolerances['greek_relative'] * Math.abs(expected)
  assert.ok(Math.abs(actual - expected) <= room, `${what}: ${actual} instead of ${expected}`)
}

test('prices and greeks agree with the vectors', () => {
  for (const vector of pricing) {
    const greeks = greeksOf(inputsOf(vector))
    const room = tolerances['price_absolute'] + tolerances['price_relative'] * vector.price
    assert.ok(Math.abs(greeks.price - vector.price) <= room, `${vector.id}: price ${greeks.price}`)
    assertGreek(greeks.delta, vector.delta, `${vector.id} delta`)
    assertGreek(greeks.gamma, vector.gamma, `${vector.id} gamma`)
    assertGreek(greeks.vegaPerPoint, vector.vega_1pt, `${vector.id} vega`)
    assertGreek(greeks.thetaPerDay, vector.theta_1d, `${vector.id} theta`)
  }
})

test('cash greeks agree with the vectors', () => {
  for (const vector of pricing) {
    const { cash, spot } = vector
    const greeks = greeksOf(inputsOf(vector))
    assertGreek(deltaOnePercentUsd(greeks.delta, spot), cash.delta_1pct_usd, vector.id)
    assertGreek(gammaOnePercentUsd(greeks.gamma, spot), cash.gamma_1pct_usd, vector.id)
    assertGreek(greeks.thetaPerDay, cash.theta_1d_usd, vector.id)
    assertGreek(greeks.vegaPerPoint, cash.vega_1vol_usd, vector.id)
  }
})

test('without time or volatility a price is the discounted payoff at the forward', () => {
  for (const [iv, years] of [
    [0.6, 0],
    [0, 0.5],
    [0, 0],
  ]) {
    assert.equal(optionPriceOf(Right.Call, 105, 100, iv, years, 0.9), 4.5)
    assert.equal(optionPriceOf(Right.Put, 105, 100, iv, years, 0.9), 0)
    const put = greeksOf({ right: Right.Put, spot: 90, strike: 100, iv, years, rate: 0 })
    assert.deepEqual(
      { ...put },
      { price: 10, delta: -1, gamma: 0, vegaPerPoint: 0, thetaPerDay: 0, rhoPerPoint: 0 },
    )
  }
  const atMoney = greeksOf({
    right: Right.Call,
    spot: 100,
    strike: 100,
    iv: 0.5,
    years: 0,
    rate: 0,
  })
  assert.equal(atMoney.price, 0)
  assert.equal(atMoney.delta, 0)
})

test('extreme inputs give limits, never NaN', () => {
  const cases: [number, number, number, number][] = [
    [1e-9, 1e9, 0.6, 0.1],
    [1e9, 1e-9, 0.6, 0.1],
    [100, 200, 1e-9, 1e-9],
    [100, 100, 1e-9, 1e-9],
    [100, 101, 1e-160, 1e-160],
    [100, 200, 20, 100],
    [100, 1e-300, 20, 1e4],
    [100, 100, 20, 1e4],
    [1e5, 1.1e5, 0.6, 1e-12],
  ]
  for (const [spot, strike, iv, years] of cases) {
    for (const right of [Right.Call, Right.Put]) {
      const greeks = greeksOf({ right, spot, strike, iv, years, rate: 0 })
      const bound = right === Right.Call ? spot : strike
      assert.ok(
        greeks.price >= 0 && greeks.price <= bound,
        `price ${greeks.price} of ${spot}, ${strike}`,
      )
      for (const value of Object.values(greeks))
        assert.ok(Number.isFinite(value), `${spot} ${strike}`)
    }
  }
  assert.ok(Number.isNaN(optionPriceOf(Right.Call, 100, 100, Number.NaN, 1, 1)))
  assert.ok(Number.isNaN(optionPriceOf(Right.Call, Number.NaN, 100, 0.5, 1, 1)))
})

test('call minus put is the discounted forward minus strike', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 5000; step++) {
    const forward = 100 * exp(2 * uniform() - 1)
    const strike = 100 * exp(2 * uniform() - 1)
    const iv = 3 * uniform()
    const years = uniform()
    const discount = exp(-0.1 * uniform())
    const call = optionPriceOf(Right.Call, forward, strike, iv, years, discount)
    const put = optionPriceOf(Right.Put, forward, strike, iv, years, discount)
    const gap = Math.abs(call - put - discount * (forward - strike))
    assert.ok(gap < 2e-13, `seed ${seed}, step ${step}: ${gap}`)
  }
})

test('prices and greeks equal the formulas in high precision, from a minute to ten years', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 400; step++) {
    const right = step % 2 === 0 ? Right.Call : Right.Put
    const spot = exp(18 * uniform() - 3)
    const years = exp(15.5 * uniform() - 13.2)
    const iv = exp(12 * uniform() - 9)
    const rate = step % 3 === 0 ? 0 : 0.3 * uniform() - 0.1
    const forward = step % 4 === 0 ? spot * (0.97 + 0.06 * uniform()) : null
    // Up to 8 deviations from the forward, or close to it.
    const deviations = (step % 5 === 0 ? 0.1 : 16) * (uniform() - 0.5)
    const center = forward ?? spot * exp(rate * years)
    const strike = center * exp(deviations * Math.min(iv * Math.sqrt(years), 1.5))
    const inputs: OptionInputs = { right, spot, forward, strike, iv, years, rate }
    const label = `seed ${seed}, step ${step}: ${JSON.stringify(inputs)}`
    if (iv * Math.sqrt(years) > 8) continue
    const greeks = greeksOf(inputs)
    for (const [name, reference] of Object.entries(greeksFixed(inputs))) {
      const actual = greeks[name as keyof FixedGreeks]
      const [absolute, relative] = name === 'price' ? [1e-8, 1e-9] : [1e-10, 1e-8]
      const room = absolute + relative * Math.abs(actual)
      assert.ok(distanceFrom(actual, reference) <= room, `${label}: ${name} ${actual}`)
    }
  }
})

test('a price rises with volatility and time, a call falls with the strike', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 5000; step++) {
    const strike = 100 * exp(3 * uniform() - 1.5)
    const iv = 0.01 + 2 * uniform()
    const years = 0.001 + uniform()
    const label = `seed ${seed}, step ${step}: strike ${strike}, iv ${iv}, years ${years}`
    const price = optionPriceOf(Right.Call, 100, strike, iv, years, 1)
    assert.ok(price >= Math.max(0, 100 - strike) && price < 100, label)
    assert.ok(optionPriceOf(Right.Call, 100, strike, iv * 1.01, years, 1) >= price, label)
    assert.ok(optionPriceOf(Right.Call, 100, strike, iv, years * 1.01, 1) >= price, label)
    assert.ok(optionPriceOf(Right.Call, 100, strike * 1.001, iv, years, 1) <= price, label)
    assert.ok(optionPriceOf(Right.Call, 100.1, strike, iv, years, 1) >= price, label)
  }
})

test('greeks are the derivatives of the price', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 300; step++) {
    const base: OptionInputs = {
      right: step % 2 === 0 ? Right.Call : Right.Put,
      spot: 100,
      strike: 70 + 60 * uniform(),
      iv: 0.2 + uniform(),
      years: 0.1 + uniform(),
      rate: 0.1 * uniform() - 0.03,
    }
    const greeks = greeksOf(base)
    const priceAt = (change: Partial<OptionInputs>) => greeksOf({ ...base, ...change }).price
    const { iv, rate, years } = base
    const day = 1e-3 / 365
    const up = priceAt({ spot: 100.01 })
    const down = priceAt({ spot: 99.99 })
    const label = `seed ${seed}, step ${step}: `
    assertClose(greeks.delta, (up - down) / 0.02, 1e-6, `${label}delta`)
    assertClose(greeks.gamma, (up - 2 * greeks.price + down) / 1e-4, 1e-5, `${label}gamma`)
    const vega = (priceAt({ iv: iv + 1e-5 }) - priceAt({ iv: iv - 1e-5 })) / 2e-5 / 100
    assertClose(greeks.vegaPerPoint, vega, 1e-6, `${label}vega`)
    const theta = (priceAt({ years: years - day }) - priceAt({ years: years + day })) / 2e-3
    assertClose(greeks.thetaPerDay, theta, 1e-6, `${label}theta`)
    const rho = (priceAt({ rate: rate + 1e-5 }) - priceAt({ rate: rate - 1e-5 })) / 2e-5 / 100
    assertClose(greeks.rhoPerPoint, rho, 1e-6, `${label}rho`)
  }
})

test('the share of the bound and its rest add up to 1', () => {
  for (const [distance, deviation] of [
    [0, 0.1],
    [0.2, 0.3],
    [1, 4],
    [0.01, 12],
    [3, 0.4],
    [0.5, 70],
  ]) {
    const share = outOfTheMoneyShare(distance, deviation)
    assert.ok(Math.abs(share + outOfTheMoneyComplement(distance, deviation) - 1) < 2e-16)
  }
})

test('the time to expiry is counted in years of 365 days and never below 0', () => {
  assert.equal(yearsToExpiry(31_536_000_000, 0), 1)
  assert.equal(yearsToExpiry(5, 5), 0)
  assert.equal(yearsToExpiry(5, 6), 0)
})

function assertClose(actual: number, expected: number, room: number, what: string): void {
  const gap = Math.abs(actual - expected)
  assert.ok(gap <= room * Math.max(1, Math.abs(expected)), `${what}: ${actual}, ${expected}`)
}
