import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentTable } from '../../../engine/pricing/instruments.js'
import { Marks } from '../../../engine/pricing/marks.js'
import {
  type MarksOptions,
  type PricingParameters,
  pricingParametersDefault,
} from '../../../engine/pricing/pricing-parameters.js'
import { microsOfUsd } from '../../../engine/pricing/rounding.js'
import {
  portfolioScenarios,
  riskParametersDefault,
  standardScenarios,
} from '../../../engine/pricing/scenarios.js'
import { Surface } from '../../../engine/pricing/surface.js'
import { InstrumentState, neverMillis, Right } from '../../../schemas/domain.js'
import { SurfaceKind } from '../../../schemas/record-values.js'
import { optionPriceOf } from '../../support/option-price.js'
import { readProjectJson } from '../../support/project.js'
import { portfolioArrays, standardArrays } from '../../support/risk-arrays.js'

interface RiskArrayVector {
  readonly id: string
  readonly instrument: {
    readonly right: 'call' | 'put'
    readonly spot: number
    readonly strike: number
    readonly days: number
    readonly iv: number
    readonly atm_iv: number
  }
  readonly mark: number
  readonly standard: readonly (readonly [string, number])[]
  readonly portfolio: readonly (readonly [string, number])[]
}
interface Vectors {
  readonly tolerances: { readonly margin_usd_per_contract: number }
  readonly risk_arrays: readonly RiskArrayVector[]
}

const vectors = readProjectJson<Vectors>('test/vectors/options.json')
const dayMillis = 86_400_000
const nowMillis = 1_700_000_000_000
const expiryMillis = nowMillis + 30 * dayMillis
/** Columns that are NaN where there is no mark. */
const markNames = [
  'markMicros',
  'iv',
  'delta',
  'gamma',
  'vegaPerPoint',
  'thetaPerDay',
  'rhoPerPoint',
] as const

function list(
  table: InstrumentTable,
  strike: number,
  right: Right = Right.Call,
  atMillis = expiryMillis,
  underlyingName = 'BTC',
): number {
  return table.add({
    underlyingName,
    expiryDate: 20_231_214 + Math.round((atMillis - expiryMillis) / dayMillis),
    expiryMillis: atMillis,
    strikeMicros: strike * 1e6,
    right,
    tradingMode: 3,
    listedMillis: nowMillis,
  })
}

function marksOf(
  table: InstrumentTable,
  pricing: Partial<PricingParameters> = {},
  options: Partial<MarksOptions> = {},
): Marks {
  const parameters = { ...pricingParametersDefault, ...pricing }
  return new Marks(table, {
    pricing: parameters,
    risk: riskParametersDefault,
    portfolio: true,
    ...options,
  })
}

function points(
  values: readonly number[],
  atMillis = expiryMillis,
  takenAtMillis = nowMillis,
): Surface {
  return new Surface(
    SurfaceKind.Points,
    atMillis,
    takenAtMillis,
    100_000e6,
    Float64Array.from(values),
  )
}

function chain(table: InstrumentTable): void {
  for (const days of [2, 7, 30]) {
    for (let strike = 80_000; strike <= 120_000; strike += 5000) {
      list(table, strike, Right.Call, nowMillis + days * dayMillis)
      list(table, strike, Right.Put, nowMillis + days * dayMillis)
    }
  }
}

function setInputs(marks: Marks, index = 100_000e6): void {
  marks.setIndex(0, index, nowMillis)
  marks.setSurface(0, points([90_000, 0.66, 100_000, 0.6, 110_000, 0.58]))
  marks.setSurface(0, points([100_000, 0.7], nowMillis + 2 * dayMillis))
}

/** All results of the listed instruments, as bits: NaN equals NaN, 0 differs from -0. */
function bitsOf(marks: Marks): string {
  const { count } = marks.instruments
  const columns = markNames.map((name) => marks[name].subarray(0, count))
  return [...columns, standardArrays(marks), portfolioArrays(marks)]
    .map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    )
    .join('/')
}

