import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearDebtor } from '../../../engine/lifecycle/liquidation-transitions.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { OrderFlag, OrderStatus, Tier } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { LiquidationRig, short, shortRig, still } from '../../support/liquidation-rig.js'

/** Index at which the wallet of `shortRig` is below maintenance margin. */
const under = 108_000
const { Canceled } = OrderStatus

test('a re-mark that takes a wallet below maintenance margin starts its grace period', () => {
  const rig = shortRig()
  rig.index(107_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'healthy')
  rig.events()
  rig.index(under)
  rig.run()
  const { equity, required } = rig.margin(short)
  assert.ok(equity < required)
  assert.equal(rig.stateOf(short), 'pre_liquidation')
  const changes = changesOf(rig)
  assert.deepEqual(
    changes.map(({ before, state, mode }) => [before, state, mode]),
    [[LiquidationState.Healthy, LiquidationState.PreLiquidation, LiquidationMode.None]],
  )
})

test('the grace period cancels risk-increasing orders and rejects new ones; reducing ones stay', () => {
  const rig = shortRig()
  const reducing = rig.outcome(
    rig.place({ wallet: short, side: 'Buy', price: '2000', size: '0.1' }),
  )
  const increasing = rig.outcome(
    rig.place({ wallet: short, side: 'Sell', price: '9000', size: '0.1' }),
  )
  rig.events()
  rig.index(under)
  const update = rig
    .run()
    .events()
    .find(({ type, fields }) => type === EventType.OrderUpdate && fields['status'] === Canceled)
  assert.equal(update?.fields['orderId'], increasing['orderId'])
  assert.equal(update?.fields['result'], Result.AccountInLiquidation)
  assert.deepEqual(
    rig.working(short).map(({ price }) => price),
    [2000],
  )
  assert.ok(reducing['orderId']! > 0)
  const refused = rig.outcome(
    rig.place({ wallet: short, side: 'Sell', price: '9000', size: '0.1' }),
  )
  assert.equal(refused['result'], Result.AccountInLiquidation)
  const far = rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '9000', size: '2' }))
  assert.equal(far['result'], Result.AccountInLiquidation, 'the order is larger than the position')
  const taken = rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '2001', size: '0.1' }))
  assert.equal(taken['result'], Result.Accepted)
})

test('the liquidation check comes after the tier check and before the spot price check', () => {
  const rig = shortRig()
  rig.index(under)
  rig.run()
  rig.tier(short, Tier.Tier1)
  const long = rig.outcome(rig.place({ wallet: short, side: 'Sell', price: '9000', size: '0.1' }))
  assert.equal(long['result'], Result.TierLongOnly)
})

test('a wallet that recovers to 1.05 of maintenance margin is healthy at once', () => {
  const rig = shortRig()
  rig.index(under)
  rig.run()
  const { equity, required } = rig.margin(short)
  // One micro less than needed, then that micro.
  const missing = Math.ceil(required * 1.05 * 1e6 - equity * 1e6)
  rig.deposit(short, (missing - 1) / 1e6)
  rig.run()
  assert.equal(rig.stateOf(short), 'pre_liquidation')
  rig.deposit(short, 1 / 1e6)
  rig.run()
  assert.equal(rig.stateOf(short), 'healthy')
})

test('after 60 s a wallet at maintenance margin is healthy, and one a micro below enters the partial phase', () => {
  for (const [moreMicros, wanted] of [
    [0, 'healthy'],
    [-1, 'partial'],
  ] as const) {
    const rig = shortRig(still)
    rig.index(under)
    rig.run()
    const { equity, required } = rig.margin(short)
    rig.deposit(short, (Math.round((required - equity) * 1e6) + moreMicros) / 1e6)
    rig.nowMillis += 59_999
    rig.run()
    assert.equal(rig.stateOf(short), 'pre_liquidation')
    rig.nowMillis += 1
    rig.run()
    assert.equal(rig.stateOf(short), wanted)
  }
})

test('the timers run by engine time alone', () => {
  const rig = shortRig(still)
  rig.index(under)
  rig.run()
  rig.nowMillis += 59_999
  assert.equal(rig.step(), false)
  rig.nowMillis += 1
  rig.run()
  assert.equal(rig.stateOf(short), 'partial')
  assert.ok(rig.working(short).every(({ flags }) => (flags & OrderFlag.Liquidation) !== 0))
  rig.nowMillis += 119_999
  rig.run()
  assert.equal(rig.stateOf(short), 'partial')
  rig.nowMillis += 1
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
})

test('the partial phase cancels all orders, then places a reducing one, repriced every 5 s', () => {
  const rig = shortRig()
  rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '2000', size: '0.1' }))
  rig.index(under)
  rig.run()
  rig.pass(60, under)
  const [first] = rig.working(short)
  assert.equal(rig.working(short).length, 1)
  assert.equal(first!.side, 'Buy')
  assert.equal(first!.flags, OrderFlag.ReduceOnly | OrderFlag.Liquidation)
  const mark = rig.state.marks.markMicros[0]! / 1e6
  assert.ok(first!.price <= mark * 1.005 && first!.price > mark * 1.0049)
  rig.pass(4, under)
  assert.equal(rig.row(short)!.bonusBps, 50)
  rig.pass(1, under)
  assert.equal(rig.row(short)!.bonusBps, 75)
  assert.ok(rig.working(short)[0]!.price > first!.price)
  const refused = rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '2000', size: '0.1' }))
  assert.equal(refused['result'], Result.AccountInLiquidation)
})

