import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalCdf, normalPdf, scaledMills } from '../../../engine/pricing/normal.js'
import { readProjectJson } from '../../support/project.js'
import { fixedOf, normalCdfFixed } from './reference.js'

interface Vectors {
  readonly normal_cdf: readonly { readonly x: number; readonly n: number }[]
}

const bits = 2600

/** Relative error of N(x), against the series with 2,600 bits. */
function cdfError(x: number): number {
  const reference = normalCdfFixed(x, bits)
  const difference = fixedOf(normalCdf(x), bits) - reference
  return Math.abs(Number((difference << 64n) / reference) / 2 ** 64)
}

test('the distribution function agrees with the vectors', () => {
  const { normal_cdf } = readProjectJson<Vectors>('test/vectors/options.json')
  for (const { x, n } of normal_cdf) {
    assert.ok(Math.abs(normalCdf(x) / n - 1) < 1e-12, `N(${x}) is ${normalCdf(x)}`)
  }
})

test('the distribution function keeps 1e-15 of relative accuracy far into the tail', () => {
  for (const x of [-1e-9, -0.031, -0.03125, -0.1, -0.5, -1, -1.96, -3, -4.9, -8, -10, -15.7, -20]) {
    assert.ok(cdfError(x) < 1e-15, `N(${x}) is off by ${cdfError(x)}`)
  }
  for (const x of [-25.03, -30, -33.3, -37]) {
    assert.ok(cdfError(x) < 1e-15, `N(${x}) is off by ${cdfError(x)}`)
  }
  for (const x of [0.1, 1, 1.96, 3, 8]) {
    assert.ok(cdfError(x) < 4e-16, `N(${x}) is off by ${cdfError(x)}`)
  }
})

test('the distribution function is a half at 0 and ends at 0 and 1', () => {
  assert.equal(normalCdf(0), 0.5)
  assert.equal(normalCdf(-0), 0.5)
  assert.equal(normalCdf(9), 1)
  assert.equal(normalCdf(40), 1)
  assert.equal(normalCdf(Number.POSITIVE_INFINITY), 1)
  assert.equal(normalCdf(-40), 0)
  assert.equal(normalCdf(Number.NEGATIVE_INFINITY), 0)
  assert.ok(normalCdf(-38) > 0)
  assert.ok(Number.isNaN(normalCdf(Number.NaN)))
})

test('the distribution function never falls, and its halves add up to 1', () => {
  let previous = 0
  for (let x = -39; x < 10; x += 0.0078125) {
    const value = normalCdf(x)
    assert.ok(value >= previous * (1 - 1e-15), `falls at ${x}`)
    assert.ok(Math.abs(value + normalCdf(-x) - 1) < 3e-16, `halves at ${x}`)
    previous = value
  }
})

test('the density has its known values and satisfies n(x) = N(-x) / T(x) / √(2π)', () => {
  assert.equal(normalPdf(0), 0.3989422804014327)
  assert.ok(Math.abs(normalPdf(1) / 0.24197072451914337 - 1) < 4e-16)
  assert.equal(normalPdf(50), 0)
  for (let x = 0.3; x < 37; x += 1.7) {
    const ratio = normalCdf(-x) / scaledMills(x) / Math.sqrt(2 * Math.PI)
    assert.ok(Math.abs(ratio / normalPdf(x) - 1) < 1e-15)
  }
})

test('the Mills ratio joins its continued fraction at the end of the table', () => {
  const inside = scaledMills(40)
  const outside = scaledMills(40.000000000000007)
  assert.ok(Math.abs(outside / inside - 1) < 1e-15)
  assert.ok(Math.abs(scaledMills(1e6) * 1e6 - 0.3989422804014327) < 1e-12)
  assert.equal(scaledMills(Number.POSITIVE_INFINITY), 0)
})
