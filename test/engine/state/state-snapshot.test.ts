import assert from 'node:assert/strict'
import { test } from 'node:test'
import { none } from '../../../engine/memory/rows.js'
import { finalFactsKept } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'
import { endedId, endedOwner, endOrder } from '../../support/ended-orders.js'

test('orders that ended outlive a snapshot, lately ended ones with all their facts', () => {
  const rig = new CoreRig().openMarket()
  for (let counter = 1; counter <= finalFactsKept + 10; counter++) endOrder(rig, counter)
  const restored = new CoreRig()
  restored.restore(rig.save())
  assert.deepEqual({ ...restored.state.hash }, { ...rig.state.hash })
  const { orders, orderIndex } = restored.state
  assert.equal(orderIndex.find(endedId(10)), none)
  assert.equal(orderIndex.forgottenStatus(endedId(10), endedOwner), OrderStatus.Filled)
  assert.equal(orderIndex.forgottenStatus(endedId(9), endedOwner), OrderStatus.Canceled)
  const slot = orderIndex.find(endedId(11))
  assert.equal(orders.filledMicros[slot], 11)
  // The next one that ends takes the place of the oldest, in both alike.
  for (const each of [rig, restored]) endOrder(each, finalFactsKept + 11)
  assert.equal(orderIndex.find(endedId(11)), none)
  assert.deepEqual({ ...restored.state.hash }, { ...rig.state.hash })
})

test('what marks are made of outlives a snapshot, estimates of a settlement too', () => {
  const rig = new CoreRig().openMarket()
  const expiryMillis = Date.UTC(2026, 0, 31, 0)
  rig.state.marks.setSettlementEstimate(0, expiryMillis, 99_000e6)
  const restored = new CoreRig()
  restored.restore(rig.save())
  assert.deepEqual(restored.state.marks.stateOf(0), rig.state.marks.stateOf(0))
  assert.equal(restored.state.marks.inputsOf(0).estimates[0]!.priceMicros, 99_000e6)
})