test('marks and risk arrays agree with the vectors', () => {
  for (const { id, instrument, mark, standard, portfolio } of vectors.risk_arrays) {
    const { spot, strike, days, iv, atm_iv } = instrument
    const table = new InstrumentTable()
    const atMillis = nowMillis + days * dayMillis
    const row = list(table, strike, instrument.right === 'call' ? Right.Call : Right.Put, atMillis)
    const marks = marksOf(table)
    marks.setIndex(0, spot * 1e6, nowMillis)
    marks.setSurface(0, points([spot, atm_iv, strike, iv], atMillis))
    marks.remark(0, nowMillis)
    assert.equal(marks.markMicros[row], microsOfUsd(mark), id)
    const room = vectors.tolerances.margin_usd_per_contract * 1e6
    for (const [j, [name, value]] of standard.entries()) {
      assert.equal(standardScenarios[j].id, name)
      const delta = standardArrays(marks)[row * standardScenarios.length + j]
      assert.ok(Number.isInteger(delta) && Math.abs(delta - value * 1e6) <= room, `${id} ${name}`)
    }
    for (const [j, [name, value]] of portfolio.entries()) {
      assert.equal(portfolioScenarios[j].id, name)
      const delta = portfolioArrays(marks)[row * portfolioScenarios.length + j]
      assert.ok(Number.isInteger(delta) && Math.abs(delta - value * 1e6) <= room, `${id} ${name}`)
    }
  }
})

test('a long contract never loses more than its mark, to the micro', () => {
  const table = new InstrumentTable()
  chain(table)
  const marks = marksOf(table)
  setInputs(marks)
  marks.remark(0, nowMillis)
  for (let row = 0; row < table.count; row++) {
    for (let j = 0; j < standardScenarios.length; j++) {
      assert.ok(
        marks.markMicros[row] + standardArrays(marks)[row * standardScenarios.length + j] >= 0,
      )
    }
  }
})

test('an older index observation is ignored, and an equal one counts', () => {
  const marks = marksOf(new InstrumentTable())
  assert.ok(Number.isNaN(marks.indexMicros[0]))
  assert.equal(marks.setIndex(0, 5e6, 100), true)
  assert.equal(marks.setIndex(0, 6e6, 99), false)
  assert.equal(marks.indexMicros[0], 5e6)
  assert.equal(marks.setIndex(0, 7e6, 100), true)
  assert.equal(marks.indexMicros[0], 7e6)
  assert.equal(marks.setIndex(40, 8e6, 1), true)
  assert.equal(marks.indexMicros[40], 8e6)
  assert.equal(marks.indexMicros[0], 7e6)
  assert.ok(Number.isNaN(marks.indexMicros[39]))
})

test('without index or volatility, marks are missing and risk arrays are 0', () => {
  const table = new InstrumentTable()
  const row = list(table, 110_000)
  const marks = marksOf(table)
  marks.remark(0, nowMillis)
  assert.ok(Number.isNaN(marks.markMicros[row]))
  assert.equal(marks.indexIsMissing(0, nowMillis), true)
  marks.setIndex(0, 100_000e6, nowMillis)
  marks.remark(0, nowMillis)
  assert.ok(Number.isNaN(marks.markMicros[row]))
  marks.setSurface(0, points([100_000, 0.6]))
  marks.remark(0, nowMillis)
  assert.equal(marks.markMicros[row], 3_270_260_505)
  assert.equal(marks.indexIsMissing(0, nowMillis + 60_000), false)
  assert.equal(marks.indexIsMissing(0, nowMillis + 60_001), true)
  marks.remark(0, nowMillis + 60_001)
  for (const name of markNames) assert.ok(Number.isNaN(marks[name][row]), name)
  assert.ok(standardArrays(marks).every((delta) => delta === 0))
  assert.ok(portfolioArrays(marks).every((delta) => delta === 0))
})

test('a stale surface makes marks missing while the index is fresh', () => {
  const table = new InstrumentTable()
  const row = list(table, 110_000)
  const marks = marksOf(table)
  setInputs(marks)
  const laterMillis = nowMillis + 300_001
  marks.setIndex(0, 100_000e6, laterMillis)
  marks.remark(0, laterMillis)
  assert.ok(Number.isNaN(marks.markMicros[row]))
  const lasting = marksOf(table, { indexMaxAgeMillis: 0, surfaceMaxAgeMillis: 0 })
  setInputs(lasting)
  lasting.remark(0, nowMillis + 20 * dayMillis)
  assert.ok(lasting.markMicros[row] > 0)
})

