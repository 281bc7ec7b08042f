import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { Tier } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { LiquidationRig } from '../../support/liquidation-rig.js'

// Wallets are short 1/40 of each of 40 calls, with strikes from 110,000 on: at an index of 108,000 they are below
// maintenance margin. Wallet 2 has bought it all.

const positions = 40
const wallets = Array.from({ length: 60 }, (_, index) => 1000 + index)
const under = 108_000
const perBatch = Math.floor(engineConfigDefault.remarkedPositions / positions)
/** All instruments in one slice, so that each re-mark is complete. */
const config = { ...engineConfigDefault, remarkRows: 2000 }

test('after a re-mark a batch checks a limited number of positions, and the next ones continue by rising account', () => {
  const rig = crowdedRig()
  rig.index(under)
  // Wallet 2 is the first of them.
  const fallen = []
  while (rig.step()) fallen.push(fallenOf(rig).length)
  assert.deepEqual(fallen, [perBatch - 1, 2 * perBatch - 1, wallets.length])
})

test('orders in between use the new marks, checked or not', () => {
  const rig = crowdedRig()
  rig.index(under)
  rig.step()
  const last = wallets.at(-1)!
  assert.equal(rig.stateOf(last), 'healthy', 'the engine has not checked it yet')
  const sell = { wallet: last, side: 'Sell', price: '9000', size: '0.1' } as const
  const outcome = rig.outcome(rig.place({ ...sell, instrument: { strike: 110_000 } }))
  assert.equal(outcome['result'], Result.InsufficientMargin)
  assert.equal(rig.stateOf(last), 'pre_liquidation')
})

test('wallets that keep coming back do not delay others', () => {
  const rig = crowdedRig()
  rig.index(under)
  for (let i = 0; i < 3; i++) {
    for (const wallet of [2, ...wallets.slice(0, perBatch)]) rig.deposit(wallet, 0.01)
    rig.index(under + i + 1)
    rig.step()
  }
  assert.equal(fallenOf(rig).length, wallets.length)
  rig.run()
  assert.equal(rig.state.risk.remarked.count, 0)
})

test('a batch checks a wallet with more positions than its limit all the same', () => {
  const rig = new LiquidationRig(config)
  const count = engineConfigDefault.remarkedPositions + 10
  const strikes = listCalls(rig, count)
  fund(rig, [2, 3])
  for (const [index, strike] of strikes.entries()) {
    rig.trade(2, 3, '3000', '0.1', { instrument: { strike } })
    if (index % 100 === 0) rig.events()
  }
  rig.run().events()
  assert.equal(rig.state.risk.positionsCounted[rig.account(3)], count)
  rig.index(250_000)
  const looked = []
  while (rig.step()) looked.push(rig.state.risk.changed.count)
  assert.deepEqual(looked, [1, 0], 'each batch checks one of the two')
  assert.equal(rig.stateOf(3), 'full', 'its equity is negative')
})

test('a changed configuration makes the engine check every wallet, with the same limit', () => {
  const rig = crowdedRig()
  rig.configure({ ...config, risk: { ...config.risk, mmFactor: 5 } })
  const left = []
  while (rig.step()) left.push(rig.state.risk.remarked.count)
  const all = wallets.length + 1
  assert.deepEqual(left, [all - perBatch, all - 2 * perBatch, 0])
  assert.equal(fallenOf(rig).length, wallets.length)
})

test('after every batch of the checks a replay, and a snapshot with its journal, give the same hash', () => {
  const rig = crowdedRig()
  const from = rig.batches.length
  for (let i = 0; i < 12; i++) {
    rig.nowMillis += 7
    if (i % 4 === 0) rig.index(i % 8 === 0 ? 103_000 + i : 101_000)
    if (i === 9) rig.index(under)
    const wallet = wallets[(i * 17) % wallets.length]!
    rig.place({ wallet, side: 'Buy', price: '2000', size: '0.01', instrument: { strike: 110_000 } })
    rig.deposit(wallets[(i * 23) % wallets.length]!, 5)
    rig.step()
  }
  rig.run()
  const first = new CoreReplica(config)
  for (const applied of rig.batches.slice(0, from)) first.applyBatch(applied)
  let cuts = 0
  for (const [border, applied] of rig.batches.entries()) {
    if (border < from) continue
    first.applyBatch(applied)
    const { remarked, changed } = first.state.risk
    if (remarked.count > 0 && changed.turn > 0) cuts++
    const second = new CoreReplica(config)
    second.load(first.save())
    assert.deepEqual({ ...second.stateHash() }, { ...first.stateHash() }, `border ${border}`)
    for (const next of rig.batches.slice(border + 1, border + 5)) second.applyBatch(next)
    const expected = rig.batches[border + 5]
    if (expected === undefined) continue
    const { low, high } = second.stateHash()
    assert.deepEqual({ low, high }, { low: expected.hashLow, high: expected.hashHigh })
  }
  assert.ok(cuts > 6, `${cuts} borders among the checks`)
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...first.stateHash() }, { low, high })
})

/** Returns the wallets, short 40 calls each, at an index of 100,000. */
function crowdedRig(): LiquidationRig {
  const rig = new LiquidationRig(config)
  const strikes = listCalls(rig, positions)
  fund(rig, [2])
  for (const wallet of wallets) rig.deposit(wallet, 15_000)
  rig.run()
  for (const strike of strikes) {
    const order = { price: '3250', size: '0.025', instrument: { strike } }
    rig.place({ wallet: 2, side: 'Buy', ...order, size: String(0.025 * wallets.length) })
    rig.run()
    for (const wallet of wallets) rig.place({ wallet, side: 'Sell', ...order })
    rig.run().events()
  }
  assert.deepEqual(fallenOf(rig), [])
  return rig
}

/**
 * Lists calls with strikes from 110,000 on, in steps of 10, with their inputs.
 * @returns the strikes
 */
function listCalls(rig: LiquidationRig, count: number): number[] {
  rig.configure(config)
  const strikes = Array.from({ length: count }, (_, index) => 110_000 + 10 * index)
  for (const strike of strikes) rig.list({ strike })
  rig.index(100_000)
  rig.surface(0.6)
  rig.run().events()
  return strikes
}

function fund(rig: LiquidationRig, makers: readonly number[]): void {
  for (const wallet of makers) {
    rig.deposit(wallet, 10_000_000)
    rig.tier(wallet, Tier.MarketMaker)
  }
  rig.run()
}

function fallenOf(rig: LiquidationRig): number[] {
  return wallets.filter((wallet) => rig.stateOf(wallet) === 'pre_liquidation')
}
