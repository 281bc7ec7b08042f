import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liquidationParametersDefault } from '../../../engine/risk/liquidation-parameters.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { Fund } from '../../../engine/state/money/funds.js'
import { moneyMicrosMax } from '../../../schemas/bounds.js'
import { EventType } from '../../../schemas/generated/events.js'
import { checkMoney } from '../../simulation/checks/exact-invariants.js'
import { LiquidationRig, short, still } from '../../support/liquidation-rig.js'

// Rate x S x size of the contracts taken, from the account to the insurance fund, for any buyer. Wallet 5 is short
// one call, in liquidation at an index of 108,000.

const bidder = 3
const index = 108_000
const rate = 0.001

test('a fill of the engine’s order pays the fee and reports it', () => {
  const rig = taken('partial')
  const [order] = rig.working(short)
  const [cash, total] = [rig.cash(short), rig.totalMicros]
  rig.place({ wallet: 2, side: 'Sell', price: String(order!.price), size: '0.05', tif: 'ioc' })
  const fills = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Fill)
  const fee = rate * index * 0.05
  assert.deepEqual(
    fills.map(({ fields }) => fields['fee']),
    [fee, 0],
  )
  assert.equal(rig.insurance, fee)
  assert.equal(rig.row(short)!.feeMicros, fee * 1e6)
  assert.ok(Math.abs(cash - rig.cash(short) - fee - order!.price * 0.05) < 1e-6)
  assert.equal(rig.totalMicros, total)
})

test('the account keeps what the fund cannot take exactly', () => {
  const rig = taken('partial')
  const { funds } = rig.state
  rig.fundInsurance((moneyMicrosMax - 3) / 1e6)
  rig.run()
  assert.equal(funds.roomMicros(Fund.Insurance), 3)
  const [order] = rig.working(short)
  rig.outcome(
    rig.place({ wallet: 2, side: 'Sell', price: String(order!.price), size: '0.05', tif: 'ioc' }),
  )
  assert.equal(funds.balanceMicros[Fund.Insurance], moneyMicrosMax)
  assert.equal(rig.row(short)!.feeMicros, 3)
  checkMoney(rig.state)
})

test('the account pays the fee on the share that a bidder wins, and the bidder gets as much as without a fee', () => {
  const [free, charged] = [0, rate].map((feeRate) => {
    const rig = taken('full', feeRate)
    const total = rig.totalMicros
    rig.outcome(rig.bid({ wallet: bidder, liquidated: short }))
    assert.equal(rig.totalMicros, total)
    return rig
  })
  const fee = Math.round(rate * index * -charged!.position(bidder) * 1e6) / 1e6
  assert.ok(fee > 10)
  assert.equal(charged!.position(bidder), free!.position(bidder))
  assert.equal(charged!.cash(bidder), free!.cash(bidder))
  assert.equal(charged!.insurance, fee)
  assert.equal(charged!.cash(short), Math.round((free!.cash(short) - fee) * 1e6) / 1e6)
  assert.equal(free!.stateOf(short), 'healthy')
  // The fee is missing to the buffer, so the auction continues until bids have restored that too.
  assert.equal(charged!.stateOf(short), 'full')
  assert.equal(charged!.row(short)!.feeMicros, Math.round(fee * 1e6))
  charged!.events()
  let bids = 0
  for (; charged!.stateOf(short) === 'full' && bids < 20; bids++) {
    charged!.outcome(charged!.bid({ wallet: bidder, liquidated: short }))
  }
  assert.equal(charged!.stateOf(short), 'healthy')
})

test("the final record states the account's fees", () => {
  const rig = taken('full')
  rig.outcome(rig.bid({ wallet: bidder, liquidated: short }))
  rig.deposit(short, 10_000)
  const records = rig
    .run()
    .events()
    .filter(({ type, fields }) => type === EventType.Liquidation && fields['state'] === 0)
  assert.deepEqual(
    records.map(({ fields }) => fields['fees']),
    [rig.insurance],
  )
  assert.ok(rig.insurance > 0)
})

test('positions closed after an auction without a bid also pay, at most what is left', () => {
  for (const [feeRate, isAll] of [
    [rate, false],
    [0.5, true],
  ] as const) {
    const rig = taken('full', feeRate)
    const { equity } = rig.margin(short)
    const total = rig.totalMicros
    rig.nowMillis += 44_100_000
    rig.run()
    assert.equal(rig.stateOf(short), 'liquidated')
    const paid = isAll ? equity : feeRate * index
    assert.equal(rig.insurance, paid)
    assert.equal(rig.row(short)!.feeMicros, Math.round(paid * 1e6))
    assert.equal(rig.cash(short), Math.round((equity - paid) * 1e6) / 1e6)
    assert.equal(rig.totalMicros, total)
    assert.equal(rig.row(short)!.uncoveredMicros, 0)
  }
})

test("a fee above the account's equity takes the equity, and nobody else pays the rest", () => {
  const rig = taken('partial', 5)
  const [order] = rig.working(short)
  const total = rig.totalMicros
  rig.place({ wallet: 2, side: 'Sell', price: String(order!.price), size: '1', tif: 'ioc' })
  rig.run()
  const { equity } = rig.margin(short)
  assert.equal(equity, 0)
  assert.equal(rig.stateOf(short), 'full', 'without equity')
  assert.ok(rig.insurance > 1000)
  rig.nowMillis += 3_600_000
  rig.run()
  assert.equal(
    rig.stateOf(short),
    'full',
    'the fund can pay the whole offer, so the auction continues',
  )
  assert.equal(rig.totalMicros, total)
})

test('an insolvent account pays no fee', () => {
  const rig = taken('full')
  rig.index(140_000)
  rig.run()
  rig.nowMillis += 10
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.deepEqual([rig.row(short)!.feeMicros, rig.insurance, rig.cash(short)], [0, 0, 0])
})

function taken(state: 'partial' | 'full', feeRate = rate): LiquidationRig {
  const liquidation = { ...liquidationParametersDefault, feeRate }
  const config: EngineConfig = { ...still, liquidation }
  const rig = new LiquidationRig(config).openMarket()
  rig.deposit(short, 15_000)
  rig.run()
  rig.trade(2, short, '3270', '1')
  rig.index(index)
  rig.run()
  rig.nowMillis += 60_000
  rig.run()
  if (state === 'full') {
    rig.nowMillis += 120_000
    rig.run()
  }
  assert.equal(rig.stateOf(short), state)
  rig.events()
  return rig
}
