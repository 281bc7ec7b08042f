import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marginBreach } from '../../../engine/invariants/margin.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { MarginMode, Right, Tier } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'

const smallest = '0.00000001'
const call = { strike: 110_000 }
const put = { strike: 90_000, right: Right.Put }
const models = { standard: {}, defined_risk: { standardIsDefinedRisk: true }, portfolio: {} }

function market(name: string, config: Partial<EngineConfig>): CoreRig {
  const all = { ...engineConfigDefault, ...config }
  const rig = new CoreRig(all)
  rig.configure(all)
  rig.openMarket()
  for (const option of [call, put]) rig.list(option)
  rig.surface(0.6)
  rig.tier(1, Tier.MarketMaker)
  rig.tier(2, name === 'defined_risk' ? Tier.Tier2 : Tier.MarketMaker)
  if (name === 'portfolio')
    for (const wallet of [1, 2]) rig.marginMode(wallet, MarginMode.Portfolio)
  rig.deposit(1, 500_000_000)
  rig.run()
  return rig
}

function mustBeExact(rig: CoreRig, when: string): void {
  for (const account of [0, 1]) {
    const breach = marginBreach(rig.state, account)
    assert.equal(breach, null, `${when}: ${breach?.text}`)
  }
}

for (const [name, config] of Object.entries(models)) {
  test(`${name}: margin is exact to the micro with 2,000 orders of a wallet, at moves of 3 and 50 %`, () => {
    const rig = market(name, config)
    for (let i = 0; i < 2000; i++) {
      const instrument = i % 3 === 0 ? put : call
      const size = (0.01 + (i % 97) * 0.00123457).toFixed(8)
      const price = String(i % 3 === 0 ? 4000 + (i % 400) : 5000 + (i % 500))
      rig.place({ wallet: 1, side: 'Sell', price, size, instrument })
      if (i % 5 === 0) {
        rig.place({ wallet: 2, side: 'Buy', price: String(1000 + i), size: smallest, instrument })
      }
      if (i % 100 === 0) rig.run().events()
    }
    rig.run().events()
    const { workingOrders } = rig.state.accounts
    assert.deepEqual([...workingOrders.subarray(0, 2)], [2000, 400])
    mustBeExact(rig, 'at first')
    for (const index of [103_000, 150_000, 75_000]) {
      rig.nowMillis += 1000
      rig.index(index)
      rig.run().events()
      mustBeExact(rig, `at ${index}`)
    }
  })
}

test('300 of the smallest asks below the mark leave no breach', () => {
  const rig = market('standard', {})
  const mark = Math.floor(rig.state.marks.markMicros[1]! / 1e6)
  for (let i = 0; i < 300; i++) {
    const price = String(mark - 1 - (i % 20))
    rig.place({ wallet: 1, side: 'Sell', price, size: smallest, instrument: call })
  }
  rig.run().events()
  assert.equal(rig.state.accounts.workingOrders[0], 300)
  mustBeExact(rig, 'asks')
})
