import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  deltaOnePercentUsd,
  gammaOnePercentUsd,
  greeksOf,
  outOfTheMoneyComplement,
  outOfTheMoneyShare,
} from '../../../engine/pricing/black76.js'
import { exp, ln } from '../../../engine/pricing/exact.js'
import { impliedVolatility } from '../../../engine/pricing/implied-volatility.js'
import { InstrumentTable } from '../../../engine/pricing/instruments.js'
import { Marks } from '../../../engine/pricing/marks.js'
import { normalCdf } from '../../../engine/pricing/normal.js'
import {
  pricingParametersDefault,
  StaleSurface,
} from '../../../engine/pricing/pricing-parameters.js'
import { riskParametersDefault } from '../../../engine/pricing/scenarios.js'
import { Surface } from '../../../engine/pricing/surface.js'
import { Right } from '../../../schemas/domain.js'
import { SurfaceKind } from '../../../schemas/record-values.js'
import { portfolioArrays, standardArrays } from '../../support/risk-arrays.js'

// The hashes are of the bits of the results. They change only when the arithmetic is changed on
// purpose; a journal written before then replays to other marks, so the engine version changes too.
const functionsHash = '227afb9dc2f36b3f81488e3baa2d1121fb0eafa1154ec1d0fcc77733cb16a166'
const derivedHash = '56a3d0597ee6adabdb9f16a61c5823288650ffb5c6e4f670b0522fa479c3b038'
const windowHash = '43126c1901bd1ce9b82a2fb04ac2e3c340cfec3ca041aac7620b1043f34e27c2'
const marksHash = '3fb55babfe5307c21e39d615dc059ca24c1866ffa3cbd8289039fc9412aae969'

const nowMillis = 1_700_000_000_000
const dayMillis = 86_400_000

function hashOf(columns: readonly Float64Array[]): string {
  const hash = createHash('sha256')
  for (const column of columns) {
    const bytes = new DataView(new ArrayBuffer(8 * column.length))
    for (const [index, value] of column.entries()) bytes.setFloat64(8 * index, value, true)
    hash.update(bytes)
  }
  return hash.digest('hex')
}

/** Lists calls and puts at strikes all over the range, in every expiry. */
function listChain(table: InstrumentTable, expiries: readonly number[]): void {
  for (const [index, expiryMillis] of expiries.entries()) {
    for (let strike = 40_000; strike <= 200_000; strike += 4000) {
      for (const right of [Right.Call, Right.Put]) {
        table.add({
          underlyingName: 'BTC',
          expiryDate: 20_240_101 + index,
          expiryMillis,
          strikeMicros: strike * 1e6,
          right,
          tradingMode: 3,
          listedMillis: nowMillis,
        })
      }
    }
  }
}

/** Returns the columns that a re-mark wrote, for listed instruments only. */
function columnsOf(marks: Marks): Float64Array[] {
  const rows = marks.instruments.count
  const columns = [
    marks.markMicros,
    marks.iv,
    marks.delta,
    marks.gamma,
    marks.vegaPerPoint,
    marks.thetaPerDay,
    marks.rhoPerPoint,
  ]
  const used = columns.map((column) => column.subarray(0, rows))
  return [...used, standardArrays(marks), portfolioArrays(marks)]
}

test('the functions have the same bits on every machine and Node version', () => {
  const count = 20_000
  const results = new Float64Array(4 * count)
  for (let index = 0; index < count; index++) {
    results[index] = exp((index - count / 2) * 0.07071)
    results[count + index] = ln(exp((index - count / 2) * 0.0707) + index / 7)
    results[2 * count + index] = normalCdf((index - count / 2) * 0.0039)
    const strike = 40 + index / 100
    const iv = impliedVolatility(Right.Call, 100, strike, 0.1, Math.max(0, 100 - strike) + 3, 1)
    results[3 * count + index] = Number.isNaN(iv) ? 0 : iv
  }
  assert.equal(hashOf([results]), functionsHash)
})

