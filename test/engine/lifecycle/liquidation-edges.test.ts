import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liquidationParametersDefault } from '../../../engine/risk/liquidation-parameters.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { HaltMode, OrderFlag, OrderStatus } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { LiquidationRig, short, still } from '../../support/liquidation-rig.js'

// Liquidation together with other events: expiry, halts, missing prices, an empty fund, other liquidations.

const bidder = 3
const under = 108_000
const expiryMillis = Date.UTC(2026, 0, 31)
const phases = ['pre_liquidation', 'partial', 'full'] as const

test('the restoring deposit ends each phase, and one micro less does not', () => {
  const ratios = { pre_liquidation: 1.05, partial: 1.1, full: 1.15 }
  for (const phase of phases) {
    const rig = inPhase(phase)
    const { equity, required } = rig.margin(short)
    const missingMicros =
      Math.ceil(required * ratios[phase] * 1e6 - 1e-3) - Math.round(equity * 1e6)
    rig.deposit(short, (missingMicros - 1) / 1e6)
    rig.run()
    assert.equal(rig.stateOf(short), phase)
    rig.deposit(short, 1 / 1e6)
    rig.run()
    assert.equal(rig.stateOf(short), 'healthy', phase)
    assert.deepEqual(rig.working(short), [])
    const placed = rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '10', size: '1' }))
    assert.equal(placed['result'], Result.Accepted)
  }
})

test('a market recovery ends each phase too', () => {
  for (const phase of phases) {
    const rig = inPhase(phase)
    rig.index(95_000)
    rig.run()
    assert.equal(rig.stateOf(short), 'healthy', phase)
    assert.deepEqual(rig.working(short), [])
    assert.equal(rig.row(short), null)
  }
})

test('positions of a wallet in liquidation expire in each phase, and the settlement decides what is left', () => {
  for (const phase of phases) {
    const rig = inPhase(phase)
    const total = rig.totalMicros
    const cash = rig.cash(short)
    rig.nowMillis = expiryMillis
    rig.index(119_500)
    rig.run()
    // Its time has passed and nothing can be reduced any more; the auction has to wait for the price.
    assert.equal(rig.stateOf(short), 'full')
    assert.deepEqual([rig.working(short), rig.position(short)], [[], -1])
    const bid = rig.outcome(rig.bid({ wallet: bidder, liquidated: short }))
    assert.equal(bid['result'], Result.Conflict)
    rig.index(140_000)
    rig.nowMillis += 44_100_001
    rig.run()
    assert.ok(rig.margin(short).equity < 0)
    assert.deepEqual([rig.stateOf(short), rig.position(short)], ['full', -1], 'not deleveraged')
    const batches = rig.batches.length
    for (let millis = 0; millis < 50; millis++) {
      rig.nowMillis += 1
      rig.run()
    }
    // At most one, when the fund’s offer has grown to a micro.
    assert.ok(rig.batches.length - batches <= 1, `${phase}: no batch runs needlessly`)
    rig.settlementPrice(119_500)
    rig.run()
    assert.deepEqual([rig.position(short), rig.cash(short)], [0, cash - 9500], phase)
    assert.equal(rig.stateOf(short), 'liquidated', phase)
    assert.equal(rig.totalMicros, total)
  }
})

test('the fund, then the creditors, bear a settlement that a wallet in liquidation cannot pay', () => {
  for (const phase of phases) {
    const rig = inPhase(phase)
    rig.fundInsurance(1000)
    rig.nowMillis = expiryMillis
    rig.run()
    const cash = rig.cash(short)
    rig.settlementPrice(110_000 + cash + 1500)
    rig.run()
    assert.equal(rig.stateOf(short), 'liquidated', phase)
    const { insuranceMicros, sharedMicros, uncoveredMicros, deleveragedMicros } = rig.row(short)!
    assert.deepEqual([insuranceMicros, sharedMicros], [1000e6, 500e6])
    assert.deepEqual([uncoveredMicros, deleveragedMicros], [0, 0])
    assert.equal(rig.cash(short), 0)
    assert.equal(rig.insurance, 0)
  }
})

