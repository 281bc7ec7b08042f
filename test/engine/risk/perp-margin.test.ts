import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarginBound } from '../../../engine/risk/margin-model.js'
import { MarginSummary, PositionMargin } from '../../../engine/risk/order-check.js'
import { MarginMode, Side, Tier } from '../../../schemas/domain.js'
import { Result, scenariosPerModel } from '../../../schemas/results.js'
import { call110k, micros, World, type WorldOptions } from './risk-fixture.js'

const index = 100_000

function marketOf(cash: number, options: WorldOptions = {}) {
  const world = new World(options)
  world.spot('BTC', index)
  return { world, perp: world.listPerp('BTC'), account: world.account(cash) }
}

function summaryOf(world: World, account: number): Record<string, number> {
  const summary = new MarginSummary()
  world.risk.summarize(account, summary)
  const fields = Object.entries(summary).map(([name, value]) => [name, Number(value) / 1e6])
  return Object.fromEntries(fields)
}

test('entering a perp moves no cash, and reducing it pays its price change', () => {
  const { world, perp, account } = marketOf(10_000)
  world.fill(account, perp, 2, 98_000)
  assert.equal(world.effect.cashMicros, micros(10_000))
  assert.equal(world.effect.costMicros, micros(196_000))
  world.fill(account, perp, -0.5, 99_000)
  assert.equal(world.effect.realizedMicros, micros(500))
  assert.equal(world.effect.cashMicros, micros(10_500))
  assert.equal(world.effect.costMicros, micros(147_000))
})

test('a fill through zero realizes what it closes and enters for the rest', () => {
  const { world, perp, account } = marketOf(10_000)
  world.fill(account, perp, -1, 101_000)
  world.fill(account, perp, 3, 102_000)
  assert.equal(world.effect.realizedMicros, micros(-1000))
  assert.equal(world.effect.cashMicros, micros(9000))
  assert.equal(world.effect.positionLots, 2e8)
  assert.equal(world.effect.costMicros, micros(204_000))
  const row = world.risk.findExposure(account, perp)
  assert.equal(world.risk.entryPriceMicros(row), micros(102_000))
})

test('equity and unrealized profit follow the mark, and cash does not', () => {
  const { world, perp, account } = marketOf(10_000)
  world.fill(account, perp, -0.5, index)
  world.marks.markPerp(perp, 104_000)
  world.risk.newMarks(0)
  const { cash, equity, unrealized, positionIm, perpIm, positionMm } = summaryOf(world, account)
  assert.deepEqual([cash, equity, unrealized], [10_000, 8000, -2000])
  assert.deepEqual([positionIm, perpIm, positionMm], [5200, 5200, 2600])
})

test('working perp orders reserve what they give away against the mark, and no premium', () => {
  const { world, perp, account } = marketOf(100_000)
  world.work(account, perp, Side.Buy, 2, 100_100)
  world.work(account, perp, Side.Buy, 1, 99_000)
  world.work(account, perp, Side.Sell, 1, 99_500)
  const { premiumReserved, openOrdersIm, positionIm } = summaryOf(world, account)
  assert.deepEqual([premiumReserved, positionIm], [0, 0])
  assert.equal(openOrdersIm, 200 + 500 + 0.1 * index * 3)
})

test("under defined_risk a perp has its own margin in addition to the options'", () => {
  const { world, perp, account } = marketOf(20_000, { standardIsDefinedRisk: true })
  world.fill(account, world.list(call110k), 1, 3000)
  world.fill(account, perp, -1, index)
  const before = summaryOf(world, account)
  assert.equal(before['available'], 20_000 - 3000 - 10_000)
  assert.equal(before['perpIm'], 10_000)
  world.work(account, perp, Side.Sell, 0.1, 99_000)
  assert.equal(summaryOf(world, account)['available'], 20_000 - 3000 - 11_000 - 100)
})