test('greeks, volatilities of prices and shares of the bound have the same bits too', () => {
  const count = 5000
  const results: number[] = []
  for (let index = 0; index < count; index++) {
    const right = index % 2 === 0 ? Right.Call : Right.Put
    const strike = 20 + index / 25
    const iv = 0.02 + (index % 97) / 20
    const years = 0.0001 + (index % 31) / 9
    const rate = (index % 13) / 100 - 0.03
    const forward = index % 3 === 0 ? 101 + (index % 7) : null
    const greeks = greeksOf({ right, spot: 100, forward, strike, iv, years, rate })
    results.push(...Object.values(greeks))
    results.push(deltaOnePercentUsd(greeks.delta, 100), gammaOnePercentUsd(greeks.gamma, 100))
    // Prices in the upper half of their range, deep in the money, and of a rate: each its own branch.
    const discount = exp(-rate * years)
    const found = impliedVolatility(right, 100, strike, years, greeks.price, discount)
    results.push(Number.isNaN(found) ? 0 : found)
    results.push(outOfTheMoneyShare(index / 700, iv), outOfTheMoneyComplement(index / 700, iv))
  }
  assert.ok(results.every(Number.isFinite))
  assert.equal(hashOf([Float64Array.from(results)]), derivedHash)
})

test('marks in the settlement window, of stale surfaces and after expiry have the same bits too', () => {
  const table = new InstrumentTable()
  const expiries = [-1, 600, 1800, 5400, 86_400].map((seconds) => nowMillis + seconds * 1000)
  listChain(table, expiries)
  const pricing = {
    ...pricingParametersDefault,
    settlementBlend: true,
    staleSurface: StaleSurface.StickyMoneyness,
  }
  const marks = new Marks(table, { pricing, risk: riskParametersDefault, portfolio: true })
  const index = 97_531_246_813
  const takenMillis = nowMillis - pricing.surfaceMaxAgeMillis - 1
  marks.setIndex(0, index, nowMillis)
  const points = Float64Array.of(80_000, 0.71, 97_000, 0.58, 120_000, 0.63)
  for (const place of [1, 3]) {
    const surface = new Surface(SurfaceKind.Points, expiries[place], takenMillis, 95e9, points)
    marks.setSurface(0, surface)
  }
  for (const place of [0, 1]) marks.setSettlementEstimate(0, expiries[place], 96_543_219_876.5)
  marks.remark(0, nowMillis)
  const used = columnsOf(marks)
  const expiredCount = table.count / expiries.length
  const [missing] = used.map((column) => column.filter(Number.isNaN).length).filter(Boolean)
  assert.equal(missing, expiredCount, 'the volatility after expiry alone is missing')
  // The bits of a NaN do not matter.
  const columns = used.map((column) => column.map((value) => (Number.isNaN(value) ? -1 : value)))
  assert.equal(hashOf(columns), windowHash)
})

test('a re-mark has the same bits on every machine and Node version', () => {
  const table = new InstrumentTable()
  const expiries = [1, 2, 7, 30, 90].map((days) => nowMillis + days * dayMillis)
  listChain(table, expiries)
  const pricing = { ...pricingParametersDefault, rate: 0.03 }
  const marks = new Marks(table, { pricing, risk: riskParametersDefault, portfolio: true })
  const index = 97_531_246_813
  marks.setIndex(0, index, nowMillis)
  const points = Float64Array.of(80_000, 0.71, 97_000, 0.58, 120_000, 0.63)
  marks.setSurface(0, new Surface(SurfaceKind.Points, expiries[1], nowMillis, index, points))
  const svi = Float64Array.of(0.04, 0.1, -0.3, 0, 0.2)
  marks.setSurface(0, new Surface(SurfaceKind.Svi, expiries[3], nowMillis, index, svi))
  marks.remark(0, nowMillis)
  const used = columnsOf(marks)
  assert.ok(used.every((column) => !column.some(Number.isNaN)))
  assert.equal(hashOf(used), marksHash)
})
