import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'
import { LiquidationRig } from '../../support/liquidation-rig.js'
import type { RigOrder } from '../../support/rig-commands.js'

// The call of the worked example: band 1,683.1044 to 5,489.8303, mark 3,270.260505.

const { pricing } = engineConfigDefault
const bands = { ...engineConfigDefault.bands, enabled: true }
const lowerMicros = 1_683_104_407
const upperMicros = 5_489_830_295
const buy = { wallet: 1, side: 'Buy', size: '1' } as const
const sell = { wallet: 1, side: 'Sell', size: '1' } as const

test('orders outside the band are rejected with its limits, orders at a limit are accepted', () => {
  const rig = bandedRig()
  assertOutside(rig, { ...buy, price: '5489.9' })
  assertOutside(rig, { ...sell, price: '1683.1' })
  assertPlaced(rig, { ...sell, price: '100000' })
  assertPlaced(rig, { ...sell, price: '5490' })
  const bid = assertPlaced(rig, { ...buy, wallet: 2, price: '1683.1' })
  rig.outcome(rig.cancel(2, bid))
  assertPlaced(rig, { ...buy, wallet: 2, price: '5489.8' })
  rig.outcome(rig.cancel(1, assertPlaced(rig, { ...sell, price: '1683.2' })))
})

test('bands are off by default, and no order is rejected for its price', () => {
  const rig = new CoreRig().openMarket()
  assertPlaced(rig, { ...buy, price: '9000' })
  assertPlaced(rig, { ...sell, wallet: 2, price: '1' })
})

test('a replace is checked at its new price; a rejected one leaves the old order working', () => {
  const rig = bandedRig()
  const resting = assertPlaced(rig, { ...buy, price: '3000' })
  assertOutside(rig, { ...buy, price: '5489.9', replaces: resting })
  const moved = assertPlaced(rig, { ...buy, price: '5489.8', replaces: resting })
  const gone = rig.outcome(rig.cancel(1, resting))
  assert.equal(gone['result'], Result.OrderAlreadyCanceled)
  assert.equal(rig.outcome(rig.cancel(1, moved))['status'], OrderStatus.Canceled)
})

test('each item of a bulk is checked by itself', () => {
  const rig = bandedRig()
  const first = rig.requests + 1
  rig.bulk(() => {
    rig.place({ ...buy, price: '5489.8' })
    rig.place({ ...buy, price: '5489.9' })
    rig.place({ ...buy, price: '1' })
  })
  const results = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Outcome)
    .map(({ fields }) => [fields['request']! - first, fields['result']])
  assert.deepEqual(results, [
    [0, Result.Accepted],
    [1, Result.OutsidePriceBand],
    [2, Result.Accepted],
  ])
})

test('the band follows the marks, for later orders only', () => {
  const rig = bandedRig()
  const bid = assertPlaced(rig, { ...buy, price: '5000' })
  rig.nowMillis += 10
  rig.index(90_000)
  const { result, detail1 } = rig.outcome(rig.place({ ...buy, price: '5000' }))
  assert.equal(result, Result.OutsidePriceBand)
  assert.ok(detail1! < 5_000_000_000)
  assert.equal(rig.outcome(rig.cancel(1, bid))['status'], OrderStatus.Canceled, 'still there')
})

test('an order that closes a position may be twice as far from the mark', () => {
  const rig = bandedRig()
  assertPlaced(rig, { ...buy, wallet: 2, price: '3270' })
  assertPlaced(rig, { ...sell, price: '3270' })
  // Wallet 1 is short one, wallet 2 long one: twice the distance is 95.948309 to 7,709.400085.
  const wide = [mark - 2 * (mark - lowerMicros), mark + 2 * (upperMicros - mark)]
  assert.deepEqual(wide, [95_948_309, 7_709_400_085])
  const bid = assertPlaced(rig, { ...buy, price: '7709.4' })
  rig.outcome(rig.cancel(1, bid))
  assertOutside(rig, { ...buy, price: '7709.5' }, wide)
  assertOutside(rig, { ...buy, price: '7709.4', size: '1.1' })
  rig.outcome(rig.cancel(2, assertPlaced(rig, { ...sell, wallet: 2, price: '96' })))
  assertOutside(rig, { ...sell, wallet: 2, price: '95' }, wide)
})

test('a configuration changes the bands, and a replay and a snapshot reject the same orders', () => {
  const rig = bandedRig()
  assertOutside(rig, { ...buy, price: '5489.9' })
  rig.configure({ ...config, bands: { ...bands, ticks: 1_000_000 } })
  rig.run()
  assertPlaced(rig, { ...buy, price: '5489.9' })
  rig.configure(config)
  rig.run()
  assertOutside(rig, { ...buy, price: '5489.9' })
  const replica = new CoreReplica(engineConfigDefault)
  for (const batch of rig.batches) replica.applyBatch(batch)
  const { low, high } = rig.state.hash
  assert.deepEqual([replica.state.hash.low, replica.state.hash.high], [low, high])
  const other = new CoreRig()
  other.restore(rig.save())
  other.nowMillis = rig.nowMillis
  assert.deepEqual(other.state.config.bands, bands)
  const refused = other.outcome(other.place({ ...buy, price: '5489.9', nonce: 77 }))
  assert.equal(refused['result'], Result.OutsidePriceBand)
})

test('orders of a liquidation have no band: they have their own distance from the mark', () => {
  const shut = { ...bands, spotShift: 0, volShift: 0, ticks: 0, minHalfWidth: 0, reducingFactor: 1 }
  const open = { ...engineConfigDefault, pricing: { ...pricing, indexMaxAgeMillis: 0 } }
  const rig = new LiquidationRig(open).openMarket()
  rig.deposit(5, 15_000)
  rig.run()
  rig.trade(2, 5, '3270', '1')
  rig.configure({ ...open, bands: shut })
  rig.index(108_000)
  rig.run()
  rig.nowMillis += 60_000
  rig.run()
  assert.equal(rig.stateOf(5), 'partial')
  const [own] = rig.working(5)
  const markMicros = rig.state.marks.markMicros[0]!
  assert.ok(own!.price * 1e6 > markMicros, 'a buy above the only price that there is for others')
  const same = rig.place({ ...buy, wallet: 2, price: String(own!.price) })
  assert.equal(rig.outcome(same)['result'], Result.OutsidePriceBand)
})

const mark = 3_270_260_505
const config: EngineConfig = { ...engineConfigDefault, bands }

function bandedRig(): CoreRig {
  const rig = new CoreRig(config)
  rig.configure(config)
  return rig.openMarket()
}

/** @returns the order's id. */
function assertPlaced(rig: CoreRig, order: RigOrder): number {
  const outcome = rig.outcome(rig.place(order))
  assert.equal(outcome['result'], Result.Accepted, JSON.stringify(order))
  return outcome['orderId']!
}

function assertOutside(
  rig: CoreRig,
  order: RigOrder,
  limits: readonly number[] = [lowerMicros, upperMicros],
): void {
  const { result, detail0, detail1, orderId } = rig.outcome(rig.place(order))
  assert.equal(result, Result.OutsidePriceBand, JSON.stringify(order))
  assert.deepEqual([detail0, detail1], limits)
  assert.equal(orderId, 0)
}
