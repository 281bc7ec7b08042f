import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../engine/core/bootstrap.js'
import { engineConfigDefault } from '../../../engine/core/engine-config.js'
import { CoreReplica } from '../../../engine/core/replica.js'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { OrderStatus, Tif } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/events.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig, type RigEvent } from '../../support/core-rig.js'

const seller = { wallet: 1, side: 'Sell', price: '3500', size: '2' } as const
const adder = { wallet: 2, side: 'Buy', price: '3500', size: '1', tif: 'alo' } as const

test('an add-liquidity-only order that would trade is rejected whole; nonce and client id stay free', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(seller))
  const before = reservesOf(rig)
  const seen = answered(rig, rig.place({ ...adder, nonce: 9, clientId: 'mine' }))
  assert.deepEqual(seen, { result: Result.PostOnlyWouldTrade, orderId: 0, filled: 0 })
  assert.deepEqual(reservesOf(rig), before)
  const again = rig.outcome(rig.place({ ...adder, price: '3499', nonce: 9, clientId: 'mine' }))
  assert.deepEqual([again['result'], again['status']], [0, OrderStatus.Acked])
})

test('its wallet hears of one rejection, the book and the trades of nothing', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(seller))
  rig.place(adder)
  const told = rig.run().events()
  const types = told.map(({ type }) => type)
  assert.deepEqual(types.sort(), [EventType.Outcome, EventType.OrderUpdate].sort())
  for (const { fields } of told) assert.equal(fields['result'], Result.PostOnlyWouldTrade)
})

test('the book at its turn in the batch decides', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(seller))
  const batches = rig.batches.length
  const early = rig.place(adder)
  rig.cancel(1, orderId!)
  const late = rig.place(adder)
  const seen = rig.run().events()
  assert.equal(rig.batches.length - batches, 1)
  const results = [early, late].map((request) => outcomeOf(seen, request)['result'])
  assert.deepEqual(results, [Result.PostOnlyWouldTrade, Result.Accepted])
})

test('a replaced order works on, with its client id and what it reserves', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(seller))
  const old = { ...adder, price: '3400', clientId: 'mine' }
  const { orderId } = rig.outcome(rig.place(old))
  const before = reservesOf(rig)
  const refused = rig.outcome(rig.place({ ...adder, clientId: 'mine', replaces: orderId! }))
  assert.equal(refused['result'], Result.PostOnlyWouldTrade)
  assert.deepEqual(reservesOf(rig), before)
  const { orders, orderIndex } = rig.state
  assert.equal(orders.openLots[orderIndex.find(orderId!)], 1e8)
  assert.equal(rig.outcome(rig.cancelClient(2, 'mine'))['status'], OrderStatus.Canceled)
})

test('a resting one trades as a maker, also behind a snapshot and a restart', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...adder, size: '5' }))
  rig.outcome(rig.place({ ...seller, size: '2' }))
  const replica = new CoreReplica(engineConfigDefault)
  replica.load(rig.save())
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...replica.stateHash() }, { low, high })
  const restored = new CoreRig()
  restored.restore(rig.save())
  publishBootstrap(restored.state, restored.core.batch, () => restored.events())
  const slot = restored.state.orderIndex.find(orderId!)
  assert.equal(restored.state.orders.tif[slot], Tif.Alo)
  const taken = restored.outcome(restored.place({ ...seller, nonce: 99, size: '3' }))
  assert.deepEqual([taken['status'], taken['filled']], [OrderStatus.Filled, 3])
})

test('a cancel that names a book finds only orders of it', () => {
  const rig = new CoreRig().openMarket()
  const [own, other] = [{}, { underlying: 'ETH' }]
  rig.list(other)
  const { orderId } = rig.outcome(rig.place({ ...seller, clientId: 'mine' }))
  for (const instrument of [other, { strike: 1 }]) {
    const byId = rig.outcome(rig.cancel(1, orderId!, { instrument }))
    assert.deepEqual([byId['result'], byId['orderId']], [Result.OrderNotInBook, 0])
    const byClientId = rig.outcome(rig.cancelClient(1, 'mine', { instrument }))
    assert.deepEqual([byClientId['result'], byClientId['orderId']], [Result.ClientIdNotFound, 0])
  }
  assert.equal(
    rig.outcome(rig.cancel(2, orderId!, { instrument: own }))['result'],
    Result.OrderNotFound,
  )
  const canceled = rig.outcome(rig.cancel(1, orderId!, { instrument: own }))
  assert.deepEqual([canceled['status'], canceled['orderId']], [OrderStatus.Canceled, orderId])
  const gone = rig.outcome(rig.cancel(1, orderId!, { instrument: own }))
  assert.equal(gone['result'], Result.OrderAlreadyCanceled)
  rig.outcome(rig.place({ ...seller, clientId: 'next' }))
  const next = rig.outcome(rig.cancelClient(1, 'next', { instrument: own }))
  assert.equal(next['status'], OrderStatus.Canceled)
})

function outcomeOf(seen: readonly RigEvent[], request: number): RigEvent['fields'] {
  return seen.find(
    ({ type, fields }) => type === EventType.Outcome && fields['request'] === request,
  )!.fields
}

function answered(rig: CoreRig, request: number): RigEvent['fields'] {
  const { result, orderId, filled } = rig.outcome(request)
  return { result: result!, orderId: orderId!, filled: filled! }
}

/** What working orders hold of wallet 2, the second to be funded. */
function reservesOf({ state }: CoreRig): readonly unknown[] {
  const summary = new MarginSummary()
  state.risk.summarize(1, summary)
  return [state.accounts.workingOrders[1], state.risk.countsTowardsPositions(1), { ...summary }]
}