test('the core rejects a perp order beyond the funds, bound by the perp, to the micro', () => {
  const { world, perp, account } = marketOf(10_000)
  assert.equal(world.check(account, perp, Side.Buy, 1, index), Result.Accepted)
  assert.equal(world.check(account, perp, Side.Buy, 1.000_000_01, index), Result.InsufficientMargin)
  const { details } = world
  assert.equal(details.bound_by, MarginBound.Perp)
  assert.deepEqual(
    [details.required, details.consumed_im, details.incremental_im, details.incremental_mm],
    [10_000_000_100, 0, 10_000_000_100, 5_000_000_050],
  )
})

test('the core margins the larger side of working buys and sells, not both', () => {
  const { world, perp, account } = marketOf(10_000)
  world.work(account, perp, Side.Buy, 1, 99_000)
  assert.equal(world.check(account, perp, Side.Sell, 1, 101_000), Result.Accepted)
  world.work(account, perp, Side.Sell, 1, 101_000)
  assert.equal(world.check(account, perp, Side.Sell, 0.01, 101_000), Result.InsufficientMargin)
})

test('a replaced perp order no longer counts in the check', () => {
  const { world, perp, account } = marketOf(10_000)
  const slot = world.work(account, perp, Side.Buy, 0.9, 101_000)
  assert.equal(world.check(account, perp, Side.Buy, 0.99, 100_100), Result.InsufficientMargin)
  assert.equal(world.check(account, perp, Side.Buy, 0.99, 100_100, slot), Result.Accepted)
})

test('a reducing order passes when the wallet is below its margin', () => {
  const { world, perp, account } = marketOf(10_000)
  world.fill(account, perp, 1, index)
  world.marks.markPerp(perp, 91_000)
  world.marks.indexMicros[0] = micros(91_000)
  world.risk.newMarks(0)
  assert.equal(world.check(account, perp, Side.Sell, 1, 91_000), Result.Accepted)
  assert.equal(world.check(account, perp, Side.Sell, 1.01, 91_000), Result.InsufficientMargin)
  assert.equal(world.check(account, perp, Side.Buy, 0.01, 91_000), Result.InsufficientMargin)
})

test('a long-only wallet may not sell a perp that it does not hold', () => {
  const { world, perp, account } = marketOf(1_000_000)
  world.risk.setTier(account, Tier.Tier1)
  assert.equal(world.check(account, perp, Side.Sell, 1, index), Result.TierLongOnly)
  world.fill(account, perp, 1, index)
  assert.equal(world.check(account, perp, Side.Sell, 1, index), Result.Accepted)
})

test('without a mark the core admits neither side of a perp, and its holder has to wait', () => {
  const { world, perp, account } = marketOf(1_000_000)
  world.fill(account, perp, 1, index)
  const slot = world.work(account, perp, Side.Buy, 1, 90_000)
  world.marks.unmark(perp)
  world.risk.newMarks(0)
  assert.ok(world.risk.lacksMarks(account))
  assert.equal(world.check(account, perp, Side.Buy, 1, index), Result.NoMarkPrice)
  assert.equal(world.details.symbol, perp)
  const option = world.list(call110k)
  assert.equal(world.check(account, option, Side.Buy, 1, 3000), Result.NoMarkPrice)
  assert.equal(world.check(account, perp, Side.Sell, 1, index), Result.Accepted)
  world.fill(account, perp, -1, index)
  assert.equal(
    world.check(account, option, Side.Buy, 1, 3000),
    Result.NoMarkPrice,
    'a working buy needs the mark too',
  )
  world.risk.setOpen(slot, 0)
  assert.equal(world.check(account, option, Side.Buy, 1, 3000), Result.Accepted)
})

test('defined_risk needs marks of perps, and of nothing else', () => {
  const { world, perp, account } = marketOf(1_000_000, { standardIsDefinedRisk: true })
  const option = world.list(call110k)
  world.marks.unmark(perp)
  world.marks.unmark(option)
  world.risk.newMarks(0)
  assert.equal(world.check(account, perp, Side.Buy, 1, index), Result.NoMarkPrice)
  assert.equal(world.check(account, perp, Side.Sell, 1, index), Result.NoMarkPrice)
  assert.equal(world.details.symbol, perp)
  assert.equal(world.check(account, option, Side.Buy, 1, 3000), Result.Accepted)
  world.fill(account, option, 1, 3000)
  assert.equal(world.check(account, option, Side.Sell, 1, 3000), Result.Accepted)
  world.fill(account, perp, -1, index)
  assert.equal(world.check(account, option, Side.Buy, 1, 3000), Result.NoMarkPrice)
  assert.ok(!world.risk.isCovered(account))
  assert.equal(world.check(account, perp, Side.Buy, 1, index), Result.Accepted, 'it reduces')
})

