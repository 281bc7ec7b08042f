import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceTail, exp, ln, productTail } from '../../../engine/pricing/exact.js'
import { uniformsOf } from './random.js'
import { expFixed, fixedOf, lnFixed, ulpsFrom } from './reference.js'

const bits = 320
const seed = 20_240_607

function expError(x: number): number {
  const { mantissa, exponent } = expFixed(fixedOf(x, bits), bits)
  return ulpsFrom(exp(x), mantissa, exponent, bits)
}

function lnError(x: number): number {
  return ulpsFrom(ln(x), lnFixed(x, bits), 0, bits)
}

test('exp is within 1 ulp at the limits of its reduction and of the double range', () => {
  const half = Math.LN2 / 2
  const points = [
    1,
    -1,
    0.5,
    half,
    -half,
    3 * half,
    -3 * half,
    1e-10,
    -1e-10,
    20.5,
    300,
    709.782712893384,
    -708.3964185322641,
    -708.4,
    -720,
    -744.9,
    -745.1,
  ]
  for (const x of points) assert.ok(expError(x) <= 1, `exp(${x}) is ${expError(x)} ulp off`)
})

test('exp is within 1 ulp at random arguments', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 4000; step++) {
    const x = (uniform() - 0.5) * (step % 2 === 0 ? 1400 : 4)
    assert.ok(expError(x) <= 1, `seed ${seed}: exp(${x}) is ${expError(x)} ulp off`)
  }
})

test('exp has the limits of the function', () => {
  assert.equal(exp(0), 1)
  assert.equal(exp(-0), 1)
  assert.equal(exp(709.79), Number.POSITIVE_INFINITY)
  assert.equal(exp(1e300), Number.POSITIVE_INFINITY)
  assert.equal(exp(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY)
  assert.equal(exp(-745.14), 0)
  assert.equal(exp(-1e300), 0)
  assert.equal(exp(Number.NEGATIVE_INFINITY), 0)
  assert.ok(Number.isNaN(exp(Number.NaN)))
  assert.equal(exp(Number.MIN_VALUE), 1)
})

test('ln is within 1 ulp around 1, at powers of two and over the whole range', () => {
  const points = [
    2,
    0.5,
    10,
    1.1,
    0.9,
    Math.SQRT2,
    Math.SQRT1_2,
    1.4142135623730954,
    0.7071067811865475,
    1 + 2 ** -52,
    1 - 2 ** -53,
    1 + 1e-9,
    1e-300,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    2 ** -1022,
    2 ** -1023,
    3 * Number.MIN_VALUE,
    2 ** 1023,
  ]
  for (const x of points) assert.ok(lnError(x) <= 1, `ln(${x}) is ${lnError(x)} ulp off`)
})

test('ln is within 1 ulp at random arguments', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 4000; step++) {
    const x = step % 2 === 0 ? exp((uniform() - 0.5) * 1400) : 0.5 + uniform() * 2
    assert.ok(lnError(x) <= 1, `seed ${seed}: ln(${x}) is ${lnError(x)} ulp off`)
  }
})

test('ln has the limits of the function', () => {
  assert.equal(ln(1), 0)
  assert.equal(ln(0), Number.NEGATIVE_INFINITY)
  assert.equal(ln(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY)
  assert.ok(Number.isNaN(ln(-1)))
  assert.ok(Number.isNaN(ln(Number.NaN)))
})

test('the rounding error of a product and of a difference is known exactly', () => {
  const uniform = uniformsOf(seed)
  for (let step = 0; step < 2000; step++) {
    // Whole numbers of up to 53 bits, so that big integers give the exact results.
    const a = Math.floor(uniform() * 2 ** 53)
    const b = Math.floor(uniform() * 2 ** (20 + (step % 34)))
    const product = a * b
    const productLost = BigInt(a) * BigInt(b) - BigInt(product)
    assert.equal(BigInt(productTail(a, b, product)), productLost, `seed ${seed}, step ${step}`)
    const large = product + 1e20
    const difference = b - large
    const differenceLost = BigInt(b) - BigInt(large) - BigInt(difference)
    const found = differenceTail(b, large, difference)
    assert.equal(BigInt(found), differenceLost, `seed ${seed}, step ${step}`)
  }
})
