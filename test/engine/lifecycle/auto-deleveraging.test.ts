import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleverage } from '../../../engine/lifecycle/auto-deleveraging.js'
import { liquidationParametersDefault } from '../../../engine/risk/liquidation-parameters.js'
import { FillEffect, fillTerms } from '../../../engine/risk/order-check.js'
import { judge } from '../../../engine/state/judgement.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { Fund } from '../../../engine/state/money/funds.js'
import { Liquidation } from '../../../engine/tables/generated/liquidation.js'
import { Side } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { LiquidationRig, short, shortRig, still } from '../../support/liquidation-rig.js'

test('if the fund cannot pay, deleveraging closes positions at the bankruptcy price, by rank', () => {
  const rig = crashed({ fund: 0 })
  const { equity } = rig.margin(short)
  const mark = rig.state.marks.markMicros[0]! / 1e6
  const total = totalCash(rig)
  const before = [1, 2, 3].map((wallet) => rig.cash(wallet))
  rig.events()
  rig.nowMillis += 1000
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.deepEqual([rig.cash(short), rig.position(short)], [0, 0])
  // Wallet 1 has the greatest profit on its entry and the least other equity; wallet 2 is next.
  const bankruptcy = mark + equity / 3
  const gains = [1, 2, 3].map((wallet, index) => rig.cash(wallet) - before[index]!)
  assert.deepEqual(
    [1, 2, 3].map((wallet) => rig.position(wallet)),
    [0, 0, 1],
  )
  assert.ok(Math.abs(gains[0]! - bankruptcy) < 0.01 && Math.abs(gains[1]! - 2 * bankruptcy) < 0.01)
  assert.equal(gains[2], 0)
  assert.equal(totalCash(rig), total)
  assert.equal(rig.row(short)!.deleveragedMicros, Math.round(-equity * 1e6))
  const moved = rig.events().filter(({ type }) => type === EventType.Transfer)
  assert.equal(moved.length, 4)
})

test('the fund pays down to 0 first, and the other side bears only the rest', () => {
  const rig = crashed({ fund: 1000 })
  const { equity } = rig.margin(short)
  const total = totalCash(rig)
  rig.nowMillis += 600_000
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.equal(rig.state.funds.balanceMicros[Fund.Insurance], 0)
  assert.equal(rig.row(short)!.insuranceMicros, 1000e6)
  assert.equal(rig.row(short)!.deleveragedMicros, Math.round((-equity - 1000) * 1e6))
  assert.equal(rig.cash(short), 0)
  assert.equal(totalCash(rig), total)
})

test('a fund that can pay keeps the auction open until its maximum duration', () => {
  const liquidation = { ...liquidationParametersDefault, maxAuctionSeconds: 7200 }
  const rig = crashed({ fund: 500_000, config: { ...still, liquidation } })
  const { equity } = rig.margin(short)
  rig.nowMillis += 7_199_999
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
  rig.nowMillis += 1
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.equal(rig.row(short)!.deleveragedMicros, 0)
  assert.equal(rig.row(short)!.insuranceMicros, Math.round(-equity * 1e6))
  assert.equal(rig.cash(short), 0)
})

test('a solvent account without a bid closes at its marks and keeps the rest', () => {
  const rig = shortRig(still)
  rig.index(108_000)
  rig.run()
  rig.nowMillis += 60_000
  rig.run()
  rig.nowMillis += 120_000
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
  const { equity } = rig.margin(short)
  rig.nowMillis += 44_100_000
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.ok(Math.abs(rig.cash(short) - equity) < 1e-6)
  const order = rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '1', size: '1' }))
  assert.equal(order['result'], 0)
  assert.equal(rig.stateOf(short), 'healthy')
})

test('reduce-only orders of deleveraged wallets are cut in the same batch', () => {
  const rig = crashed({ fund: 0 })
  rig.outcome(rig.place({ wallet: 1, side: 'Sell', price: '90000', size: '1', reduceOnly: true }))
  rig.outcome(rig.place({ wallet: 2, side: 'Sell', price: '90000', size: '2', reduceOnly: true }))
  rig.outcome(rig.place({ wallet: 3, side: 'Sell', price: '90000', size: '1', reduceOnly: true }))
  rig.nowMillis += 1000
  rig.index(140_000)
  rig.step()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.deepEqual(
    [1, 2, 3].map((wallet) => rig.working(wallet).length),
    [0, 0, 1],
  )
})

test('the fund pays a debt without a position, and the wallet keeps the unpaid rest', () => {
  for (const fund of [0, 400, 50_000]) {
    const rig = new LiquidationRig(still).openMarket()
    if (fund > 0) rig.fundInsurance(fund)
    rig.deposit(short, 15_000)
    rig.run()
    rig.trade(2, short, '3270', '1')
    // Simulates a fee above the cash of the wallet. Wallet 2 receives it, so that no money is lost.
    rig.state.risk.creditCash(rig.account(short), -19_000e6)
    rig.state.risk.creditCash(rig.account(2), 19_000e6)
    const total = totalCash(rig)
    rig.state.risk.fill(
      fillTerms({ account: rig.account(short), instrument: 0, side: Side.Buy, sizeLots: 1e8 }),
      new FillEffect(),
    )
    rig.state.risk.fill(
      fillTerms({ account: rig.account(2), instrument: 0, side: Side.Sell, sizeLots: 1e8 }),
      new FillEffect(),
    )
    rig.tick()
    rig.run()
    assert.equal(rig.stateOf(short), 'liquidated')
    const paid = Math.min(fund, 730)
    const { insuranceMicros, uncoveredMicros } = rig.row(short)!
    assert.deepEqual([insuranceMicros, uncoveredMicros], [paid * 1e6, (730 - paid) * 1e6])
    assert.equal(rig.cash(short), paid - 730)
    assert.equal(totalCash(rig), total)
  }
})

/**
 * Returns a market in which wallet 5 is short 3 calls: wallet 1 bought one at 100, wallet 2 one at 3000, and wallet 3
 * one from the rich wallet 4.
 */
function crashed({
  fund,
  config = still,
}: {
  fund: number
  config?: EngineConfig
}): LiquidationRig {
  const rig = new LiquidationRig(config)
  rig.list()
  rig.index(100_000)
  rig.surface(0.6)
  rig.deposit(1, 5000)
  rig.deposit(2, 100_000)
  rig.deposit(3, 1_000_000)
  rig.deposit(4, 1_000_000)
  rig.deposit(short, 60_000)
  rig.run()
  if (fund > 0) rig.fundInsurance(fund)
  rig.trade(1, short, '100', '1')
  rig.trade(2, short, '3000', '2')
  rig.trade(3, 4, '3000', '1')
  rig.index(140_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
  assert.ok(rig.margin(short).equity < 0)
  return rig
}

function totalCash(rig: LiquidationRig): number {
  const { accounts, risk, funds } = rig.state
  let sum = funds.totalMicros
  for (let account = 0; account < accounts.count; account++) sum += risk.cashMicros[account]!
  return sum
}

test('the engine asserts on deleveraging outside the full phase', () => {
  const rig = shortRig()
  const account = rig.account(short)
  const judged = judge(rig.state, account)
  const begin = () => deleverage(rig.state, new Liquidation(account), judged)
  assert.throws(begin, /only in the full liquidation phase/)
})