test('after expiry the mark is the payoff at the estimate, or else at the index', () => {
  const table = new InstrumentTable()
  const call = list(table, 90_000)
  const put = list(table, 110_000.5, Right.Put)
  const marks = marksOf(table, { indexMaxAgeMillis: 0, surfaceMaxAgeMillis: 0 })
  setInputs(marks)
  marks.remark(0, expiryMillis)
  assert.equal(marks.markMicros[call], 10_000e6)
  assert.equal(marks.markMicros[put], 10_000.5e6)
  assert.equal(marks.delta[call], 1)
  assert.equal(marks.delta[put], -1)
  assert.ok(standardArrays(marks).every((delta) => delta === 0))
  marks.setSettlementEstimate(0, expiryMillis, 112_000.25e6)
  table.state[call] = InstrumentState.ExpiredPendingPrice
  table.state[put] = InstrumentState.ExpiredPendingPrice
  marks.remark(0, expiryMillis + 1)
  assert.equal(marks.markMicros[call], 22_000.25e6)
  assert.equal(marks.markMicros[put], 0)
  table.state[call] = InstrumentState.Settled
  marks.markInstrument(call)
  assert.ok(Number.isNaN(marks.markMicros[call]))
  marks.removeExpiry(0, expiryMillis)
  assert.deepEqual(marks.inputsOf(0).estimates, [])
  assert.equal(marks.inputsOf(0).surfaces.length, 1)
})

test('an expired instrument keeps its payoff at the estimate when the index is stale', () => {
  const table = new InstrumentTable()
  const row = list(table, 90_000)
  const marks = marksOf(table)
  setInputs(marks)
  marks.remark(0, expiryMillis)
  assert.ok(Number.isNaN(marks.markMicros[row]))
  marks.setSettlementEstimate(0, expiryMillis, 100_000e6)
  marks.remark(0, expiryMillis)
  assert.equal(marks.markMicros[row], 10_000e6)
})

test('marks do not move before the re-mark, and slices show only when published', () => {
  const table = new InstrumentTable()
  chain(table)
  const marks = marksOf(table)
  const whole = marksOf(table)
  setInputs(marks)
  marks.remark(0, nowMillis)
  const before = bitsOf(marks)
  marks.setIndex(0, 101_000e6, nowMillis + 1)
  marks.beginRemark(0, nowMillis + 1)
  assert.equal(marks.remarkSlice(0, 0, 20), 20)
  marks.setIndex(0, 150_000e6, nowMillis + 2)
  assert.equal(marks.remarkSlice(0, 20, 20), 20)
  assert.equal(bitsOf(marks), before)
  assert.equal(marks.publishRemark(0), true)
  assert.equal(marks.lastMarkedMillis[0], nowMillis + 1)
  setInputs(whole, 101_000e6)
  whole.remark(0, nowMillis + 1)
  assert.equal(bitsOf(marks), bitsOf(whole))
  assert.equal(marks.publishRemark(0), false)
  assert.equal(marks.remarkSlice(0, 0, 20), 0)
})

test('slices of any length give the bits of one re-mark, whatever is listed in between', () => {
  for (const length of [1, 7, 1000]) {
    const table = new InstrumentTable()
    chain(table)
    const marks = marksOf(table)
    setInputs(marks)
    marks.beginRemark(0, nowMillis)
    let from = 0
    for (let marked = 1; marked > 0 && from < 40; from += marked) {
      marked = marks.remarkSlice(0, from, length)
    }
    table.remove(3)
    const added = list(table, 137_000)
    marks.publishRemark(0)
    const whole = marksOf(table)
    setInputs(whole)
    whole.remark(0, nowMillis)
    assert.ok(marks.markMicros[added] > 0)
    marks.markInstrument(3)
    assert.equal(bitsOf(marks), bitsOf(whole), `slices of ${length}`)
  }
})

test('slices become visible as a whole for every underlying, however the lists of instruments interleave', () => {
  const table = new InstrumentTable()
  for (let place = 0; place < 300; place++) {
    const name = place < 100 || place % 3 === 0 ? 'BTC' : 'ETH'
    list(table, 80_000 + place * 100, (place & 1) as Right, expiryMillis, name)
  }
  table.remove(50)
  const [sliced, whole] = [marksOf(table), marksOf(table)]
  for (const marks of [sliced, whole]) {
    for (const underlying of [0, 1]) {
      marks.setIndex(underlying, 100_000e6, nowMillis)
      marks.setSurface(underlying, points([90_000, 0.66, 110_000, 0.58]))
    }
  }
  for (const underlying of [0, 1]) {
    const { length } = table.ofUnderlying[underlying]!
    sliced.beginRemark(underlying, nowMillis)
    assert.equal(sliced.remarkSlice(underlying, 0, 1000), length)
    sliced.publishRemark(underlying)
    whole.remark(underlying, nowMillis)
    assert.equal(bitsOf(sliced), bitsOf(whole), `underlying ${underlying}`)
  }
})