test('the grace period cancels risk-increasing orders even in a halted book', () => {
  const rig = inPhase('healthy')
  rig.outcome(rig.place({ wallet: short, side: 'Sell', price: '9000', size: '0.1' }))
  rig.halt(HaltMode.Halted, 'BTC')
  rig.index(under)
  rig.run()
  assert.equal(rig.stateOf(short), 'pre_liquidation')
  assert.deepEqual(rig.working(short), [])
})

test("the partial phase's orders leave the book while the index is missing, and return with it", () => {
  const rig = inPhase('partial', stale)
  assert.equal(rig.working(short).length, 1)
  rig.nowMillis += 6000
  rig.run()
  assert.equal(rig.row(short)!.waiting, 1)
  assert.deepEqual(rig.working(short), [])
  const sold = rig.place({ wallet: 2, side: 'Sell', price: '1', size: '1', tif: 'ioc' })
  assert.equal(rig.outcome(sold)['filled'] ?? 0, 0)
  rig.nowMillis += 300_000
  rig.run()
  assert.equal(rig.stateOf(short), 'partial', 'its time passes, but the engine does nothing')
  rig.index(95_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'healthy')
  assert.equal(rig.row(short), null)
})

test('a missing index pauses the auction and deleveraging too', () => {
  const rig = inPhase('full', stale)
  rig.index(140_000)
  rig.run()
  assert.ok(rig.margin(short).equity < 0)
  rig.nowMillis += 5001
  rig.run()
  assert.equal(rig.row(short)!.waiting, 1)
  const bid = rig.outcome(rig.bid({ wallet: bidder, liquidated: short, usd: 0 }))
  assert.equal(bid['result'], Result.Conflict)
  rig.nowMillis += 44_100_000
  rig.run()
  assert.deepEqual([rig.stateOf(short), rig.position(short)], ['full', -1])
  rig.index(140_000)
  rig.run()
  assert.deepEqual([rig.stateOf(short), rig.position(short)], ['liquidated', 0])
})

test('in the full phase a long without a mark stays with the account', () => {
  const rig = inPhase('full')
  const unmarked = { underlying: 'ETH', strike: 4000 }
  rig.list(unmarked)
  rig.index(4000, 'ETH')
  rig.surface(0.6, 'ETH')
  rig.deposit(short, 20_000)
  rig.run()
  rig.trade(short, 4, '100', '1', { instrument: unmarked })
  assert.deepEqual([rig.stateOf(short), rig.position(short, 1)], ['healthy', 1])
  // The surface becomes stale.
  rig.configure({
    ...still,
    pricing: { ...still.pricing, surfaceMaxAgeMillis: 1000 },
  })
  rig.nowMillis += 1001
  rig.surface(0.6)
  rig.index(4000, 'ETH')
  rig.index(180_000)
  rig.run()
  assert.ok(rig.margin(short).equity < 0)
  assert.equal(rig.stateOf(short), 'full')
  assert.equal(rig.row(short)!.waiting, 1)
  assert.equal(
    rig.outcome(rig.bid({ wallet: bidder, liquidated: short, usd: 0 }))['result'],
    Result.Conflict,
  )
  assert.deepEqual([rig.position(short, 0), rig.position(short, 1)], [-1, 1])
  rig.surface(0.6, 'ETH')
  rig.run()
  rig.nowMillis += 10
  rig.surface(0.6)
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
})

test('with an empty fund an insolvent account is closed out with the first offered micro', () => {
  const rig = inPhase('full')
  rig.index(140_000)
  rig.run()
  // At this moment the offer is 0, which an empty fund can pay: any bidder may have it.
  assert.equal(rig.stateOf(short), 'full')
  assert.equal(rig.required(short), 0)
  const { equity, required } = rig.margin(short)
  const wholeMicros = Math.round((required - equity) * 1e6)
  const after = Math.ceil(3_600_000 / wholeMicros)
  rig.nowMillis += after - 1
  assert.equal(after > 1 && rig.step(), false)
  rig.nowMillis += 1
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.equal(rig.cash(short), 0)
})

test('the engine does not check an offer that grows by micros an hour every millisecond', () => {
  const liquidation = { ...liquidationParametersDefault, insolventSeconds: 1e9 }
  const rig = inPhase('full', { ...still, liquidation })
  rig.index(140_000)
  rig.run()
  const before = rig.batches.length
  const { equity, required } = rig.margin(short)
  const afterMillis = Math.ceil(1e12 / Math.round((required - equity) * 1e6))
  assert.ok(afterMillis > 10)
  for (let millis = 1; millis < afterMillis; millis++) {
    rig.nowMillis += 1
    rig.run()
  }
  assert.equal(rig.batches.length, before)
  assert.equal(rig.stateOf(short), 'full')
  rig.nowMillis += 1
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
})

