import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { CoreReplica } from '../../../../engine/core/replica.js'
import { finishOrder } from '../../../../engine/lifecycle/finish-order.js'
import { MarginSummary } from '../../../../engine/risk/order-check.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { neverMillis, OrderStatus, Right, Tif } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import type { RigEvent } from '../../../support/rig-event.js'

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

test('only its wallet receives a rejection; book and trades are unchanged', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(seller))
  rig.place(adder)
  const events = rig.run().events()
  const types = events.map(({ type }) => type)
  assert.deepEqual(types.sort(), [EventType.Outcome, EventType.OrderUpdate].sort())
  for (const { fields } of events) assert.equal(fields['result'], Result.PostOnlyWouldTrade)
})

test("the book at the order's turn in the batch decides", () => {
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

test('a replaced order keeps working, with its client id and its reservation', () => {
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

test('of two replaces in a bulk the second keeps the client id if the first is rejected', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(seller))
  const { orderId } = rig.outcome(rig.place({ ...adder, price: '3400', clientId: 'mine' }))
  rig.bulk(() => {
    rig.place({ ...adder, replaces: orderId! })
    rig.place({ ...adder, price: '3300', clientId: 'mine', replaces: orderId! })
  })
  rig.run()
  const twin = rig.place({ ...adder, price: '3200', clientId: 'mine' })
  assert.equal(rig.outcome(twin)['result'], Result.DuplicateClientId)
  assert.equal(rig.outcome(rig.cancelClient(2, 'mine'))['result'], Result.CanceledOnRequest)
})

test('a resting order trades as a maker, also after a snapshot and a restart', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...adder, size: '5' }))
  rig.outcome(rig.place({ ...seller, size: '2' }))
  const replica = new CoreReplica(engineConfigDefault)
  replica.load(rig.save())
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...replica.stateHash() }, { low, high })
  const restored = new CoreRig()
  restored.restore(rig.save())
  publishBootstrap(restored.state, () => restored.events())
  const slot = restored.state.orderIndex.find(orderId!)
  assert.equal(restored.state.orders.tif[slot], Tif.Alo)
  const taken = restored.outcome(restored.place({ ...seller, nonce: 99, size: '3' }))
  assert.deepEqual([taken['status'], taken['filled']], [OrderStatus.Filled, 3])
})

const perpOfBtc = { underlying: 'BTC', expiryDate: 0, strike: 0, right: Right.None }

/** An open market with two perps, of BTC with number 1, of ETH with number 2. */
function perpRig(): CoreRig {
  const rig = new CoreRig().openMarket()
  rig.list(perpOfBtc, neverMillis)
  rig.list({ ...perpOfBtc, underlying: 'ETH' }, neverMillis)
  rig.run()
  return rig
}

test('a cancel of a perp action finds only orders of its asset', () => {
  const rig = perpRig()
  const [own, other] = [{ perp: { asset: 1 } }, { perp: { asset: 2 } }]
  const order = { ...seller, price: '101000', size: '1', ...own }
  const { orderId, instrument } = rig.outcome(rig.place({ ...order, clientId: 'mine' }))
  assert.equal(instrument, 1)
  const byId = rig.outcome(rig.cancel(1, orderId!, other))
  assert.deepEqual([byId['result'], byId['orderId']], [Result.OrderNotInBook, 0])
  const byClientId = rig.outcome(rig.cancelClient(1, 'mine', other))
  assert.deepEqual([byClientId['result'], byClientId['orderId']], [Result.ClientIdNotFound, 0])
  assert.equal(rig.outcome(rig.cancel(2, orderId!, own))['result'], Result.OrderNotFound)
  const canceled = rig.outcome(rig.cancel(1, orderId!, own))
  assert.deepEqual([canceled['status'], canceled['orderId']], [OrderStatus.Canceled, orderId])
  assert.equal(rig.outcome(rig.cancel(1, orderId!, own))['result'], Result.OrderAlreadyCanceled)
  rig.outcome(rig.place({ ...order, clientId: 'next' }))
  const next = rig.outcome(rig.cancelClient(1, 'next', own))
  assert.equal(next['status'], OrderStatus.Canceled)
})