test('a new instrument is marked with the inputs of the marks in force', () => {
  const table = new InstrumentTable()
  list(table, 100_000)
  const marks = marksOf(table)
  const early = list(table, 105_000)
  marks.markInstrument(early)
  assert.ok(Number.isNaN(marks.markMicros[early]))
  setInputs(marks)
  marks.remark(0, nowMillis)
  marks.setIndex(0, 150_000e6, nowMillis)
  for (let strike = 60_000; strike < 60_100; strike++) marks.markInstrument(list(table, strike))
  const row = list(table, 110_000)
  marks.markInstrument(row)
  const price = optionPriceOf(Right.Call, 100_000, 110_000, 0.58, 30 / 365, 1)
  assert.equal(marks.markMicros[row], microsOfUsd(price))
})

test('a restored instance computes the same bits, also for a re-mark in progress', () => {
  const table = new InstrumentTable()
  chain(table)
  const marks = marksOf(table, { rate: 0.04 })
  setInputs(marks)
  marks.remark(0, nowMillis)
  marks.setIndex(0, 102_000e6, nowMillis + 10)
  marks.setSurface(0, points([100_000, 0.9]))
  marks.beginRemark(0, nowMillis + 20)
  marks.remarkSlice(0, 0, 5)
  marks.setIndex(0, 103_000e6, nowMillis + 30)
  const restored = marksOf(table, { rate: 0.04 })
  restored.restore(0, marks.stateOf(0))
  assert.equal(bitsOf(restored), bitsOf(marks))
  assert.equal(restored.indexMicros[0], 103_000e6)
  assert.deepEqual(restored.stateOf(0), marks.stateOf(0))
  marks.publishRemark(0)
  restored.publishRemark(0)
  assert.equal(bitsOf(restored), bitsOf(marks))
  marks.remark(0, nowMillis + 40)
  restored.remark(0, nowMillis + 40)
  assert.equal(bitsOf(restored), bitsOf(marks))
  assert.deepEqual(restored.lastMarkedMillis, marks.lastMarkedMillis)
})

test('risk arrays do not depend on the time or number of requests', () => {
  const table = new InstrumentTable()
  chain(table)
  const perp = list(table, 0, Right.None, neverMillis)
  const [never, always, sometimes] = [marksOf(table), marksOf(table), marksOf(table)]
  const all = [never, always, sometimes]
  for (const marks of all) setInputs(marks)
  for (let step = 0; step < 6; step++) {
    const atMillis = nowMillis + step
    for (const marks of all) {
      marks.setIndex(0, 100_000e6 + step * 777e6, atMillis)
      marks.beginRemark(0, atMillis)
      marks.remarkSlice(0, 0, 30)
    }
    // One that is marked anew within a re-mark, and one that waits for its settlement price from then on.
    if (step === 3) table.state[5] = InstrumentState.ExpiredPendingPrice
    for (const marks of all) marks.markInstrument(step === 3 ? 5 : 7)
    bitsOf(always)
    if (step % 2 === 0) sometimes.standardDeltasOf(5)
    for (const marks of all) marks.publishRemark(0)
    if (step % 3 === 0) sometimes.portfolioDeltasOf(perp)
    assert.equal(bitsOf(sometimes), bitsOf(always), `step ${step}`)
  }
  assert.equal(bitsOf(never), bitsOf(always))
  assert.ok(portfolioArrays(never).some((delta) => delta !== 0))
})

test('without portfolio arrays the standard ones are the same', () => {
  const table = new InstrumentTable()
  chain(table)
  const [both, standardOnly] = [marksOf(table), marksOf(table, {}, { portfolio: false })]
  for (const marks of [both, standardOnly]) {
    setInputs(marks)
    marks.remark(0, nowMillis)
  }
  assert.equal(portfolioArrays(standardOnly).length, 0)
  assert.deepEqual(standardArrays(standardOnly), standardArrays(both))
})

test('underlyings are re-marked separately', () => {
  const table = new InstrumentTable()
  list(table, 100_000)
  const other = list(table, 100_000, Right.Call, expiryMillis, 'ETH')
  const marks = marksOf(table)
  setInputs(marks)
  marks.remark(0, nowMillis)
  assert.ok(Number.isNaN(marks.markMicros[other]))
  assert.ok(Number.isNaN(marks.lastMarkedMillis[1]))
})

