import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentTable } from '../../../engine/pricing/instruments.js'
import { Marks } from '../../../engine/pricing/marks.js'
import {
  type BandParameters,
  bandParametersDefault,
  PriceBand,
  widenBand,
} from '../../../engine/pricing/price-bands.js'
import {
  type PricingParameters,
  pricingParametersDefault,
} from '../../../engine/pricing/pricing-parameters.js'
import { riskParametersDefault } from '../../../engine/pricing/scenarios.js'
import { Surface } from '../../../engine/pricing/surface.js'
import { InstrumentState, Right } from '../../../schemas/domain.js'
import { SurfaceKind } from '../../../schemas/record-values.js'
import { optionPriceOf } from '../../support/option-price.js'
import { readProjectJson } from '../../support/project.js'

interface Vectors {
  readonly price_bands: readonly {
    readonly id: string
    readonly right: 'call' | 'put'
    readonly spot: number
    readonly strike: number
    readonly iv: number
    readonly days: number
    readonly mark: number
    readonly spot_shift: number
    readonly vol_shift: number
    readonly min_half_width: number
    readonly lower: number
    readonly upper: number
  }[]
}

const vectors = readProjectJson<Vectors>('test/vectors/options.json').price_bands
const dayMillis = 86_400_000
const nowMillis = 1_700_000_000_000
const parameters: BandParameters = { ...bandParametersDefault, enabled: true }
const micros = (usd: number) => Math.round(usd * 1e6)

/** Marks of one option at a flat volatility of 0.6; index 100,000 and 30 days by default. */
class Bench {
  readonly table = new InstrumentTable()
  readonly marks: Marks
  readonly expiryMillis: number
  readonly #band = new PriceBand()

  constructor(
    strike: number,
    right: Right = Right.Call,
    days = 30,
    pricing: Partial<PricingParameters> = {},
  ) {
    this.expiryMillis = nowMillis + days * dayMillis
    this.marks = new Marks(this.table, {
      pricing: { ...pricingParametersDefault, ...pricing },
      risk: riskParametersDefault,
      portfolio: false,
    })
    this.list(strike, right)
  }

  list(strike: number, right: Right = Right.Call): number {
    return this.table.add({
      underlyingName: 'BTC',
      expiryDate: 20_231_214,
      expiryMillis: this.expiryMillis,
      strikeMicros: strike * 1e6,
      right,
      tradingMode: 3,
      listedMillis: nowMillis,
    })
  }

  mark(index = 100_000, iv = 0.6, atMillis = nowMillis): this {
    const points = Float64Array.of(100_000, iv)
    const kind = SurfaceKind.Points
    this.marks.setIndex(0, index * 1e6, atMillis)
    this.marks.setSurface(0, new Surface(kind, this.expiryMillis, atMillis, index * 1e6, points))
    this.marks.remark(0, atMillis)
    return this
  }