test('a fund that has exactly the offer pays it and is at zero', () => {
  const rig = inPhase('full')
  rig.index(140_000)
  rig.run()
  rig.fundInsurance(1e6)
  rig.run()
  rig.nowMillis += 1_800_000
  rig.tick()
  rig.run()
  const offer = -rig.required(short)
  const total = rig.totalMicros
  // Reduces the fund to exactly the offer.
  const surplusMicros = Math.round((rig.insurance - offer) * 1e6)
  rig.state.funds.move(1, -surplusMicros)
  rig.state.funds.move(0, surplusMicros)
  assert.equal(rig.outcome(rig.bid({ wallet: bidder, liquidated: short, usd: -1 }))['result'], 0)
  assert.equal(rig.insurance, 0)
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.equal(rig.totalMicros, total)
})

test('a bid for more than is left takes the rest, at the required price', () => {
  const rig = inPhase('full')
  const required = rig.required(short)
  const { equity } = rig.margin(bidder)
  const terms = { auction: rig.row(short)!.auction, version: rig.row(short)!.version }
  rig.outcome(rig.bid({ wallet: bidder, liquidated: short, usd: 900_000 }))
  assert.ok(
    Math.abs(rig.margin(bidder).equity - equity) < required,
    'the bidder pays the required price, not its bid',
  )
  const late = rig.outcome(rig.bid({ wallet: 2, liquidated: short, usd: 900_000, ...terms }))
  assert.equal(late['result'], Result.Conflict)
})

test('one crash takes several wallets through the loss waterfall in one batch, one after the other', () => {
  const rig = new LiquidationRig(still).openMarket()
  const losers = [10, 11, 12, 13]
  for (const wallet of losers) rig.deposit(wallet, 15_000)
  // Wallet 20 is long what 10 and 11 are short, and short twice that to wallet 1: its deleveraging makes it fall too.
  rig.deposit(20, 40_000)
  rig.run()
  for (const wallet of losers) rig.trade(wallet < 12 ? 20 : 2, wallet, '3270', '1')
  rig.trade(1, 20, '3270', '3')
  rig.events()
  const total = rig.totalMicros
  rig.index(160_000)
  rig.run()
  rig.nowMillis += 1
  const batches = rig.batches.length
  rig.index(160_000)
  rig.step()
  assert.equal(rig.batches.length, batches + 1)
  for (const wallet of [...losers, 20]) {
    assert.equal(rig.stateOf(wallet), 'liquidated', `wallet ${wallet}`)
    assert.equal(rig.margin(wallet).equity, 0)
    assert.ok(rig.row(wallet)!.deleveragedMicros > 0)
  }
  assert.equal(rig.totalMicros, total)
})

