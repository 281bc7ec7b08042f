import assert from 'node:assert/strict'
import { test } from 'node:test'
import { none } from '../../../engine/memory/rows.js'
import { builderWords, clientIdWords } from '../../../engine/state/order-texts.js'
import { finalFactsKept, underlyingsMax } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'

const account = 2
const texts = new Int32Array(clientIdWords + builderWords)

test('orders that ended outlive a snapshot, lately ended ones with all their facts', () => {
  const rig = new CoreRig().openMarket()
  for (let counter = 1; counter <= finalFactsKept + 10; counter++) endOrder(rig, counter)
  const restored = new CoreRig()
  restored.restore(rig.save())
  assert.deepEqual({ ...restored.state.hash }, { ...rig.state.hash })
  const { orders, orderIndex } = restored.state
  assert.equal(orderIndex.find(idOf(10)), none)
  assert.equal(orderIndex.forgottenStatus(idOf(10), account), OrderStatus.Filled)
  assert.equal(orderIndex.forgottenStatus(idOf(9), account), OrderStatus.Canceled)
  const slot = orderIndex.find(idOf(11))
  assert.equal(orders.filledMicros[slot], 11)
  // The next one that ends takes the place of the oldest, in both alike.
  for (const each of [rig, restored]) endOrder(each, finalFactsKept + 11)
  assert.equal(orderIndex.find(idOf(11)), none)
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

function endOrder({ state }: CoreRig, counter: number): void {
  const { orders, orderIndex } = state
  const slot = orders.take()
  orders.orderId[slot] = idOf(counter)
  orders.account[slot] = account
  orders.filledMicros[slot] = counter
  orders.setTexts(slot, texts, 0, 0, clientIdWords)
  orderIndex.add(slot)
  orders.status[slot] = counter % 2 === 0 ? OrderStatus.Filled : OrderStatus.Canceled
  orderIndex.end(slot)
}

function idOf(counter: number): number {
  return counter * underlyingsMax
}
