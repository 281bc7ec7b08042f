import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'

const wallets = 300
const ordersEach = 4

test('a cancel, a snapshot and a replay find every row of grown tables', () => {
  const rig = new CoreRig().openMarket()
  for (let wallet = 1; wallet <= wallets; wallet++) rig.deposit(wallet, 1000)
  rig.run().events()
  for (let i = 0; i < ordersEach; i++) {
    for (let wallet = 1; wallet <= wallets; wallet++) {
      rig.place({ wallet, side: 'Buy', price: '1', size: '0.001', clientId: `c${i}` })
    }
    rig.run().events()
  }
  const { accounts, orders, risk } = rig.state
  assert.equal(accounts.count, wallets)
  assert.ok(accounts.selfTrade.length > 256 && orders.capacity > 1024, 'columns have grown')
  assert.ok(risk.buckets.high === wallets && risk.exposures.high === wallets)

  for (let wallet = 1; wallet <= wallets; wallet++) rig.cancelClient(wallet, 'c2')
  const outcomes = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Outcome)
  assert.equal(outcomes.length, wallets)
  for (const { fields } of outcomes) assert.equal(fields['result'], Result.CanceledOnRequest)
  for (let account = 0; account < wallets; account++) {
    assert.equal(accounts.workingOrders[account], ordersEach - 1)
  }

  const { low, high } = rig.state.hash
  const restored = new CoreRig()
  restored.restore(rig.save())
  assert.deepEqual({ ...restored.state.hash }, { low, high })
  const replayed = new CoreRig()
  for (const batch of rig.batches) replayed.replay(batch)
  assert.deepEqual({ ...replayed.state.hash }, { low, high })
})