test('a liquidated wallet that wins an auction is checked again', () => {
  const rig = inPhase('full')
  // Without a bid in time it closes at its marks, and keeps its equity.
  rig.nowMillis += 44_100_000
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  rig.index(100_000)
  rig.deposit(6, 15_000)
  rig.run()
  rig.trade(2, 6, '3270', '1')
  rig.index(under)
  rig.run()
  rig.pass(180, under)
  assert.deepEqual([rig.stateOf(short), rig.stateOf(6)], ['liquidated', 'full'])
  assert.equal(rig.outcome(rig.bid({ wallet: short, liquidated: 6 }))['result'], Result.Accepted)
  assert.ok(rig.position(short) < 0)
  assert.equal(rig.stateOf(short), 'healthy')
  rig.index(200_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
})

test('the margin mode stays during a liquidation, and may end the grace period', () => {
  const portfolio = 1
  for (const phase of ['partial', 'full'] as const) {
    const rig = inPhase(phase)
    const hash = { ...rig.state.hash }
    const result = rig.outcome(rig.marginMode(short, portfolio))['result']
    assert.equal(result, Result.AccountInLiquidation)
    assert.notDeepEqual(hash, { ...rig.state.hash }, 'only the counters changed')
    assert.equal(rig.state.risk.marginMode[rig.account(short)], 0)
    assert.equal(rig.outcome(rig.marginMode(short, 0))['result'], Result.Accepted, 'no change')
  }
  const grace = inPhase('pre_liquidation')
  assert.equal(grace.outcome(grace.marginMode(short, portfolio))['result'], Result.MarginNotMet)
  // Short of a call and a put: standard margin requires its minimum for both, portfolio margin sees that one is safe.
  const put = { strike: 90_000, right: 1 }
  const rig = new LiquidationRig(still).openMarket()
  rig.list(put)
  rig.surface(0.6)
  rig.deposit(6, 21_000)
  rig.run()
  rig.trade(2, 6, '3270', '1')
  rig.trade(2, 6, '2690', '1', { instrument: put })
  rig.surface(0.9)
  rig.run()
  assert.equal(rig.stateOf(6), 'pre_liquidation')
  assert.equal(rig.outcome(rig.marginMode(6, portfolio))['result'], Result.Accepted)
  assert.equal(rig.stateOf(6), 'healthy')
})

test('protection, self-trade mode and cancels of a wallet in liquidation work as usual', () => {
  for (const phase of phases) {
    const rig = inPhase(phase)
    const request = rig.setMmp(short, { interval: 1000, frozen: 1000, qty: 5 })
    assert.equal(rig.outcome(request)['result'], Result.Accepted)
    assert.equal(rig.outcome(rig.resetMmp(short))['result'], Result.Accepted)
    assert.equal(rig.outcome(rig.selfTrade(short, 2))['result'], Result.Accepted)
    const own = rig.working(short).filter(({ flags }) => (flags & OrderFlag.Liquidation) !== 0)
    assert.equal(own.length, phase === 'partial' ? 1 : 0, 'the engine’s order is not among them')
  }
  const rig = inPhase('pre_liquidation')
  const placed = rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '2000', size: '0.1' }))
  const larger = { wallet: short, side: 'Buy', price: '2001', size: '0.2' } as const
  const replaced = rig.outcome(rig.place({ ...larger, replaces: placed['orderId']! }))
  assert.equal(replaced['result'], Result.Accepted, 'still reducing')
  const orderId = replaced['orderId']!
  const sell = rig.place({ ...larger, side: 'Sell', price: '9000', replaces: orderId })
  assert.equal(rig.outcome(sell)['result'], Result.AccountInLiquidation)
  assert.equal(rig.outcome(rig.cancel(short, orderId))['result'], Result.CanceledOnRequest)
})

test('orders that the partial phase cancels state the reason and cannot be replaced', () => {
  const rig = inPhase('pre_liquidation')
  const placed = rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '2000', size: '0.1' }))
  rig.nowMillis += 60_000
  const update = rig
    .run()
    .events()
    .find(
      ({ type, fields }) =>
        type === EventType.OrderUpdate && fields['orderId'] === placed['orderId'],
    )
  assert.deepEqual(
    [update?.fields['status'], update?.fields['result']],
    [OrderStatus.Canceled, Result.AccountInLiquidation],
  )
  const again = { wallet: short, side: 'Buy', price: '2000', size: '0.1' } as const
  const replaced = rig.outcome(rig.place({ ...again, replaces: placed['orderId']! }))
  assert.equal(replaced['result'], Result.OrderAlreadyCanceled)
})

/** Inputs become stale after 5 s, and marks are renewed every second. */
const stale: EngineConfig = {
  ...engineConfigDefault,
  pricing: { ...engineConfigDefault.pricing, indexMaxAgeMillis: 5000, surfaceMaxAgeMillis: 0 },
}

/**
 * Returns wallet 5, short one call of strike 110,000 with 18,270 of cash, at an index of 108,000 unless it is healthy.
 */
function inPhase(
  phase: 'healthy' | (typeof phases)[number],
  config: EngineConfig = still,
): LiquidationRig {
  const rig = new LiquidationRig(config).openMarket()
  rig.deposit(short, 15_000)
  rig.run()
  rig.trade(2, short, '3270', '1')
  if (phase !== 'healthy') rig.index(under)
  rig.run()
  const seconds = { healthy: 0, pre_liquidation: 0, partial: 60, full: 180 }[phase]
  rig.pass(seconds, under)
  assert.equal(rig.stateOf(short), phase)
  rig.events()
  return rig
}
