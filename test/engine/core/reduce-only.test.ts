import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { assertReduces } from '../../support/core-invariants.js'
import { CoreRig } from '../../support/core-rig.js'
import type { RigOrder } from '../../support/rig-commands.js'
import type { RigEvent } from '../../support/rig-event.js'

const { Acked, Canceled, Filled, Open, PartiallyFilled } = OrderStatus
const sell = { wallet: 1, side: 'Sell' } as const
const reduce = { ...sell, reduceOnly: true } as const
/** Sells to wallet 1 need somebody who bids. */
const bid = { wallet: 3, side: 'Buy', price: '3000', size: '20' } as const

test('the excess of a resting order is cancelled between two matches, in the same step', () => {
  const rig = holding('5')
  const { orderId } = rig.outcome(rig.place({ ...reduce, price: '3500', size: '5' }))
  rig.place({ ...bid, size: '2', price: '3100' })
  rig.place(bid)
  rig.run().events()
  const request = rig.place({ ...sell, price: '3000', size: '3' })
  const seen = rig.run().events()
  assert.deepEqual(linesOf(seen, orderId!), [
    'fill 2 at 3100',
    'fill 2 at 3100',
    `update ${Open} ${Result.Accepted} size 3`,
    'fill 1 at 3000',
    'fill 1 at 3000',
    `update ${Open} ${Result.Accepted} size 2`,
  ])
  assert.equal(outcomeOf(seen, request)['status'], Filled)
  assert.equal(openOf(rig, orderId!), 2)
  assertReserves(rig)
})

test('an order that loses everything is CANCELED with reduce_only', () => {
  const rig = holding('5')
  const { orderId } = rig.outcome(rig.place({ ...reduce, price: '3500', size: '2' }))
  rig.outcome(rig.place(bid))
  rig.place({ ...sell, price: '3000', size: '5' })
  assert.deepEqual(linesOf(rig.run().events(), orderId!), [
    'fill 5 at 3000',
    'fill 5 at 3000',
    `update ${Canceled} ${Result.ReduceOnly} size 2`,
  ])
  assert.equal(rig.state.accounts.workingOrders[0], 0)
  const again = rig.outcome(rig.cancel(1, orderId!))
  assert.equal(again['result'], Result.OrderAlreadyCanceled)
})

test('a partly filled order that is cut shows its filled and open lots as its size', () => {
  const rig = holding('5')
  const { orderId } = rig.outcome(rig.place({ ...reduce, price: '3500', size: '5' }))
  rig.outcome(rig.place({ ...bid, price: '3500', size: '1' }))
  rig.outcome(rig.place(bid))
  rig.place({ ...sell, price: '3000', size: '2' })
  const seen = rig.run().events()
  const update = seen.find(
    ({ type, fields }) => type === EventType.OrderUpdate && fields['orderId'] === orderId,
  )
  const { status, size, filled } = update!.fields
  assert.deepEqual([status, size, filled], [PartiallyFilled, 3, 1])
  rig.place({ ...bid, price: '3500', size: '2' })
  const last = rig.run().events()
  assert.ok(linesOf(last, orderId!).includes(`update ${Filled} ${Result.Accepted} size 3`))
})

test('a position reduced earlier in the batch cuts a new order, and never flips', () => {
  const rig = holding('5')
  rig.outcome(rig.place(bid))
  const batches = rig.batches.length
  rig.place({ ...sell, price: '3000', size: '3' })
  const request = rig.place({ ...reduce, price: '3000', size: '5' })
  const seen = rig.run().events()
  const { orderId, status, size, filled } = outcomeOf(seen, request)
  assert.equal(rig.batches.length - batches, 1)
  assert.deepEqual([status, size, filled], [Filled, 2, 2])
  assert.deepEqual(linesOf(seen, orderId!), [
    'fill 3 at 3000',
    'fill 3 at 3000',
    `update ${Acked} ${Result.Accepted} size 5`,
    `update ${Acked} ${Result.Accepted} size 2`,
    'fill 2 at 3000',
    'fill 2 at 3000',
    `update ${Filled} ${Result.Accepted} size 2`,
  ])
  assert.equal(positionOf(rig), 0)
})

test('a position reduced as a maker earlier in the batch counts, too', () => {
  const rig = holding('5')
  rig.outcome(rig.place({ ...sell, price: '3400', size: '5' }))
  rig.place({ ...bid, price: '3400', size: '5' })
  const request = rig.place({ ...reduce, price: '3500', size: '5' })
  const { status, result } = rig.outcome(request)
  assert.deepEqual([status, result], [Canceled, Result.ReduceOnly])
})

test('an order that traded nothing was accepted: its nonce is burned, and its duplicate gets the same answer', () => {
  const rig = holding('5')
  rig.outcome(rig.place(bid))
  rig.place({ ...sell, price: '3000', size: '5' })
  const order = { ...reduce, price: '3000', size: '5', nonce: 77 } as const
  const first = rig.outcome(rig.place(order))
  const again = rig.outcome(rig.place(order))
  for (const { status, result, orderId } of [first, again]) {
    assert.deepEqual([status, result, orderId], [Canceled, Result.ReduceOnly, first['orderId']])
  }
})

