import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { MarginMode, Side } from '../../../schemas/domain.js'
import { call100k, World } from './risk-fixture.js'

const wallets = 150
const modes = [MarginMode.Standard, MarginMode.Portfolio] as const

/** Creates many wallets with positions and orders in two expiries each: every column has to grow. */
function crowd(world: World, from: number, to: number): void {
  const near = world.list({ ...call100k, days: 7 })
  const far = world.list(call100k)
  for (let wallet = from; wallet < to; wallet++) {
    const account = world.account(10_000 + wallet)
    world.risk.setMarginMode(account, modes[wallet % modes.length]!)
    world.give(account, near, 1 + wallet)
    world.give(account, far, -1 - (wallet % 7))
    world.work(account, near, Side.Sell, 2 + (wallet % 5), 3000 + wallet)
    world.work(account, far, Side.Buy, 1, 2000 + wallet)
  }
}

test('the margin of each of many wallets is the same as alone', () => {
  const world = new World()
  world.spot('BTC', 100_000)
  crowd(world, 0, wallets)
  const { buckets, groups, accountCount } = world.risk
  assert.ok(accountCount > 128 && buckets.high > 128 && groups.high > 256, 'the columns grew twice')
  for (let wallet = 0; wallet < wallets; wallet++) {
    const alone = new World()
    alone.spot('BTC', 100_000)
    crowd(alone, wallet, wallet + 1)
    const [among, expected] = [new MarginSummary(), new MarginSummary()]
    world.risk.summarize(wallet, among)
    alone.risk.summarize(0, expected)
    assert.deepEqual(among, expected, `wallet ${wallet}`)
    assert.ok(expected.positionIm > 0 && expected.premiumReserved > 0)
  }
})
