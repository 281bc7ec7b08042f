import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BookView, Requirement } from '../../../engine/risk/margin-model.js'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { Right, Side } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { uniformsOf } from '../pricing/random.js'
import { call100k, call110k, lots, micros, World } from './risk-fixture.js'

const contract = BigInt(lotsPerContract)

/** Returns max(0, -min payoff) at 0 and at every strike, in big integers, rounded up to the next micro. */
function naiveLoss(world: World, net: ReadonlyMap<number, number>): bigint {
  const { instruments } = world
  const held = [...net.keys()].filter((id) => net.get(id) !== 0)
  const strikes = held.map((id) => instruments.strikeMicros[id])
  let worst = 0n
  for (const x of [0, ...strikes]) {
    let payoff = 0n
    for (const [id, size] of net) {
      const strike = instruments.strikeMicros[id]
      const inside = instruments.right[id] === Right.Call ? x - strike : strike - x
      if (inside > 0) payoff += BigInt(inside) * BigInt(size)
    }
    const loss = payoff < 0n ? (-payoff + contract - 1n) / contract : 0n
    if (loss > worst) worst = loss
  }
  return worst
}

for (const seed of [1, 2, 3, 4]) {
  test(`the model's worst payoffs per expiry equal those at all strikes, seed ${seed}`, () => {
    const uniform = uniformsOf(seed)
    const world = new World({ standardIsDefinedRisk: true })
    world.spot('BTC', 100_000)
    const account = world.account(1_000_000)
    const nets = new Map<number, Map<number, number>>()
    const withSells = new Map<number, Map<number, number>>()
    const out = new Requirement()
    const summary = new MarginSummary()
    // Longs that pay nothing at any strike in between: no short is naked.
    for (const days of [2, 7, 30]) {
      for (const [right, strike] of [
        ['call', 1_000_000],
        ['put', 1],
      ] as const) {
        const cover = world.list({ right, strike, days, iv: 0.6 })
        world.give(account, cover, 1_000)
        addTo(nets, days, cover, lots(1_000))
        addTo(withSells, days, cover, lots(1_000))
      }
    }
    for (let step = 0; step < 200; step++) {
      const days = [2, 7, 30][Math.floor(uniform() * 3)]
      const strike = 80_000 + Math.floor(uniform() * 8) * 4_321.123457
      const right = uniform() < 0.5 ? 'call' : 'put'
      const instrument = world.list({ right, strike, days, iv: 0.6 })
      const size = Math.floor((uniform() - 0.5) * 3e8) + 0.5
      if (uniform() < 0.7) {
        const contracts = Math.round(size) / lotsPerContract
        world.give(account, instrument, contracts)
        addTo(nets, days, instrument, lots(contracts))
        addTo(withSells, days, instrument, lots(contracts))
      } else {
        const contracts = Math.abs(Math.round(size)) / lotsPerContract
        world.work(account, instrument, Side.Sell, contracts, 1_000_000)
        addTo(withSells, days, instrument, -lots(contracts))
      }
      const loss = sumOf(nets, (net) => naiveLoss(world, net))
      const lossWithSells = sumOf(withSells, (net) => naiveLoss(world, net))
      world.risk.summarize(account, summary)
      const value = BigInt(summary.equity - summary.cash)
      assert.equal(BigInt(summary.positionIm), value + loss, `seed ${seed}, step ${step}`)
      assert.equal(BigInt(summary.openOrdersIm), lossWithSells - loss, `seed ${seed}, step ${step}`)
      assert.equal(summary.openOrdersIm + summary.positionIm, summary.totalMarginUsed)
    }
    const bucket = world.risk.firstBucket[account]
    world.risk.modelOf(account).measure(bucket, new BookView(), out)
    assert.equal(out.uncoveredLots, 0)
  })
}

function addTo(
  groups: Map<number, Map<number, number>>,
  days: number,
  instrument: number,
  size: number,
): void {
  const net = groups.get(days) ?? new Map<number, number>()
  groups.set(days, net)
  net.set(instrument, (net.get(instrument) ?? 0) + size)
}

function sumOf(
  groups: ReadonlyMap<number, ReadonlyMap<number, number>>,
  amount: (net: ReadonlyMap<number, number>) => bigint,
): bigint {
  let sum = 0n
  for (const net of groups.values()) sum += amount(net)
  return sum
}

test('a credit spread at marks requires the specified own funds', () => {
  const world = new World({ standardIsDefinedRisk: true })
  world.spot('BTC', 100_000)
  const [short, long] = [world.list(call100k), world.list(call110k)]
  const account = world.account(10_000)
  world.fill(account, long, 1, 3_270.2605)
  assert.equal(world.check(account, short, Side.Sell, 1, 6_853.9), Result.InsufficientMargin)
  assert.equal(world.details.shortfall, micros(3_270.2605))
  assert.equal(world.details.equity - world.details.required, -micros(3_270.2605))
})