test('under portfolio a perp hedges the options and has no requirement of its own', () => {
  const { world, perp, account } = marketOf(20_000)
  world.risk.setMarginMode(account, MarginMode.Portfolio)
  world.give(account, world.list(call110k), -1)
  const alone = summaryOf(world, account)['positionIm']!
  assert.equal(world.check(account, perp, Side.Buy, 0.3, index), Result.Accepted)
  world.fill(account, perp, 0.3, index)
  const hedged = summaryOf(world, account)
  assert.ok(hedged['positionIm']! < alone * 0.7)
  assert.equal(hedged['perpIm'], 0)
  const margin = new PositionMargin()
  world.risk.positionMargin(world.risk.findExposure(account, perp), margin)
  assert.equal(margin.imMicros, micros(0.3 * 15_000), 'alone it requires its worst scenario: T1')
})

test('under portfolio a perp order below margin passes if it closes and adds no open-order requirement', () => {
  const { world, perp, account } = marketOf(5000)
  world.risk.setMarginMode(account, MarginMode.Portfolio)
  world.give(account, world.list(call110k), -1)
  assert.ok(summaryOf(world, account)['available']! < 0)
  assert.equal(world.check(account, perp, Side.Buy, 0.1, index), Result.InsufficientMargin, 'opens')
  world.fill(account, perp, -0.1, index)
  // A buy that is its own worst fill adds nothing where the short call's worst scenario is a rise.
  assert.equal(world.check(account, perp, Side.Buy, 0.1, index), Result.Accepted)
  assert.ok(world.verdict.reducesRisk)
  assert.equal(world.check(account, perp, Side.Sell, 0.1, index), Result.InsufficientMargin)
  assert.equal(world.details.bound_by, MarginBound.Scenario)
  assert.equal(world.check(account, perp, Side.Buy, 0.1, 100_001), Result.InsufficientMargin)
  assert.equal(world.details.incremental_im, micros(0.1), 'the limit gives this away')
})

test('under portfolio the rejection of a perp order states the worst scenario with the order', () => {
  const { world, perp, account } = marketOf(100)
  world.risk.setMarginMode(account, MarginMode.Portfolio)
  const ids = world.parameters.portfolioScenarios.map(({ id }) => id)
  assert.equal(world.check(account, perp, Side.Sell, 1, index), Result.InsufficientMargin)
  assert.equal(ids[world.details.scenario % scenariosPerModel], 'T2')
  assert.equal(world.check(account, perp, Side.Buy, 1, index), Result.InsufficientMargin)
  assert.equal(ids[world.details.scenario % scenariosPerModel], 'T1')
})

for (const mode of [MarginMode.Standard, MarginMode.Portfolio]) {
  test(`the core keeps a perp position within exact money, whatever the wallet has, margin mode ${mode}`, () => {
    const { world, perp, account } = marketOf(5_000_000_000)
    world.risk.setMarginMode(account, mode)
    const check = (contracts: number) => world.check(account, perp, Side.Buy, contracts, index)
    // 2^51 micros at 100,000 USD each.
    assert.equal(check(22_517.9), Result.Accepted)
    assert.equal(check(22_518), Result.InsufficientMargin)
    world.fill(account, perp, 22_000, index)
    assert.equal(check(517), Result.Accepted)
    assert.equal(check(518), Result.InsufficientMargin)
    world.marks.markPerp(perp, 2 * index)
    world.risk.newMarks(0)
    assert.equal(check(1), Result.InsufficientMargin)
    assert.equal(world.check(account, perp, Side.Sell, 22_000, 2 * index), Result.Accepted)
  })
}