test('items of one bulk close no more than the position', () => {
  const rig = holding('5')
  rig.outcome(rig.place(bid))
  const requests: number[] = []
  rig.bulk(() => {
    requests.push(rig.place({ ...reduce, price: '3600', size: '2' }))
    requests.push(rig.place({ ...sell, price: '3000', size: '4' }))
    requests.push(rig.place({ ...reduce, price: '3000', size: '3' }))
  })
  const seen = rig.run().events()
  const results = requests.map((request) => {
    const { status, result, size, filled } = outcomeOf(seen, request)
    return [status, result, size, filled]
  })
  assert.deepEqual(results, [
    [Acked, Result.Accepted, 2, 0],
    [Filled, Result.Accepted, 4, 4],
    [Canceled, Result.ReduceOnly, 3, 0],
  ])
  assert.equal(positionOf(rig), 1)
  assert.equal(openOf(rig, outcomeOf(seen, requests[0]!)['orderId']!), 1)
})

test('a replace of an order that was cut earlier in the batch is decided again', () => {
  const rig = holding('5')
  const { orderId } = rig.outcome(rig.place({ ...reduce, price: '3500', size: '5' }))
  rig.outcome(rig.place(bid))
  let request = 0
  const replacing = (size: string): void => {
    request = rig.place({ ...reduce, price: '3600', size, replaces: orderId! })
  }
  rig.bulk(() => {
    rig.place({ ...sell, price: '3000', size: '3' })
    replacing('5')
  })
  const { status, result } = rig.outcome(request)
  assert.deepEqual([status, result], [OrderStatus.Rejected, Result.ReduceOnly])
  assert.equal(openOf(rig, orderId!), 2)
  rig.bulk(() => {
    rig.place({ ...sell, price: '3000', size: '1' })
    replacing('1')
  })
  const replaced = rig.outcome(request)
  assert.equal(replaced['result'], Result.Accepted)
  assert.equal(openOf(rig, replaced['orderId']!), 1)
  assertReserves(rig)
})

test('buys close a short position in the same way', () => {
  const rig = holding('5')
  const buy = { wallet: 2, side: 'Buy', reduceOnly: true } as const
  rig.outcome(rig.place({ wallet: 3, side: 'Sell', price: '3700', size: '9' }))
  const { orderId } = rig.outcome(rig.place({ ...buy, price: '3500', size: '5' }))
  rig.outcome(rig.place({ wallet: 2, side: 'Buy', price: '3700', size: '9' }))
  assert.equal(openOf(rig, orderId!), 0)
  const { result } = rig.outcome(rig.place({ ...buy, price: '3500', size: '1' }))
  assert.equal(result, Result.ReduceOnly)
})

test('a snapshot between two cuts and the rest of the journal publish the same events', () => {
  const rig = holding('9')
  const orders: RigOrder[] = [
    { ...reduce, price: '3500', size: '3' },
    { ...reduce, price: '3600', size: '3' },
    { ...reduce, price: '3500', size: '3' },
    bid,
    { ...sell, price: '3000', size: '2' },
  ]
  for (const order of orders) rig.outcome(rig.place(order))
  const saved = rig.save()
  const from = rig.batches.length
  rig.place({ ...sell, price: '3000', size: '5' })
  const events = rig.run().events()
  assert.ok(events.some(({ fields }) => fields['result'] === Result.ReduceOnly))
  const other = new CoreRig()
  other.restore(saved)
  for (const batch of rig.batches.slice(from)) other.replay(batch)
  assert.deepEqual(digestsOf(other.events()), digestsOf(events))
  const replica = new CoreReplica(engineConfigDefault)
  for (const batch of rig.batches) replica.applyBatch(batch)
  const { low, high } = rig.state.hash
  assert.deepEqual({ low: other.state.hash.low, high: other.state.hash.high }, { low, high })
  assert.deepEqual({ ...replica.stateHash() }, { low, high })
})

/** A market in which wallet 1 has bought this much of wallet 2. */
function holding(size: string): CoreRig {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place({ wallet: 2, side: 'Sell', price: '3400', size }))
  rig.outcome(rig.place({ wallet: 1, side: 'Buy', price: '3400', size }))
  return rig
}

/** Returns the events of an order, and every fill. */
function linesOf(seen: readonly RigEvent[], orderId: number): string[] {
  const lines: string[] = []
  for (const event of seen) {
    const { type, fields } = event
    assertReduces(event, 'event')
    if (type === EventType.Fill) lines.push(`fill ${fields['size']} at ${fields['price']}`)
    if (type === EventType.OrderUpdate && fields['orderId'] === orderId) {
      lines.push(`update ${fields['status']} ${fields['result']} size ${fields['size']}`)
    }
  }
  return lines
}

function outcomeOf(seen: readonly RigEvent[], request: number): RigEvent['fields'] {
  const found = seen.find(
    ({ type, fields }) => type === EventType.Outcome && fields['request'] === request,
  )
  assert.ok(found, `request ${request} is answered`)
  return found.fields
}

function openOf(rig: CoreRig, orderId: number): number {
  const slot = rig.state.orderIndex.find(orderId)
  return rig.state.orders.openLots[slot]! / 1e8
}

function positionOf(rig: CoreRig): number {
  const { risk } = rig.state
  const row = risk.findExposure(0, 0)
  return row < 0 ? 0 : risk.exposures.positionLots[row]! / 1e8
}

/** Reserves, lists and hash are those of a core that never knew the greater size. */
function assertReserves(rig: CoreRig): void {
  const replica = new CoreReplica(engineConfigDefault)
  replica.load(rig.save())
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...replica.stateHash() }, { low, high })
  const reserves = [rig.state, replica.state].map(({ risk }) => {
    return risk.exposures.reduceOnlySellLots[risk.findExposure(0, 0)]
  })
  assert.equal(reserves[0], reserves[1])
}

function digestsOf(seen: readonly RigEvent[]): (number | undefined)[] {
  return seen.map(({ fields }) => fields['digest'])
}
