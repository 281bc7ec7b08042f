import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  checkSurface,
  Surface,
  surfaceGuardTexts,
  surfaceIv,
  surfaceIvSticky,
} from '../../../engine/pricing/surface.js'
import { millisPerYear } from '../../../engine/pricing/years.js'
import { SurfaceKind } from '../../../schemas/record-values.js'
import { readProjectJson } from '../../support/project.js'

interface Svi {
  readonly a: number
  readonly b: number
  readonly rho: number
  readonly m: number
  readonly s: number
}
interface Point {
  readonly strike: number
  readonly iv: number
}
interface Vectors {
  readonly tolerances: { readonly iv_absolute: number }
  readonly surface: {
    readonly svi: readonly {
      readonly id: string
      readonly svi: Svi
      readonly forward: number
      readonly t_ref_years: number
      readonly points: readonly Point[]
    }[]
    readonly svi_guards: readonly {
      readonly id: string
      readonly svi: Svi
      readonly refused: string | null
    }[]
    readonly points: readonly {
      readonly id: string
      readonly forward: number
      readonly points: readonly Point[]
      readonly expect: readonly Point[]
    }[]
  }
}

const { surface: vectors, tolerances } = readProjectJson<Vectors>('test/vectors/options.json')

function sviValues({ a, b, rho, m, s }: Svi): Float64Array {
  return Float64Array.of(a, b, rho, m, s)
}

function pointsValues(points: readonly Point[]): Float64Array {
  return Float64Array.from(points.flatMap(({ strike, iv }) => [strike, iv]))
}

function assertIv(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerances.iv_absolute, `${what}: ${actual}`)
}

test('SVI volatilities agree with the vectors', () => {
  for (const { id, svi, forward, t_ref_years, points } of vectors.svi) {
    const expiryMillis = Math.round(t_ref_years * millisPerYear)
    const surface = new Surface(SurfaceKind.Svi, expiryMillis, 0, 1e11, sviValues(svi))
    for (const { strike, iv } of points) assertIv(surfaceIv(surface, strike, forward), iv, id)
  }
})

test('the guards on SVI agree with the vectors, each with a text', () => {
  for (const { id, svi, refused } of vectors.svi_guards) {
    const guard = checkSurface(SurfaceKind.Svi, sviValues(svi))
    assert.equal(guard, refused, id)
    if (guard !== null) assert.ok(surfaceGuardTexts[guard].length > 0)
  }
})

test('points are interpolated as in the vectors, in any order of arrival', () => {
  for (const { id, forward, points, expect } of vectors.points) {
    for (const given of [points, points.toReversed()]) {
      const surface = new Surface(SurfaceKind.Points, 1e12, 0, 1e11, pointsValues(given))
      for (const { strike, iv } of expect) assertIv(surfaceIv(surface, strike, forward), iv, id)
    }
  }
})

test('points give their own volatility at their strikes, exactly, and one point is flat', () => {
  const values = Float64Array.of(90, 0.61, 100, 0.57, 103, 0.59, 110, 0.7)
  const surface = new Surface(SurfaceKind.Points, 1e12, 0, 1e8, values)
  for (let at = 0; at < values.length; at += 2) {
    assert.equal(surfaceIv(surface, values[at], 100), values[at + 1])
  }
  const flat = new Surface(SurfaceKind.Points, 1e12, 0, 1e8, Float64Array.of(100, 0.5))
  for (const strike of [1, 100, 1e6]) assert.equal(surfaceIv(flat, strike, 100), 0.5)
  assert.ok(Number.isNaN(surfaceIv(surface, Number.NaN, 100)))
})

test('the guards on points fail for empty, repeated and out-of-range points', () => {
  const check = (...values: number[]) => checkSurface(SurfaceKind.Points, Float64Array.from(values))
  assert.equal(check(), 'points_empty')
  assert.equal(check(100, 0.5, 110, 0.5, 100, 0.6), 'strikes_repeat')
  assert.equal(check(100, 0), 'iv_out_of_range')
  assert.equal(check(100, 20), null)
  assert.equal(check(100, 20.001), 'iv_out_of_range')
  assert.equal(check(0, 0.5), 'strike_not_positive')
  assert.equal(check(100, Number.NaN), 'not_finite')
  assert.equal(check(Number.POSITIVE_INFINITY, 0.5), 'not_finite')
  assert.equal(
    checkSurface(SurfaceKind.Svi, Float64Array.of(0.04, Number.NaN, 0, 0, 0.2)),
    'not_finite',
  )
})

test('a sticky surface is read at the strike scaled back to its reference index', () => {
  const values = Float64Array.of(90, 0.66, 100, 0.6, 110, 0.58)
  const surface = new Surface(SurfaceKind.Points, 1e12, 0, 100e6, values)
  assert.equal(surfaceIvSticky(surface, 99, 110, 110e6), surfaceIv(surface, 90, 100))
  const svi = new Surface(SurfaceKind.Svi, 1e10, 0, 100e6, Float64Array.of(0.04, 0.1, -0.3, 0, 0.2))
  assert.equal(surfaceIvSticky(svi, 99, 110, 110e6), surfaceIv(svi, 99, 110))
})

test('an SVI input taken at its expiry has no volatility', () => {
  const surface = new Surface(SurfaceKind.Svi, 5, 5, 1e11, Float64Array.of(0.04, 0.1, 0, 0, 0.2))
  assert.ok(Number.isNaN(surfaceIv(surface, 100, 100)))
})

test('a surface keeps a copy, and can be rebuilt from its five arguments', () => {
  const values = Float64Array.of(110, 0.58, 90, 0.66)
  const surface = new Surface(SurfaceKind.Points, 7, 3, 1e11, values)
  values.fill(9)
  const { kind, expiryMillis, takenAtMillis, referenceIndexMicros } = surface
  const again = new Surface(kind, expiryMillis, takenAtMillis, referenceIndexMicros, surface.values)
  assert.deepEqual(again, surface)
  assert.deepEqual([...surface.values], [90, 0.66, 110, 0.58])
})