  /** Lower and upper limit in micros, null where there is none. */
  band(wanted: Partial<BandParameters> = {}, instrument = 0): [number, number] | null {
    const isThere = this.marks.bandOf(instrument, { ...parameters, ...wanted }, this.#band)
    return isThere ? [this.#band.lowerMicros, this.#band.upperMicros] : null
  }
}

test('bands agree with the vectors to the micro', () => {
  assert.ok(vectors.length >= 2)
  for (const vector of vectors) {
    const { id, right, spot, strike, iv, days, spot_shift, vol_shift, min_half_width } = vector
    const bench = new Bench(strike, right === 'call' ? Right.Call : Right.Put, days)
    bench.mark(spot, iv)
    const minHalfWidth = min_half_width / spot
    const wanted = { spotShift: spot_shift, volShift: vol_shift, minHalfWidth }
    assert.equal(bench.marks.markMicros[0], micros(vector.mark), id)
    assert.deepEqual(bench.band(wanted), [micros(vector.lower), micros(vector.upper)], id)
    assert.deepEqual(bench.band(), [micros(vector.lower), micros(vector.upper)], `${id}: default`)
  }
})

test('a put falls when the index rises: its limits are those corners, two ticks further', () => {
  const bench = new Bench(90_000, Right.Put).mark()
  const price = (spot: number, iv: number) =>
    optionPriceOf(Right.Put, spot, 90_000, iv, 30 / 365, 1)
  const least = micros(price(105_000, 0.57))
  const greatest = micros(price(95_000, 0.63))
  assert.deepEqual(bench.band(), [least - 200, greatest + 200])
  assert.deepEqual(bench.band({ ticks: 0 }), [least, greatest])
})

test('limits keep their distance from the mark where the nine prices lie close to it', () => {
  const bench = new Bench(110_000).mark()
  const mark = bench.marks.markMicros[0]
  const still = { spotShift: 0, volShift: 0 }
  assert.deepEqual(bench.band(still), [mark - 50e6, mark + 50e6])
  assert.deepEqual(bench.band({ ...still, minHalfWidth: 0 }), [mark - 200, mark + 200])
})

test('a band belongs to the marks in force, whatever inputs have arrived since', () => {
  const bench = new Bench(110_000).mark()
  const before = bench.band()
  const { marks } = bench
  marks.setIndex(0, 120_000e6, nowMillis + 1)
  assert.deepEqual(bench.band(), before)
  marks.beginRemark(0, nowMillis + 1)
  marks.remarkSlice(0, 0, 1)
  assert.deepEqual(bench.band(), before, 'marked in the shadow set')
  marks.publishRemark(0)
  assert.ok(bench.band()![0] > before![0])
  const restored = new Bench(110_000)
  restored.marks.restore(0, marks.stateOf(0))
  assert.deepEqual(restored.band(), bench.band(), 'restored from a snapshot')
})

test('repeated limits are the same until the next re-mark or other parameters', () => {
  const bench = new Bench(110_000).mark()
  const { marks } = bench
  const band = new PriceBand()
  const limits = (wanted = parameters, instrument = 0) => {
    Object.assign(band, { markMicros: -1, lowerMicros: -1, upperMicros: -1 })
    assert.ok(marks.bandOf(instrument, wanted, band))
    assert.equal(band.markMicros, marks.markMicros[instrument])
    return [band.lowerMicros, band.upperMicros]
  }
  const first = limits()
  assert.deepEqual([limits(), limits()], [first, first])
  const wide = { ...parameters, spotShift: 0.1 }
  assert.ok(limits(wide)[1]! > first[1]!)
  assert.deepEqual(limits(), first)
  bench.mark(105_000)
  const second = limits()
  assert.ok(second[0]! > first[0]!)
  for (let strike = 1; strike <= 300; strike++) bench.list(strike * 500 + 1)
  bench.marks.remark(0, nowMillis)
  assert.deepEqual(limits(), second, 'after the columns have grown')
  assert.notDeepEqual(limits(parameters, 230), second)
})

test('without a mark and a volatility there is no band', () => {
  const bench = new Bench(110_000)
  assert.equal(bench.band(), null, 'before the first re-mark')
  bench.mark()
  assert.notEqual(bench.band(), null)
  const second = bench.list(120_000)
  assert.equal(bench.band({}, second), null, 'listed, not marked yet')
  assert.equal(bench.band({}, 1000), null, 'beyond the columns')
  bench.marks.remark(0, nowMillis + 300_001)
  assert.equal(bench.band(), null, 'marks too old')
  bench.mark(100_000, 0.6, bench.expiryMillis)
  assert.ok(bench.marks.markMicros[0] >= 0)
  assert.equal(bench.band(), null, 'expired: a payoff has no volatility')
  bench.table.state[0] = InstrumentState.Settled
  bench.marks.remark(0, bench.expiryMillis)
  assert.equal(bench.band(), null, 'settled')
})

test('within the settlement window the index moves only the open part of the average', () => {
  const bench = new Bench(105_000, Right.Call, 30, { settlementBlend: true })
  const atMillis = bench.expiryMillis - 1_200_000
  bench.marks.setSettlementEstimate(0, bench.expiryMillis, 104_800e6)
  bench.mark(105_200, 0.6, atMillis)
  const years = ((4 / 9) * 1200) / 3 / (365 * 86_400)
  const price = (spot: number, iv: number) =>
    optionPriceOf(Right.Call, (104_800 + 2 * spot) / 3, 105_000, iv, years, 1)
  const [lower, upper] = bench.band({ minHalfWidth: 0 })!
  assert.equal(lower, 0)
  assert.ok(Math.abs(upper - price(105_200 * 1.05, 0.63) * 1e6 - 200) <= 1)
})

test('a band factor multiplies the distance from the mark on either side, down to 0', () => {
  const band = Object.assign(new PriceBand(), {
    markMicros: 100,
    lowerMicros: 71,
    upperMicros: 141,
  })
  widenBand(band, 2)
  assert.deepEqual([band.lowerMicros, band.upperMicros], [42, 182])
  widenBand(band, 1.1)
  assert.deepEqual([band.lowerMicros, band.upperMicros], [36, 191], 'outwards to the next micro')
  widenBand(band, 2)
  assert.equal(band.lowerMicros, 0)
})
