import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../engine/memory/state-codec.js'
import { StateHash } from '../../../engine/memory/state-hash.js'
import { FillEffect, fillTerms, MarginSummary } from '../../../engine/risk/order-check.js'
import { OrderFlag, Side, Tier } from '../../../schemas/domain.js'
import { naiveMargin } from './naive-margin.js'
import { accounts, mixedMarket, RandomMarket } from './random-market.js'
import { call100k, call110k, lots, micros, World } from './risk-fixture.js'

function assertAsNaive(market: RandomMarket, context: string): void {
  const summary = new MarginSummary()
  for (const [account, wallet] of market.wallets.entries()) {
    const expected = naiveMargin(market.world, account, wallet)
    market.world.risk.summarize(account, summary)
    const got = {
      equity: BigInt(summary.equity),
      positionIm: BigInt(summary.positionIm),
      positionMm: BigInt(summary.positionMm),
      openOrdersIm: BigInt(summary.openOrdersIm),
      perpIm: BigInt(summary.perpIm),
      premiumReserved: BigInt(summary.premiumReserved),
      scanningRisk: BigInt(summary.scanningRisk),
      optionFloor: BigInt(summary.optionFloor),
      gammaOverlay: BigInt(summary.gammaOverlay),
      counted: market.world.risk.positionsCounted[account],
    }
    assert.deepEqual(got, expected, `${context}, account ${account}`)
  }
}

for (const seed of [1, 2, 3, 4]) {
  test(`incremental margin equals the formulas applied to the book, seed ${seed}`, () => {
    const market = mixedMarket(seed)
    for (let step = 0; step < 400; step++) {
      market.step()
      if (step % 97 === 96) market.close()
      if (step % 8 === 0) assertAsNaive(market, `seed ${seed}, step ${step}`)
    }
  })

  test(`fills create and lose no money, seed ${seed}`, () => {
    const market = new RandomMarket(seed)
    for (let step = 0; step < 500; step++) {
      market.trade()
      if (step % 50 === 49) market.close()
    }
    const { risk } = market.world
    const { exposures } = risk
    let money = 0
    const net = new Map<number, number>()
    for (let account = 0; account < accounts; account++) {
      money += risk.cashMicros[account]
      let costs = 0
      for (let row = risk.firstExposure[account]; row >= 0; row = exposures.nextInAccount[row]) {
        const instrument = exposures.instrument[row]
        net.set(instrument, (net.get(instrument) ?? 0) + exposures.positionLots[row])
        // Nobody has paid the entry price of a perp.
        if (risk.isPerp(row)) money -= exposures.costMicros[row]
        else costs += exposures.costMicros[row]
      }
      const deposit = micros(10_000)
      const kept = deposit + risk.realizedTotalMicros[account] - costs
      assert.equal(
        risk.cashMicros[account],
        kept,
        `seed ${seed}: cash = deposits + realized - cost`,
      )
    }
    assert.equal(money, accounts * micros(10_000), `seed ${seed}`)
    for (const [instrument, size] of net) assert.equal(size, 0, `seed ${seed}, ${instrument}`)
  })

  test(`a restored engine has the same hash and the same margin, seed ${seed}`, () => {
    const market = new RandomMarket(seed)
    const { world } = market
    world.risk.setTier(1, Tier.MarketMaker)
    for (let step = 0; step < 300; step++) market.step()
    const writer = new StateWriter()
    world.risk.save(writer)
    const hash = new StateHash()
    const restored = world.newEngine(hash)
    const reader = new StateReader(writer.result())
    restored.load(reader)
    assert.ok(reader.atEnd())
    assert.deepEqual([hash.low, hash.high], [world.hash.low, world.hash.high], `seed ${seed}`)
    const before = market.wallets.map((_, account) => summaryOf(world.risk, account))
    for (const wallet of market.wallets) {
      for (const slot of [...wallet.slots].reverse()) restored.addOrder(slot)
    }
    const after = market.wallets.map((_, account) => summaryOf(restored, account))
    assert.deepEqual(after, before, `seed ${seed}`)
    for (let account = 0; account < accounts; account++) {
      const counted = world.risk.positionsCounted[account]
      assert.equal(restored.positionsCounted[account], counted)
    }
  })

  test(`an emptied engine has no rows left and the hash of cash alone, seed ${seed}`, () => {
    const market = new RandomMarket(seed)
    const { world } = market
    for (let step = 0; step < 300; step++) market.step()
    for (const wallet of market.wallets) {
      for (const slot of wallet.slots) world.risk.setOpen(slot, 0)
    }
    for (let round = 0; round < 200; round++) market.close()
    const { risk } = world
    for (let account = 0; account < accounts; account++) {
      assert.equal(risk.firstExposure[account], -1, `seed ${seed}`)
      assert.equal(risk.firstBucket[account], -1, `seed ${seed}`)
      assert.equal(world.risk.positionsCounted[account], 0)
    }
    const expected = new World()
    for (let account = 0; account < accounts; account++) {
      expected.account(0)
      expected.risk.creditCash(account, risk.cashMicros[account])
      const total = risk.realizedTotalMicros[account]
      expected.risk.hashRow(account, expected.hash, false)
      expected.risk.realizedTotalMicros[account] = total
      expected.risk.hashRow(account, expected.hash, true)
    }
    assert.deepEqual(
      [world.hash.low, world.hash.high],
      [expected.hash.low, expected.hash.high],
      `seed ${seed}`,
    )
  })
}

