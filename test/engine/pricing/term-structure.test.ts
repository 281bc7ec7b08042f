import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type PricingParameters,
  pricingParametersDefault,
  StaleSurface,
} from '../../../engine/pricing/pricing-parameters.js'
import { Surface } from '../../../engine/pricing/surface.js'
import { ExpirySurfaces, expiryIv, selectSurfaces } from '../../../engine/pricing/term-structure.js'
import { SurfaceKind } from '../../../schemas/record-values.js'
import { readProjectJson } from '../../support/project.js'

interface Vectors {
  readonly tolerances: { readonly iv_absolute: number }
  readonly surface: {
    readonly between_expiries: readonly {
      readonly id: string
      readonly days_1: number
      readonly iv_1: number
      readonly days_2: number
      readonly iv_2: number
      readonly days: number
      readonly iv: number
    }[]
  }
}

const dayMillis = 86_400_000
const nowMillis = 1_700_000_000_000
const index = 100_000e6
const parameters: PricingParameters = pricingParametersDefault

function flat(days: number, iv: number, takenAtMillis = nowMillis): Surface {
  const values = Float64Array.of(100_000, iv)
  return new Surface(SurfaceKind.Points, nowMillis + days * dayMillis, takenAtMillis, index, values)
}

function ivAt(
  surfaces: readonly Surface[],
  days: number,
  moneyness = 1,
  changes: Partial<PricingParameters> = {},
): number {
  const out = new ExpirySurfaces()
  const expiryMillis = nowMillis + days * dayMillis
  selectSurfaces(out, surfaces, expiryMillis, nowMillis, index, { ...parameters, ...changes })
  return expiryIv(out, 100_000 * moneyness, moneyness)
}

test('volatilities between expiries agree with the vectors', () => {
  const vectors = readProjectJson<Vectors>('test/vectors/options.json')
  for (const vector of vectors.surface.between_expiries) {
    const surfaces = [flat(vector.days_1, vector.iv_1), flat(vector.days_2, vector.iv_2)]
    const iv = ivAt(surfaces, vector.days)
    assert.ok(Math.abs(iv - vector.iv) <= vectors.tolerances.iv_absolute, `${vector.id}: ${iv}`)
  }
})

test('an expiry with its own surface reads no other', () => {
  assert.equal(ivAt([flat(7, 0.6), flat(14, 0.9), flat(30, 0.55)], 14), 0.9)
})

test('of several expiries the nearest on each side count', () => {
  const all = [flat(1, 2), flat(7, 0.6), flat(30, 0.55), flat(90, 3)]
  assert.equal(ivAt(all, 14), ivAt([flat(7, 0.6), flat(30, 0.55)], 14))
})

test('total variance never falls between two expiries, at every moneyness', () => {
  const surfaces = [flat(7, 0.9), flat(30, 0.4)]
  let previous = 0
  for (let days = 7; days < 30; days++) {
    const iv = ivAt(surfaces, days, 1.1)
    const variance = iv * iv * days
    assert.ok(variance >= previous * (1 - 1e-15), `falls at ${days} days`)
    previous = variance
  }
})

test('neighbours are read at equal moneyness, each with its own forward', () => {
  const early = new Surface(
    SurfaceKind.Points,
    nowMillis + 73 * dayMillis,
    nowMillis,
    index,
    Float64Array.of(100_000, 0.4, 110_000, 0.5),
  )
  const out = new ExpirySurfaces()
  const expiryMillis = nowMillis + 100 * dayMillis
  selectSurfaces(out, [early], expiryMillis, nowMillis, index, { ...parameters, rate: 0.1 })
  const forward = 100_000 * 1.0202013400267558 // e^(0.1·73/365)
  const expected = expiryIv(out, 1, 105_000 / forward)
  const surface = new ExpirySurfaces()
  selectSurfaces(surface, [early], early.expiryMillis, nowMillis, index, parameters)
  assert.ok(Math.abs(expected - expiryIv(surface, 105_000, 1)) < 1e-12)
})

test('expired surfaces are no neighbours, and without any input the volatility is missing', () => {
  assert.equal(ivAt([flat(-1, 0.9), flat(30, 0.5)], 7), 0.5)
  assert.equal(ivAt([flat(0, 0.9), flat(30, 0.5)], 7), 0.5)
  assert.ok(Number.isNaN(ivAt([flat(-1, 0.9)], 7)))
  assert.ok(Number.isNaN(ivAt([], 7)))
})

test('a stale surface is missing, also as a neighbour, unless the limit is 0', () => {
  const old = nowMillis - parameters.surfaceMaxAgeMillis
  assert.equal(ivAt([flat(7, 0.6, old)], 7), 0.6)
  assert.ok(Number.isNaN(ivAt([flat(7, 0.6, old - 1)], 7)))
  assert.ok(Number.isNaN(ivAt([flat(7, 0.6), flat(14, 0.6, old - 1), flat(30, 0.6)], 14)))
  assert.ok(Number.isNaN(ivAt([flat(7, 0.6), flat(30, 0.6, old - 1)], 14)))
  assert.equal(ivAt([flat(7, 0.6, 0)], 7, 1, { surfaceMaxAgeMillis: 0 }), 0.6)
})

test('a stale surface may be read at sticky moneyness', () => {
  const values = Float64Array.of(90_000, 0.66, 100_000, 0.6)
  const surface = new Surface(SurfaceKind.Points, nowMillis + dayMillis, 0, 50_000e6, values)
  const changes = { staleSurface: StaleSurface.StickyMoneyness }
  // Strike 180,000 at index 100,000 is 90,000 at the reference index of 50,000.
  assert.equal(ivAt([surface], 1, 1.8, changes), 0.66)
  assert.equal(ivAt([surface], 1, 2, changes), 0.6)
})
