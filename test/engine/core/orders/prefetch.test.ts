import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefetchWaiting } from '../../../../engine/core/orders/prefetch.js'
import { Ring } from '../../../../engine/memory/ring.js'
import { none } from '../../../../engine/memory/rows.js'
import { neverMillis, Right } from '../../../../schemas/domain.js'
import { CoreRig } from '../../../support/core-rig.js'

test('prefetching changes nothing, also for wallets, options and orders that do not exist', () => {
  const rig = new CoreRig().openMarket()
  rig.place({ wallet: 1, side: 'Sell', price: '5000', size: '1' })
  rig.place({ wallet: 9, side: 'Buy', price: '5000', size: '1' })
  rig.place({ wallet: 2, side: 'Buy', price: '5000', size: '1', instrument: { strike: 1 } })
  rig.place({ wallet: 2, side: 'Buy', price: '4000', size: '1', replaces: 12_345 })
  rig.cancel(2, 54_321)
  rig.place({ wallet: 3, side: 'Buy', price: '5000', size: '1' })
  rig.commands.commit()
  const { state } = rig
  const { hash, accounts } = state
  const before = [hash.low, hash.high, accounts.count, state.risk.exposures.high, state.sink.seq]
  const ring = new Ring(rig.commands.i32.buffer as SharedArrayBuffer, 'consumer')
  assert.equal(prefetchWaiting(state, ring), 6)
  assert.deepEqual(
    [hash.low, hash.high, accounts.count, state.risk.exposures.high, state.sink.seq],
    before,
  )
})

test('prefetching finds the perp of a perp action, and accepts a number without an instrument', () => {
  const rig = new CoreRig().openMarket()
  rig.list({ expiryDate: 0, strike: 0, right: Right.None }, neverMillis)
  const order = { wallet: 1, side: 'Buy', price: '100000', size: '1' } as const
  rig.outcome(rig.place({ ...order, perp: { asset: 1 } }))
  const { exposures } = rig.state.risk
  const read: number[] = []
  const prefetchIndex = exposures.prefetchIndex.bind(exposures)
  exposures.prefetchIndex = (account, instrument) => {
    read.push(instrument)
    return prefetchIndex(account, instrument)
  }
  for (const asset of [1, -1, 2 ** 31 - 1, 1]) rig.place({ ...order, perp: { asset } })
  rig.commands.commit()
  const ring = new Ring(rig.commands.i32.buffer as SharedArrayBuffer, 'consumer')
  assert.equal(prefetchWaiting(rig.state, ring), 4)
  assert.deepEqual(read, [1, 1])
})

test('prefetching reads an ended order without its removed exposure', () => {
  const first = new CoreRig().openMarket()
  const placed = first.outcome(first.place({ wallet: 1, side: 'Buy', price: '5000', size: '1' }))
  const orderId = placed['orderId']!
  first.outcome(first.cancel(1, orderId))
  // Restored, no exposure has ever been used.
  const rig = new CoreRig()
  rig.restore(first.save())
  // So many that reading ahead is worth it.
  for (let i = 0; i < 8; i++) {
    rig.place({ wallet: 1, side: 'Buy', price: '4000', size: '1', replaces: orderId })
  }
  rig.commands.commit()
  const { state } = rig
  assert.notEqual(state.orderIndex.find(orderId), none)
  const ring = new Ring(rig.commands.i32.buffer as SharedArrayBuffer, 'consumer')
  assert.equal(prefetchWaiting(state, ring), 8)
})