function summaryOf(risk: World['risk'], account: number): MarginSummary {
  const summary = new MarginSummary()
  risk.summarize(account, summary)
  return summary
}

test('paid premium returns as value, as in the equity examples', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const instrument = world.list(call110k)
  world.marks.markMicros[instrument] = micros(3_270)
  const [buyer, seller] = [world.account(10_000), world.account(10_000)]
  world.fill(buyer, instrument, 1, 3_000)
  world.fill(seller, instrument, -1, 3_000)
  assert.equal(summaryOf(world.risk, buyer).equity, micros(10_270))
  assert.equal(summaryOf(world.risk, buyer).unrealized, micros(270))
  assert.equal(summaryOf(world.risk, seller).equity, micros(9_730))
  assert.equal(summaryOf(world.risk, seller).unrealized, micros(-270))
})

test('a partial close takes its share of the cost, rounded half to even, and leaves the rest', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const instrument = world.list(call110k)
  const account = world.account(10_000)
  const { risk, effect } = world
  risk.fill(
    fillTerms({
      account,
      instrument,
      side: Side.Buy,
      sizeLots: 2,
      priceMicros: 5,
      premiumMicros: 5,
    }),
    effect,
  )
  risk.fill(
    fillTerms({
      account,
      instrument,
      side: Side.Sell,
      sizeLots: 1,
      priceMicros: 10,
      premiumMicros: 10,
    }),
    effect,
  )
  assert.deepEqual({ ...effect }, { ...effect, realizedMicros: 8, positionLots: 1, costMicros: 3 })
  risk.fill(
    fillTerms({
      account,
      instrument,
      side: Side.Sell,
      sizeLots: 1,
      priceMicros: 10,
      premiumMicros: 10,
    }),
    effect,
  )
  assert.deepEqual({ ...effect }, { ...effect, realizedMicros: 7, positionLots: 0, costMicros: 0 })
  assert.equal(risk.realizedTotalMicros[account], 15)
  assert.equal(risk.findExposure(account, instrument), -1)
})

test('a fill through 0 closes, then opens at the same price', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const instrument = world.list(call110k)
  const account = world.account(10_000)
  world.fill(account, instrument, 1, 3_000)
  const effect = world.fill(account, instrument, -3, 3_300)
  assert.equal(effect.realizedMicros, micros(300))
  assert.equal(effect.positionLots, lots(-2))
  assert.equal(effect.costMicros, micros(-6_600))
  assert.equal(effect.cashMicros, micros(10_000 - 3_000 + 9_900))
  const exposure = world.risk.findExposure(account, instrument)
  assert.equal(world.risk.entryPriceMicros(exposure), micros(3_300))
})

test('a fee reduces cash, not realized profit', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const account = world.account(100)
  const effect = new FillEffect()
  const instrument = world.list(call100k)
  world.risk.fill(
    fillTerms({
      account,
      instrument,
      side: Side.Buy,
      sizeLots: lots(1),
      priceMicros: 10,
      premiumMicros: 10,
      feeMicros: 3,
    }),
    effect,
  )
  assert.equal(effect.cashMicros, micros(100) - 13)
  assert.equal(effect.realizedMicros, 0)
})

