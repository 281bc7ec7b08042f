import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { MarginMode, OrderFlag, Side, Tier } from '../../../schemas/domain.js'
import { marginBounds, Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'
import {
  call100k,
  call110k,
  call120k,
  lots,
  micros,
  put80k,
  put90k,
  World,
} from './risk-fixture.js'

const { Buy, Sell } = Side
const { Exempt } = OrderFlag

const models = ['standard', 'defined_risk', 'portfolio'] as const

function worldOf(model: (typeof models)[number], cash: number): { world: World; account: number } {
  const world = new World({ standardIsDefinedRisk: model === 'defined_risk' })
  world.spot('BTC', 100_000)
  const account = world.account(cash)
  if (model === 'portfolio') world.risk.setMarginMode(account, MarginMode.Portfolio)
  return { world, account }
}

function summaryOf(world: World, account: number): MarginSummary {
  const summary = new MarginSummary()
  world.risk.summarize(account, summary)
  return summary
}

/**
 * Places a working order as the check admits it.
 * @returns its slot
 */
function admit(
  world: World,
  account: number,
  instrument: number,
  side: Side,
  contracts: number,
  price: number,
): number {
  assert.equal(world.check(account, instrument, side, contracts, price), Result.Accepted)
  const flags = world.verdict.reducesRisk ? Exempt : 0
  return world.work(account, instrument, side, contracts, price, flags)
}

for (const model of models) {
  for (const [cover, written, price] of [
    [call100k, call110k, 6_850],
    [put90k, put80k, 2_690],
  ] as const) {
    test(`the core rejects the sale of a working sell's cover without its margin: ${model}, ${cover.right}s`, () => {
      const { world, account } = worldOf(model, 1_000)
      const [long, short] = [world.list(cover), world.list(written)]
      world.give(account, long, 1)
      const working = admit(world, account, short, Sell, 1, 3_300)
      const refused = world.check(account, long, Sell, 1, price)
      const naked = cover.right === 'call' ? Result.NakedShortCalls : Result.NakedShortPuts
      assert.equal(refused, model === 'defined_risk' ? naked : Result.InsufficientMargin)
      world.risk.setOpen(working, 0)
      assert.equal(
        world.check(account, long, Sell, 1, price),
        Result.Accepted,
        'the sale passes once the working sell is gone',
      )
    })
  }
}

test('of two buys that each free what they give away and together leave nothing, the core rejects the second', () => {
  const { world, account } = worldOf('standard', 30_682.15)
  const [near, far] = [world.list({ ...call100k, strike: 95_000 }), world.list(call100k)]
  world.give(account, near, -1)
  world.give(account, far, -1)
  world.give(account, world.list(call120k), 2)
  const { equity, positionIm, positionMm } = summaryOf(world, account)
  assert.ok(Math.abs(equity - positionIm) < micros(0.02), `${equity} of ${positionIm}`)
  assert.equal(Math.round(positionMm / 1e4), 1_371_398)
  for (const first of [near, far]) {
    const [second, price, other] = first === near ? [far, 21_986, 18_229] : [near, 18_229, 21_986]
    assert.equal(world.check(account, second, Buy, 1, other), Result.Accepted, 'alone')
    const slot = admit(world, account, first, Buy, 1, price)
    assert.equal(world.orders.flags[slot], Exempt)
    assert.notEqual(world.check(account, second, Buy, 1, other), Result.Accepted)
    world.risk.setOpen(slot, 0)
  }
})

test('the core rejects a buy that frees what it gives away if equity is less than that', () => {
  const { world, account } = worldOf('standard', 16_853.94)
  const call = world.list(call100k)
  world.give(account, call, -1)
  assert.equal(world.check(account, call, Buy, 1, 6_853.94 + 10_000.5), Result.InsufficientCash)
  assert.equal(world.check(account, call, Buy, 1, 6_853.94 + 9_999.5), Result.Accepted)
})

for (const model of ['standard', 'portfolio'] as const) {
  test(`below maintenance margin, the core rejects a bid that gives away more than the equity, although it frees as much: ${model}`, () => {
    const { world, account } = worldOf(model, 16_853.94)
    const call = world.list(call100k)
    world.give(account, call, -1)
    const { equity, positionMm } = summaryOf(world, account)
    assert.equal(Math.round(equity / 1e6), 10_000)
    // Of standard 11,633.23: filled in full the bid would leave the wallet 1,633 in debt, and no position.
    const given = model === 'standard' ? 11_633.23 : Math.max(10_001, positionMm / 1e6)
    if (model === 'standard') assert.ok(Math.abs(positionMm - micros(given)) < micros(0.01))
    const price = 6_853.94 + given
    const refused = model === 'standard' ? Result.InsufficientCash : Result.InsufficientMargin
    assert.equal(world.check(account, call, Buy, 1, price), refused)
    // With cash beyond the premium, from selling two far shorts, margin is the reason.
    world.give(account, world.list(call120k), -2)
    world.risk.creditCash(account, micros(2 * 1_395.4816))
    assert.equal(world.check(account, call, Buy, 1, price), Result.InsufficientMargin)
  })
}

test('below maintenance margin already, an order may not lower the ratio of equity to margin', () => {
  const { world, account } = worldOf('standard', 16_000)
  const call = world.list(call100k)
  world.give(account, call, -2)
  // Equity 2,292.12, margin 23,266.47 and half of it without one of them: half of the equity may go.
  assert.equal(world.check(account, call, Buy, 1, 6_853.94 + 1_145), Result.Accepted)
  assert.equal(world.check(account, call, Buy, 1, 6_853.94 + 1_147), Result.InsufficientMargin)
})

test('a risk-reducing order reserves nothing, counts as a possible position, and is judged as filled', () => {
  const { world, account } = worldOf('standard', 16_000)
  const call = world.list(call100k)
  world.give(account, call, -1)
  const before = summaryOf(world, account)
  assert.ok(before.available < 0)
  const slot = admit(world, account, call, Buy, 1, 6_900)
  const after = summaryOf(world, account)
  assert.deepEqual([after.openOrdersIm, after.premiumReserved], [0, 0])
  assert.equal(after.worstSlack, before.worstSlack, 'unfilled, the slack is the same as before')
  world.give(account, call, 1)
  assert.equal(world.risk.positionsCounted[account], 1, 'its fill would open a position')
  assert.equal(
    summaryOf(world, account).withdrawable,
    micros(16_000 - 6_900),
    'its cost cannot be withdrawn',
  )
  world.risk.setOpen(slot, lots(0.5))
  assert.equal(summaryOf(world, account).withdrawable, micros(16_000 - 3_450))
  world.risk.setOpen(slot, 0)
  assert.equal(world.risk.positionsCounted[account], 0)
  assert.equal(summaryOf(world, account).withdrawable, micros(16_000))
})

test('the check of an ordinary order assumes that risk-reducing ones have sold its cover', () => {
  const { world, account } = worldOf('defined_risk', 10)
  const [low, high] = [world.list(call100k), world.list(call110k)]
  const put = world.list(put80k)
  world.give(account, low, 1)
  world.give(account, high, -1)
  world.give(account, put, 1)
  // Cash is gone: a sale now passes as reducing, and no longer covers anything.
  world.risk.creditCash(account, micros(-10))
  const slot = world.work(account, low, Sell, 0.5, 6_800, Exempt)
  world.risk.creditCash(account, micros(20_000))
  assert.equal(world.check(account, high, Sell, 0.1, 3_200), Result.NakedShortCalls)
  world.give(account, high, 1)
  assert.equal(world.check(account, high, Sell, 0.5, 3_200), Result.Accepted)
  assert.equal(world.check(account, high, Sell, 0.6, 3_200), Result.NakedShortCalls)
  world.risk.setOpen(slot, 0)
  assert.equal(world.check(account, high, Sell, 1, 3_200), Result.Accepted)
})

test('the core rejects a fourth risk-reducing order with its reason; replacing one of the three passes', () => {
  const { world, account } = worldOf('standard', 45_000)
  const calls = [0, 1, 2, 3].map((i) => world.list({ ...call100k, strike: 110_000 + 2_000 * i }))
  for (const call of calls) world.give(account, call, -1)
  const slots = calls.slice(0, 3).map((call) => admit(world, account, call, Buy, 1, 3_300))
  assert.deepEqual(
    slots.map((slot) => world.orders.flags[slot]),
    [Exempt, Exempt, Exempt],
  )
  const fourth = calls[3]!
  assert.equal(world.check(account, fourth, Buy, 1, 2_500), Result.InsufficientMargin)
  assert.equal(marginBounds[world.details.bound_by], 'exempt_orders')
  const [first] = slots
  assert.equal(world.check(account, calls[0]!, Buy, 1, 3_310, first), Result.Accepted)
  assert.ok(world.verdict.reducesRisk)
  world.risk.setOpen(first!, 0)
  assert.equal(world.check(account, fourth, Buy, 1, 2_500), Result.Accepted)
})

test('risk-reducing orders of a side leave less of the position to close', () => {
  const { world, account } = worldOf('standard', 12_000)
  const call = world.list(call100k)
  world.give(account, call, -1)
  admit(world, account, call, Buy, 0.6, 6_900)
  assert.equal(world.check(account, call, Buy, 0.4, 6_900), Result.Accepted)
  assert.equal(world.check(account, call, Buy, 0.5, 6_900), Result.InsufficientMargin)
})

test('a long-only wallet sells at most its position, risk-reducing orders included', () => {
  const { world, account } = worldOf('standard', 10_000)
  const call = world.list(call100k)
  world.risk.setTier(account, Tier.Tier1)
  world.give(account, call, 3)
  world.work(account, call, Sell, 2, 7_000, Exempt)
  assert.equal(world.check(account, call, Sell, 1, 7_000), Result.Accepted)
  assert.equal(world.check(account, call, Sell, 1.1, 7_000), Result.TierLongOnly)
  assert.equal(world.details.working_sells, lots(2))
})

test('a buy that cannot be valued needs its full cost in cash, after all reserves', () => {
  const { world, account } = worldOf('standard', 9_000)
  const [call, other] = [world.list(call110k), world.list(call100k)]
  world.give(account, call, -1)
  world.work(account, other, Buy, 1, 4_000)
  world.marks.unmark(call)
  world.risk.newMarks(0)
  assert.equal(world.check(account, call, Buy, 1, 5_000), Result.Accepted)
  assert.ok(world.verdict.reducesRisk)
  // An order's market price is at least a whole micro.
  assert.notEqual(world.check(account, call, Buy, 1, 5_000.000001), Result.Accepted)
})

test('under defined risk uncovered lots, the furthest ones, have standard margin', () => {
  const { world, account } = worldOf('defined_risk', 20_000)
  const near = world.list(call100k)
  const far = world.list(call110k)
  world.give(account, near, -1)
  world.give(account, far, -1)
  world.give(account, world.list(call120k), 1)
  // The long pairs with the 100,000 call: 20,000 at worst. The 110,000 call is uncovered: 10,947.954595 and
  // 8,758.363676.
  const value = -micros(6_853.9407) + micros(1_395.4816)
  const summary = summaryOf(world, account)
  const near2 = (one: number, other: number): boolean => Math.abs(one - other) < 100
  assert.ok(near2(summary.positionIm, value + micros(20_000) + 10_947_954_595), 'initial')
  assert.ok(near2(summary.positionMm, value + micros(20_000) + 8_758_363_676), 'maintenance')
  world.give(account, far, 1)
  assert.equal(summaryOf(world, account).positionIm, summaryOf(world, account).positionMm)
  world.give(account, near, 1)
  world.give(account, world.list(put90k), -2)
  assert.ok(summaryOf(world, account).positionMm > micros(2 * 7_500), 'a put is uncovered as well')
})

test('a wallet with an actual or possible uncovered short cannot get a tier whose model forbids one', () => {
  const { world, account } = worldOf('defined_risk', 50_000)
  const call = world.list(call110k)
  const { risk } = world
  risk.setTier(account, Tier.MarketMaker)
  assert.ok(!risk.wouldUncover(account, Tier.Default))
  const slot = world.work(account, call, Sell, 1, 3_300)
  assert.ok(risk.wouldUncover(account, Tier.Default), 'a working sell would be uncovered')
  risk.setOpen(slot, 0)
  world.give(account, call, -1)
  assert.ok(risk.wouldUncover(account, Tier.Tier2))
  assert.ok(!risk.wouldUncover(account, Tier.MarketMaker))
  assert.equal(risk.tier[account], Tier.MarketMaker)
  world.give(account, world.list(call120k), 1)
  assert.ok(!risk.wouldUncover(account, Tier.Default), 'covered')
})

test('a perp profit cannot be withdrawn, and a perp loss already reduces what can', () => {
  const { world, account } = worldOf('standard', 20_000)
  const perp = world.listPerp('BTC')
  world.fill(account, perp, 0.5, 98_000)
  assert.equal(summaryOf(world, account).withdrawable, micros(15_000))
  world.marks.markPerp(perp, 96_000)
  world.risk.newMarks(0)
  assert.equal(summaryOf(world, account).withdrawable, micros(20_000 - 1_000 - 4_800))
})

test('after a restart the engine treats, judges, fills and ends risk-reducing orders as before', () => {
  const rig = new CoreRig().openMarket()
  const [near, far, cover] = [95_000, 100_000, 120_000].map((strike) => ({ strike }))
  for (const instrument of [near, far, cover]) rig.list(instrument)
  rig.deposit(5, 1_000_000)
  for (const [instrument, side, price, size] of [
    [near, 'Sell', '9476.7', '1'],
    [far, 'Sell', '6853.9', '1'],
    [cover, 'Buy', '1395.5', '2'],
  ] as const) {
    const order = { instrument: instrument!, price, size }
    rig.place({ wallet: 2, side: side === 'Buy' ? 'Sell' : 'Buy', ...order })
    rig.place({ wallet: 5, side, ...order })
    rig.run()
  }
  const { risk } = rig.state
  risk.creditCash(4, micros(30_682.15) - risk.cashMicros[4]!)
  const bid = { wallet: 5, side: 'Buy', size: '1' } as const
  const working = rig.outcome(rig.place({ ...bid, instrument: far!, price: '18229' }))
  assert.equal(working['result'], Result.Accepted)
  const again = new CoreRig()
  again.restore(rig.save())
  for (const one of [rig, again]) {
    const { orderIndex, orders, risk } = one.state
    const slot = orderIndex.find(working['orderId']!)
    assert.equal(orders.flags[slot], Exempt)
    assert.equal(risk.riskReducing.count[4], 1)
    const other = { ...bid, instrument: near!, price: '21986' }
    const refused = one.outcome(one.place({ ...other, nonce: 77_000_001 }))
    assert.notEqual(refused['result'], Result.Accepted)
    const sell = { wallet: 2, side: 'Sell', size: '1', price: '18229', instrument: far! } as const
    assert.equal(one.outcome(one.place({ ...sell, nonce: 77_000_002 }))['filled'], 1)
    assert.equal(risk.riskReducing.count[4], 0)
  }
  assert.deepEqual({ ...again.state.hash }, { ...rig.state.hash })
})
