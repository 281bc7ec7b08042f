import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceByMarks, settleLegs } from '../../../engine/rfq/leg-prices.js'
import { Side } from '../../../schemas/domain.js'
import { isPremiumOf, netPremiumMicros, type PricedLeg } from '../../../schemas/net-premium.js'
import { uniformsOf } from '../pricing/random.js'
import { legOf, microsOf, rfqVectors } from './rfq-vectors.js'

const buy: PricedLeg = { side: Side.Buy, sizeLots: 100_000_000, priceMicros: 500_000_000 }
const sell: PricedLeg = { side: Side.Sell, sizeLots: 100_000_000, priceMicros: 200_000_000 }

/** Returns the amount that the taker receives for the legs, less its payments. */
function paid(
  legs: readonly PricedLeg[],
  cash: readonly { readonly cashMicros: number }[],
): number {
  let micros = 0
  for (const [index, { side }] of legs.entries()) {
    micros += side === Side.Buy ? -cash[index]!.cashMicros : cash[index]!.cashMicros
  }
  return micros
}

for (const { id, legs, net_premium, leg_prices, net_check } of rfqVectors.leg_allocation) {
  test(`vector ${id}: the legs of ${net_premium} by their marks`, () => {
    const marked = legs.map(legOf)
    const priced = priceByMarks(marked, microsOf(net_premium))
    assert.deepEqual(
      priced.map(({ priceMicros }) => priceMicros),
      leg_prices.map(microsOf),
    )
    const settled = settleLegs(priced, microsOf(net_premium))
    assert.equal(paid(marked, settled), microsOf(net_check))
  })
}

test('the difference to the net premium goes to the leg with the most cash', () => {
  assert.deepEqual(settleLegs([buy, sell], -300_000_002), [
    { priceMicros: 500_000_000, cashMicros: 500_000_002 },
    { priceMicros: 200_000_000, cashMicros: 200_000_000 },
  ])
  const turned = settleLegs([{ ...buy, side: Side.Sell }, sell], 699_999_999)
  assert.deepEqual(
    turned.map(({ cashMicros }) => cashMicros),
    [499_999_999, 200_000_000],
  )
})

test('no leg has a price below 0', () => {
  const small = { sizeLots: 1, priceMicros: 1 }
  const legs = [
    { ...small, side: Side.Buy },
    { ...small, side: Side.Sell },
  ]
  assert.deepEqual(
    settleLegs(legs, 1).map(({ cashMicros }) => cashMicros),
    [0, 1],
  )
  assert.deepEqual(
    settleLegs(legs, -1).map(({ cashMicros }) => cashMicros),
    [1, 0],
  )
})

test('legs of one side share the reduction of a net premium far below their rounded prices', () => {
  const sizeLots = 10_000_000_000_000
  const sells = Array.from({ length: 10 }, () => ({ ...sell, sizeLots }))
  const net = 510_000
  const settled = settleLegs(priceByMarks(sells, net), net)
  assert.deepEqual(
    settled.map(({ cashMicros }) => cashMicros),
    [0, 0, 0, 0, 10_000, 100_000, 100_000, 100_000, 100_000, 100_000],
  )
  assert.equal(paid(sells, settled), net)
})

test('a leg priced by its mark never has a price below 0, and the other side bears the rest', () => {
  const legs = [
    { ...buy, priceMicros: 1_000_000 },
    { ...sell, priceMicros: 1_000_000 },
  ]
  const priced = priceByMarks(legs, -10_000_000)
  assert.deepEqual(
    priced.map(({ priceMicros }) => priceMicros),
    [6_000_000, 0],
  )
  const settled = settleLegs(priced, -10_000_000)
  assert.deepEqual(
    settled.map(({ cashMicros }) => cashMicros),
    [10_000_000, 0],
  )
})

test('legs without value trade at 0, and one of them has the whole net premium', () => {
  const legs = [buy, sell].map((leg) => ({ ...leg, priceMicros: 0 }))
  assert.deepEqual(settleLegs(priceByMarks(legs, -5), -5), [
    { priceMicros: 0, cashMicros: 5 },
    { priceMicros: 0, cashMicros: 0 },
  ])
})

test('exactly the net premium changes hands, at quoted prices and by marks', () => {
  const uniform = uniformsOf(27)
  let [asQuoted, byMarks] = [0, 0]
  for (let round = 0; round < 4000; round++) {
    const legs = Array.from({ length: 1 + Math.floor(uniform() * 10) }, () => ({
      side: uniform() < 0.5 ? Side.Buy : Side.Sell,
      sizeLots: 1 + Math.floor(10 ** (uniform() * 11)),
      priceMicros: 1 + Math.floor(10 ** (uniform() * 10)),
    }))
    const net = netPremiumMicros(legs) + Math.floor(uniform() * 7) - 3
    if (isPremiumOf(legs, net)) {
      asQuoted++
      const settled = settleLegs(legs, net)
      assert.equal(paid(legs, settled), net, `round ${round}`)
      assert.ok(settled.every(({ cashMicros }) => cashMicros >= 0))
    }
    const isOneSided = legs.every(({ side }) => side === legs[0]!.side)
    const sign = isOneSided || uniform() < 0.5 ? 1 : -1
    const wanted = sign * Math.round(net * uniform() * 3) + 0
    if (isOneSided && Math.sign(wanted) !== (legs[0]!.side === Side.Buy ? -1 : 1)) continue
    byMarks++
    const settled = settleLegs(priceByMarks(legs, wanted), wanted)
    assert.equal(paid(legs, settled), wanted, `round ${round}`)
    assert.ok(settled.every(({ cashMicros, priceMicros }) => cashMicros >= 0 && priceMicros >= 0))
  }
  assert.ok(asQuoted > 2000 && byMarks > 2000, `${asQuoted}, ${byMarks}`)
})