test("the full phase cancels the engine's order for liquidation; a recovery cancels it on request", () => {
  for (const [index, state, reason] of [
    [130_000, 'full', Result.AccountInLiquidation],
    [100_000, 'healthy', Result.CanceledOnRequest],
  ] as const) {
    const rig = shortRig()
    rig.index(under)
    rig.run()
    rig.pass(60, under).events()
    rig.index(index)
    rig.run()
    assert.equal(rig.stateOf(short), state)
    assert.deepEqual(rig.working(short), [])
    const reasons = rig
      .events()
      .filter(({ fields }) => fields['status'] === Canceled)
      .map(({ fields }) => fields['result'])
    assert.deepEqual(reasons, [reason])
  }
})

test("the wallet can neither cancel nor replace the engine's order for it", () => {
  const rig = shortRig()
  rig.index(under)
  rig.run()
  rig.pass(60, under)
  const { orders } = rig.state
  const orderId = orders.orderId[orders.firstOf(0)]!
  const cancel = rig.outcome(rig.cancel(short, orderId))
  assert.equal(cancel['result'], Result.AccountInLiquidation)
  const replaced = rig.place({
    wallet: short,
    side: 'Buy',
    price: '1',
    size: '0.1',
    replaces: orderId,
  })
  assert.equal(rig.outcome(replaced)['result'], Result.AccountInLiquidation)
  assert.equal(rig.working(short).length, 1)
})

test('a reducing order that fills brings the wallet to its target, and it is healthy', () => {
  const rig = shortRig()
  rig.index(under)
  rig.run()
  rig.pass(60, under)
  const [order] = rig.working(short)
  rig.outcome(
    rig.place({ wallet: 2, side: 'Sell', price: String(order!.price), size: '1', tif: 'ioc' }),
  )
  const { equity, required } = rig.margin(short)
  assert.ok(equity >= required * 1.1 - 1e-5, `${equity} of ${required}`)
  assert.equal(rig.stateOf(short), 'healthy')
  assert.deepEqual(rig.working(short), [])
  assert.equal(rig.position(short), -1 + order!.open)
})

test('without equity the full phase begins at once', () => {
  const rig = shortRig()
  rig.index(130_000)
  rig.run()
  assert.ok(rig.margin(short).equity <= 0)
  assert.equal(rig.stateOf(short), 'full')
  assert.deepEqual(
    changesOf(rig).map(({ state, mode }) => [state, mode]),
    [
      [LiquidationState.PreLiquidation, LiquidationMode.None],
      [LiquidationState.InLiquidation, LiquidationMode.Full],
    ],
  )
})

test('a missing mark or index pauses everything, and no wallet is judged by its absence', () => {
  const config = { ...engineConfigDefault.pricing, indexMaxAgeMillis: 5000 }
  const rig = shortRig({ ...engineConfigDefault, pricing: config })
  rig.index(under)
  rig.run()
  rig.nowMillis += 61_000
  rig.run()
  assert.equal(rig.stateOf(short), 'pre_liquidation')
  assert.equal(rig.row(short)!.waiting, 1)
  rig.index(under)
  rig.run()
  assert.equal(rig.stateOf(short), 'partial')
  assert.equal(rig.row(short)!.waiting, 0)
})

test('prices never liquidate a wallet with only longs, or with spreads under defined_risk', () => {
  const rig = new LiquidationRig({
    ...engineConfigDefault,
    standardIsDefinedRisk: true,
  }).openMarket()
  rig.list({ strike: 120_000 })
  rig.tier(1, Tier.MarketMaker)
  rig.deposit(6, 10_500)
  rig.run()
  rig.trade(6, 1, '1400', '1', { instrument: { strike: 120_000 } })
  rig.trade(1, 6, '3270', '1')
  for (const index of [90_000, 125_000, 200_000, 20_000]) {
    rig.index(index)
    rig.run()
    assert.equal(rig.stateOf(6), 'healthy', `${index}`)
    assert.ok(rig.margin(6).equity >= rig.margin(6).required)
  }
})

test('a batch checks a limited number of wallets, and the next ones check the others', () => {
  const rig = new LiquidationRig().openMarket()
  const wallets = Array.from({ length: 300 }, (_, index) => 1000 + index)
  for (const wallet of wallets) rig.deposit(wallet, 15_000)
  rig.run()
  rig.outcome(rig.place({ wallet: 2, side: 'Buy', price: '3270', size: '300' }))
  for (const wallet of wallets) rig.place({ wallet, side: 'Sell', price: '3270', size: '1' })
  rig.run().events()
  const before = rig.batches.length
  rig.index(under)
  rig.run()
  assert.equal(rig.batches.length - before, 2)
  assert.ok(wallets.every((wallet) => rig.stateOf(wallet) === 'pre_liquidation'))
})

/** Returns the published changes of state since the last call. */
function changesOf(rig: LiquidationRig) {
  return rig
    .events()
    .filter(({ type }) => type === EventType.Liquidation)
    .filter(({ fields }) => fields['change'] === 1)
    .map(({ fields }) => ({
      before: fields['before'],
      state: fields['state'],
      mode: fields['mode'],
    }))
}

test('the engine asserts on clearing a wallet that has a position', () => {
  const rig = shortRig()
  const clear = () => clearDebtor(rig.state, rig.account(short), null)
  assert.throws(clear, /a cleared wallet has no positions/)
})
