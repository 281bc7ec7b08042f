import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PriceBand } from '../../../engine/pricing/price-bands.js'
import type { LegPrice } from '../../../engine/rfq/leg-prices.js'
import { priceLegs } from '../../../engine/rfq/price-legs.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import type { RfqLeg } from '../../../engine/state/rfq/rfq-row.js'
import { detailsCount, lotsPerContract } from '../../../schemas/bounds.js'
import { Side } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { RfqRig } from '../../support/rfq-rig.js'

const bands = { ...engineConfigDefault.bands, enabled: true }
const spread: readonly RfqLeg[] = [
  { instrument: 0, side: Side.Buy, sizeLots: lotsPerContract },
  { instrument: 1, side: Side.Sell, sizeLots: lotsPerContract },
]
const details = new Float64Array(detailsCount)

/** A market of calls, with the marks of the first two and the bands around them. */
function market(config: Partial<EngineConfig> = {}) {
  const { state } = new RfqRig(config).openCombos()
  const [first, second] = [0, 1].map((instrument) => {
    const band = new PriceBand()
    assert.ok(state.marks.bandOf(instrument, state.config.bands, band))
    return band
  }) as [PriceBand, PriceBand]
  const price = (prices: readonly number[], net: number, legs = spread) =>
    priceLegs(state, legs, prices, net, details.fill(0))
  return { state, first, second, price }
}

function pricesOf(legs: readonly LegPrice[] | Result): readonly number[] {
  assert.ok(typeof legs !== 'number', `result ${legs}`)
  return legs.map(({ priceMicros }) => priceMicros)
}

test('a price at either limit of its band trades, and one a micro further makes all legs trade by marks', () => {
  const { first, second, price } = market()
  for (const quoted of [
    [first.upperMicros, second.markMicros],
    [first.lowerMicros, second.markMicros],
    [first.markMicros, second.upperMicros],
    [first.markMicros, second.lowerMicros],
  ] as const) {
    assert.deepEqual(pricesOf(price(quoted, quoted[1] - quoted[0])), quoted)
  }
  for (const quoted of [
    [first.upperMicros + 1, second.markMicros],
    [first.lowerMicros - 1, second.markMicros],
    [first.markMicros, second.upperMicros + 1],
    [first.markMicros, second.lowerMicros - 1],
  ] as const) {
    const [one, other] = pricesOf(price(quoted, quoted[1] - quoted[0]))
    assert.ok(one !== quoted[0] && other !== quoted[1])
  }
})

test('enabled bands accept a net premium of prices within them, and return the minimum and the maximum', () => {
  const { first, second, price } = market({ bands })
  const least = second.lowerMicros - first.upperMicros
  const most = second.upperMicros - first.lowerMicros
  const prices = [first.markMicros, second.markMicros]
  for (const net of [least, most]) assert.equal(typeof price(prices, net), 'object')
  for (const net of [least - 1, most + 1]) {
    assert.equal(price(prices, net), Result.OutsidePriceBand)
    assert.deepEqual([...details.subarray(0, 2)], [least, most])
  }
  const sold: readonly RfqLeg[] = [{ ...spread[0]!, side: Side.Sell, sizeLots: 1 }]
  assert.equal(price(prices.slice(0, 1), -1, sold), Result.OutsidePriceBand)
  const { lowerMicros, upperMicros } = first
  const cut = [Math.floor(lowerMicros / lotsPerContract), Math.ceil(upperMicros / lotsPerContract)]
  assert.deepEqual([...details.subarray(0, 2)], cut, 'of a part of a micro, the wider ones')
})

test('without an index or a mark there are no prices', () => {
  const { state, first, second, price } = market()
  const prices = [first.markMicros, second.markMicros]
  state.marks.iv[1] = Number.NaN
  assert.equal(price(prices, 0), Result.NoMarkPrice)
  assert.equal(details[0], 1)
  state.marks.indexMicros[0] = Number.NaN
  assert.equal(price(prices, 0), Result.NoSpotPrice)
  assert.equal(details[0], 0)
})