test('the engine asserts on a credit to an unknown account, or of a fraction of a micro', () => {
  const world = new World()
  const account = world.account(100)
  assert.throws(() => world.risk.creditCash(-1, 5), /the account exists/)
  assert.throws(() => world.risk.creditCash(account + 1, 5), /the account exists/)
  assert.throws(() => world.risk.creditCash(account, 0.5), /whole micros/)
})

test('reduce-only counts other reduce-only orders of its side, but not the replaced one', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const instrument = world.list(call110k)
  const account = world.account(10_000)
  const { request, risk, orders } = world
  const increases = (contracts: number, replaced = -1, side: Side = Side.Sell): boolean => {
    world.check(account, instrument, side, contracts, 1, replaced)
    return risk.checkReduceOnly(request)
  }
  assert.equal(increases(1), true, 'there is no position')
  world.give(account, instrument, 3)
  assert.equal(increases(3), false)
  assert.equal(increases(3.00000001), true)
  assert.equal(increases(1, -1, Side.Buy), true)
  world.work(account, instrument, Side.Sell, 3, 1)
  assert.equal(increases(3), false, 'other orders do not count')
  const slot = world.work(account, instrument, Side.Sell, 2, 1)
  risk.setOpen(slot, 0)
  orders.flags[slot] = OrderFlag.ReduceOnly
  orders.openLots[slot] = lots(2)
  risk.addOrder(slot)
  assert.equal(increases(1), false)
  assert.equal(increases(1.5), true)
  assert.equal(increases(3, slot), false)
})

test('positions count once per instrument, together with orders that could open one', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const [first, second] = [world.list(call110k), world.list(call100k)]
  const account = world.account(10_000)
  const { risk, request } = world
  world.check(account, first, Side.Buy, 1, 1)
  assert.equal(risk.wouldOpenPosition(request), true)
  const slot = world.work(account, first, Side.Buy, 1, 1)
  assert.equal(risk.positionsCounted[account], 1)
  assert.equal(risk.wouldOpenPosition(request), false)
  world.give(account, first, 1)
  world.give(account, second, 1)
  assert.equal(risk.positionsCounted[account], 2)
  risk.setOpen(slot, 0)
  assert.equal(risk.positionsCounted[account], 2)
  world.give(account, first, -1)
  assert.equal(risk.positionsCounted[account], 1)
})

test('the short minimum follows the index even before the next re-mark', () => {
  const world = new World()
  const btc = world.spot('BTC', 100_000)
  const account = world.account(500_000)
  world.give(account, world.list({ ...call110k, strike: 200_000 }), -10)
  assert.equal(summaryOf(world.risk, account).positionIm, micros(100_000))
  world.marks.indexMicros[btc] = micros(110_000)
  assert.equal(summaryOf(world.risk, account).positionIm, micros(110_000))
})

test('neither option value nor reserved premium can be withdrawn', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const instrument = world.list(call110k)
  const account = world.account(1_000)
  world.give(account, instrument, 1)
  world.work(account, instrument, Side.Buy, 1, 400)
  const summary = summaryOf(world.risk, account)
  assert.ok(summary.available > micros(600))
  assert.equal(summary.withdrawable, micros(600))
  world.give(account, instrument, -2)
  assert.equal(summaryOf(world.risk, account).withdrawable, 0)
})

test("the last fill of an exposure's only order does not release it first, and it keeps its realized PnL", () => {
  const world = new World()
  world.spot('BTC', 100_000)
  const account = world.account(10_000)
  const call = world.list(call100k)
  const slot = world.work(account, call, Side.Buy, 0.01, 100)
  world.fill(account, call, 0.01, 100)
  world.fill(account, call, -0.01, 150)
  const exposure = world.risk.findExposure(account, call)
  const realizedMicros = world.risk.exposures.realizedMicros[exposure]
  assert.equal(realizedMicros, 500_000)
  world.risk.setOpen(slot, 0, true)
  world.fill(account, call, 0.01, 100)
  assert.equal(world.risk.findExposure(account, call), exposure)
  assert.equal(world.risk.exposures.realizedMicros[exposure], realizedMicros)
})