test('inside the settlement window the fixed share of the average no longer moves', () => {
  const table = new InstrumentTable()
  const row = list(table, 105_000)
  const marks = marksOf(table, { settlementBlend: true, surfaceMaxAgeMillis: 0 })
  marks.setSurface(0, points([100_000, 0.6]))
  const atMillis = expiryMillis - 1_200_000
  marks.setIndex(0, 105_200e6, atMillis)
  marks.setSettlementEstimate(0, expiryMillis, 104_800e6)
  marks.remark(0, atMillis)
  const forward = (104_800 + 2 * 105_200) / 3
  const years = ((4 / 9) * 1200) / 3 / (365 * 86_400)
  const price = optionPriceOf(Right.Call, forward, 105_000, 0.6, years, 1)
  assert.ok(Math.abs(marks.markMicros[row] - price * 1e6) <= 1)
  assert.ok(marks.delta[row] > 0 && marks.delta[row] < 2 / 3)
  const spotUp = standardScenarios.findIndex((scenario) => scenario.id === 'SP10')
  const moved = (104_800 + 2 * 105_200 * 1.4) / 3 - 105_000
  const delta = standardArrays(marks)[row * standardScenarios.length + spotUp]
  assert.ok(Math.abs(marks.markMicros[row] + delta - moved * 1e6) <= 2)
})

test('with the settlement blend variance time is continuous at the start of the window', () => {
  const table = new InstrumentTable()
  const row = list(table, 100_000)
  const marks = marksOf(table, { settlementBlend: true, surfaceMaxAgeMillis: 0 })
  marks.setSurface(0, points([100_000, 0.6]))
  const startMillis = expiryMillis - 1_800_000
  marks.setIndex(0, 100_000e6, startMillis)
  marks.remark(0, startMillis)
  const tenMinutes = 600 / (365 * 86_400)
  const price = optionPriceOf(Right.Call, 100_000, 100_000, 0.6, tenMinutes, 1)
  assert.ok(Math.abs(marks.markMicros[row] - price * 1e6) <= 1)
  marks.remark(0, startMillis + 1)
  assert.ok(Math.abs(marks.markMicros[row] - price * 1e6) < 20_000)
})

test('a perp is marked at the index, and moves only with it, also in portfolio scenarios', () => {
  const table = new InstrumentTable()
  const perp = list(table, 0, Right.None, neverMillis)
  const marks = marksOf(table, { indexMaxAgeMillis: 60_000 })
  marks.setIndex(0, 100_000_000_001, nowMillis)
  assert.ok(!(marks.markMicros[perp]! >= 0), 'not before the re-mark')
  marks.remark(0, nowMillis)
  assert.equal(marks.markMicros[perp], 100_000_000_001)
  const { delta, gamma, vegaPerPoint, thetaPerDay, rhoPerPoint, iv } = marks
  const greeks = [delta, gamma, vegaPerPoint, thetaPerDay, rhoPerPoint].map(
    (column) => column[perp],
  )
  assert.deepEqual(greeks, [1, 0, 0, 0, 0])
  assert.ok(Number.isNaN(iv[perp]))
  const standard = standardArrays(marks)
  assert.ok(
    standard.every((value) => value === 0),
    'margin of its own there',
  )
  for (const [j, { spotShift }] of portfolioScenarios.entries()) {
    const expected = Math.round(100_000_000_001 * spotShift)
    assert.equal(portfolioArrays(marks)[j], expected + 0, `scenario ${j}`)
  }
  marks.remark(0, nowMillis + 60_001)
  assert.ok(Number.isNaN(marks.markMicros[perp]!), 'an index that is too old is no mark')
  assert.ok(portfolioArrays(marks).every((value) => value === 0))
})

test('a perp is marked in slices with the options of its underlying, and restored with them', () => {
  const table = new InstrumentTable()
  const option = list(table, 100_000)
  const perp = list(table, 0, Right.None, neverMillis)
  const marks = marksOf(table)
  marks.setIndex(0, 100_000e6, nowMillis)
  marks.setSurface(0, points([100_000, 0.6]))
  marks.remark(0, nowMillis)
  marks.setIndex(0, 101_000e6, nowMillis + 1)
  marks.beginRemark(0, nowMillis + 1)
  assert.equal(marks.remarkSlice(0, 1, 1), 1)
  assert.equal(marks.markMicros[perp], 100_000e6)
  marks.publishRemark(0)
  assert.equal(marks.markMicros[perp], 101_000e6)
  const restored = marksOf(table)
  restored.restore(0, marks.stateOf(0))
  assert.deepEqual(
    [option, perp].map((id) => restored.markMicros[id]),
    [option, perp].map((id) => marks.markMicros[id]),
  )
})