test('a perp action names a listed perp, and no other instrument', () => {
  const rig = perpRig()
  for (const asset of [-1, 0, 3, 2 ** 31 - 1]) {
    const perp = { asset }
    const order = { ...seller, price: '101000', size: '1', perp }
    const refused = [
      rig.place(order),
      rig.cancel(1, 1, { perp }),
      rig.cancelClient(1, 'a', { perp }),
    ]
    const seen = rig.run().events()
    for (const request of refused) {
      const { result } = outcomeOf(seen, request)
      assert.equal(result, Result.PerpMissingUnderlying, `asset ${asset}`)
    }
  }
})

test('the stream of a wallet receives the rejection of a perp action for an unlisted perp', () => {
  const rig = perpRig()
  const order = { ...seller, price: '101000', size: '1' }
  const refused = [3, 2 ** 31 - 1].map((asset) => rig.place({ ...order, perp: { asset } }))
  const seen = rig.run().events()
  assert.deepEqual(
    refused.map((request) => outcomeOf(seen, request)['instrument']),
    [-1, -1],
  )
  assert.equal(seen.filter(({ type }) => type === EventType.OrderUpdate).length, 2)
})

test('a perp action is valid up to its last millisecond; a duplicate is answered after it, too', () => {
  const rig = perpRig()
  const perp = { asset: 1, expiresMillis: rig.nowMillis }
  const order = { ...seller, price: '101000', size: '1', perp, nonce: 77 }
  const first = answered(rig, rig.place(order))
  assert.ok(first['orderId']! > 0)
  rig.nowMillis += 1
  assert.deepEqual(answered(rig, rig.place(order)), first)
  const late = rig.outcome(rig.place({ ...order, nonce: 78 }))
  assert.deepEqual([late['result'], late['orderId']], [Result.ActionExpired, 0])
  const cancel = rig.outcome(rig.cancel(1, first['orderId']!, { perp, nonce: 79 }))
  assert.equal(cancel['result'], Result.ActionExpired)
  assert.equal(
    rig.outcome(rig.cancel(1, first['orderId']!, { nonce: 79 }))['status'],
    OrderStatus.Canceled,
  )
})

test('an action signed for a delisted perp never reaches its successor; a duplicate is answered', () => {
  const rig = perpRig()
  const order = { ...seller, price: '101000', size: '1', perp: { asset: 1 }, nonce: 77 }
  const first = answered(rig, rig.place(order))
  rig.delist(perpOfBtc)
  rig.list(perpOfBtc, neverMillis)
  rig.run()
  assert.equal(rig.state.instruments.find('BTC', 0, 0, Right.None), 3)
  assert.deepEqual(answered(rig, rig.place(order)), first)
  const old = rig.outcome(rig.place({ ...order, nonce: 78 }))
  assert.equal(old['result'], Result.PerpMissingUnderlying)
  const fresh = rig.outcome(rig.place({ ...order, perp: { asset: 3 }, nonce: 78 }))
  assert.equal(fresh['instrument'], 3)
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

/** Returns the reservations of wallet 2, the second to be funded. */
function reservesOf({ state }: CoreRig): readonly unknown[] {
  const summary = new MarginSummary()
  state.risk.summarize(1, summary)
  return [state.accounts.workingOrders[1], state.risk.positionsCounted[1], { ...summary }]
}

test('a fill at another price than the maker price stops the engine', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(seller))
  const { orderIndex, orders } = rig.state
  orders.priceMicros[orderIndex.find(orderId!)]! += 1e6
  rig.place({ ...adder, tif: 'ioc' })
  assert.throws(() => rig.run(), /fill: at the maker’s price/)
})

test('a filled order with open lots, or a second end of an order, stops the engine', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(seller))
  const slot = rig.state.orderIndex.find(orderId!)
  const finish = (status: OrderStatus) => finishOrder(rig.state, slot, status, Result.Accepted)
  assert.throws(() => finish(OrderStatus.Filled), /a filled order has no open lots/)
  finish(OrderStatus.Canceled)
  assert.throws(() => finish(OrderStatus.Canceled), /order: it ends once/)
})
