import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { Fund } from '../../../engine/state/money/funds.js'
import { EventType } from '../../../schemas/generated/events.js'
import { LiquidationRig } from '../../support/liquidation-rig.js'

const short = 5
const index = 108_000

test('a liquidation order pays the liquidation fee instead of a maker fee, and reserves none; its taker pays the usual fee', () => {
  const rig = new LiquidationRig({
    ...engineConfigDefault,
    liquidation: { ...engineConfigDefault.liquidation, feeRate: 0.01 },
    fees: {
      makerRate: 0.0002,
      takerRate: 0.0005,
      optionCap: 1,
      perpMakerRate: 0,
      perpTakerRate: 0,
      builderShare: 0,
    },
  }).openMarket()
  rig.deposit(short, 15_000)
  rig.place({ wallet: 2, side: 'Buy', price: '3270', size: '1' })
  rig.place({ wallet: short, side: 'Sell', price: '3270', size: '1' })
  rig.index(index)
  rig.run()
  rig.nowMillis += 60_000
  rig.run()
  assert.equal(rig.stateOf(short), 'partial')
  const working = rig.working(short)
  const summary = new MarginSummary()
  rig.state.risk.summarize(rig.account(short), summary)
  const premium = working.reduce((sum, { price, open }) => sum + price * open, 0)
  assert.ok(Math.abs(summary.premiumReserved / 1e6 - premium) < 1e-5, 'premium alone')
  const before = rig.state.funds.balanceMicros[Fund.Fees]!
  rig.events()
  rig.place({ wallet: 2, side: 'Sell', price: String(working[0]!.price), size: '0.05', tif: 'ioc' })
  const fills = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Fill)
  const taken = 0.0005 * index * 0.05
  assert.deepEqual(
    fills.map(({ fields }) => fields['fee']),
    [0.01 * index * 0.05, taken],
  )
  assert.equal(rig.state.funds.balanceMicros[Fund.Fees]! - before, taken * 1e6)
})
